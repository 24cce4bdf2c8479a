/** One webhook: its state, what can be done with it, its deliveries, and how a receiver verifies them. */
import type { Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { Deliveries } from "./deliveries.tsx";
import { useCall } from "./parts/calls.ts";
import { ChangeButton, Changes } from "./parts/change.tsx";
import { Field } from "./parts/forms.tsx";
import { useSession } from "./parts/session.ts";
import { Answer, Badge, Copyable, Facts, Screen, Time } from "./parts/ui.tsx";
import { Secret, stateOf, verification } from "./webhooks.tsx";

export function WebhookPage({ id }: { readonly id: string }) {
  const { mayWrite } = useSession();
  const [secret, setSecret] = useState<string>();
  const params = { path: { webhook_id: Number(id) } };
  const webhook = useCall((client, signal) => client.GET("/webhooks/{webhook_id}", { params, signal }));
  const state = webhook.data && <Badge of={stateOf(webhook.data.data)} />;
  const done = (made?: string | null): void => {
    if (made) setSecret(made);
    webhook.reload();
  };
  return (
    <Screen title={`Webhook ${id}`} above="Webhooks" beside={state}>
      <Answer of={webhook}>
        {({ data }) => (
          <>
            {mayWrite && <Actions webhook={data} onDone={done} />}
            <Secret of={secret} />
            <Facts
              of={{
                URL: <code>{data.url}</code>,
                About: data.description,
                Types: data.types.join(", "),
                "Read up to": `event ${data.handed_over}`,
                "Last success": <Time at={data.last_success_at} exact />,
                Disabled: data.disabled_reason,
              }}
            />
            <h2>Deliveries</h2>
            <Deliveries webhookId={data.webhook_id} />
            <h2>Verifying</h2>
            <Copyable label="A receiver in Node.js" text={verification(secret ?? "whsec_…")} />
          </>
        )}
      </Answer>
    </Screen>
  );
}

interface ActionsProps {
  readonly webhook: Webhook;
  /** Called with the secret that was made, if one was. */
  readonly onDone: (secret?: string | null) => void;
}

function Actions({ webhook, onDone }: ActionsProps) {
  const { webhook_id, url, active, version, handed_over } = webhook;
  const pause = active ? "Pause" : "Resume";
  const path = { webhook_id };
  return (
    <div class="row">
      <ChangeButton
        label="Test"
        send={(client, { query, headers }) =>
          client.POST("/webhooks/{webhook_id}/test", { params: { path, query }, headers })
        }
        preview={() => `A test event would be posted to ${url}.`}
        onDone={() => onDone()}
      />
      <ChangeButton
        label={pause}
        send={(client, { query, headers }) => {
          const body = { data: { active: !active, version } };
          return client.PATCH("/webhooks/{webhook_id}", { params: { path, query }, headers, body });
        }}
        preview={({ data }) => <Changes from={webhook} to={data} />}
        onDone={() => onDone()}
      />
      <ChangeButton
        label="Rotate secret"
        send={(client, { query, headers }) =>
          client.POST("/webhooks/{webhook_id}/rotate", { params: { path, query }, headers })
        }
        preview={() => "The webhook would get a new secret, and sign with both for a day."}
        onDone={({ data }) => onDone(data.secret)}
      />
      <ChangeButton
        label="Replay"
        send={(client, { query, headers }, { after = "" }) => {
          const params = { path, query: { ...query, after: Number(after) } };
          return client.POST("/webhooks/{webhook_id}/replay", { params, headers });
        }}
        preview={({ data }) => `The events ${data.handed_over + 1} to ${handed_over} would be posted again.`}
        onDone={() => onDone()}
      >
        <Field label="After event number" name="after" value="0" required pattern="[0-9]+" />
      </ChangeButton>
    </div>
  );
}
