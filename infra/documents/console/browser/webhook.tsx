/** One webhook: its state, what can be done with it, its deliveries, and how a receiver verifies them. */
import type { Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { Deliveries } from "./deliveries.tsx";
import { Field } from "./parts/forms.tsx";
import { href } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Answer, Badge, Copyable, Facts, Time, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";
import { Changes, WriteButton } from "./parts/write-dialog.tsx";
import { Secret, stateOf, verification } from "./webhooks.tsx";

export function WebhookPage({ id }: { readonly id: number }) {
  useTitle(`Webhook ${id}`);
  const { client, mayWrite } = useSession();
  const [secret, setSecret] = useState<string>();
  const params = { path: { webhook_id: id } };
  const webhook = useCall((signal) => client.GET("/webhooks/{webhook_id}", { params, signal }), [id]);
  return (
    <>
      <p class="crumbs">
        <a href={href(["webhooks"])}>Webhooks</a>
      </p>
      <Answer of={webhook}>
        {({ data }) => (
          <>
            <header class="row">
              <h1>Webhook {id}</h1>
              <Badge of={stateOf(data)} />
            </header>
            {mayWrite && <Actions webhook={data} onDone={webhook.reload} onSecret={setSecret} />}
            {secret !== undefined && <Secret of={secret} />}
            <Facts
              of={[
                ["URL", <code key="url">{data.url}</code>],
                ["About", data.description],
                ["Types", data.types.join(", ")],
                ["Read up to", `event ${data.handed_over}`],
                ["Last success", <Time key="success" at={data.last_success_at} exact />],
                ["Disabled", data.disabled_reason],
              ]}
            />
            <h2>Deliveries</h2>
            <Deliveries webhookId={id} />
            <h2>Verifying</h2>
            <Copyable label="A receiver in Node.js" text={verification(secret ?? "whsec_…")} />
          </>
        )}
      </Answer>
    </>
  );
}

interface ActionsProps {
  readonly webhook: Webhook;
  readonly onDone: () => void;
  readonly onSecret: (secret: string) => void;
}

function Actions({ webhook, onDone, onSecret }: ActionsProps) {
  const { client } = useSession();
  const { webhook_id, url, active, version } = webhook;
  const path = { webhook_id };
  const pause = active ? "Pause" : "Resume";
  return (
    <div class="row toolbar">
      <WriteButton
        label="Test"
        title={`Test webhook ${webhook_id}`}
        verb="Send the test"
        send={(dry_run) =>
          client.POST("/webhooks/{webhook_id}/test", { params: { path, query: { dry_run } } })
        }
        preview={() => `A test event would be posted to ${url}.`}
        onDone={onDone}
      />
      <WriteButton
        label={pause}
        title={`${pause} webhook ${webhook_id}`}
        verb={pause}
        send={(dry_run) => {
          const body = { data: { active: !active, version } };
          return client.PATCH("/webhooks/{webhook_id}", { params: { path, query: { dry_run } }, body });
        }}
        preview={({ data }) => <Changes from={webhook} to={data} />}
        onDone={onDone}
      />
      <Rotate {...{ webhook, onDone, onSecret }} />
      <Replay {...{ webhook, onDone }} />
    </div>
  );
}

function Rotate({ webhook: { webhook_id }, onDone, onSecret }: ActionsProps) {
  const { client } = useSession();
  const path = { webhook_id };
  return (
    <WriteButton
      label="Rotate secret"
      title={`Rotate the secret of webhook ${webhook_id}`}
      verb="Rotate"
      send={(dry_run) =>
        client.POST("/webhooks/{webhook_id}/rotate", { params: { path, query: { dry_run } } })
      }
      preview={() => "The webhook would get a new secret, and sign with both for a day."}
      onDone={({ data }) => {
        if (data.secret !== null) onSecret(data.secret);
        onDone();
      }}
    />
  );
}

function Replay({ webhook: { webhook_id, handed_over }, onDone }: Omit<ActionsProps, "onSecret">) {
  const { client } = useSession();
  return (
    <WriteButton
      label="Replay"
      title={`Replay events to webhook ${webhook_id}`}
      verb="Replay"
      send={(dry_run, { after = "" }) => {
        const query = { after: Number(after), dry_run };
        return client.POST("/webhooks/{webhook_id}/replay", { params: { path: { webhook_id }, query } });
      }}
      preview={({ data }) => `The events ${data.handed_over + 1} to ${handed_over} would be posted again.`}
      onDone={onDone}
    >
      <Field label="After event number" name="after" value="0" required />
    </WriteButton>
  );
}
