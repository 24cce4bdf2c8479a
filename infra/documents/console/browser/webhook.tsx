/** One webhook: its state, what can be done with it, its deliveries, and how a receiver verifies them. */
import type { Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { Deliveries } from "./deliveries.tsx";
import { href } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Answer, Badge, Copyable, Facts, Field, Time, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";
import { Changes, WriteDialog } from "./parts/write-dialog.tsx";
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
  const [open, setOpen] = useState<"test" | "pause" | "rotate" | "replay">();
  const dialog = { webhook, onDone, onClose: () => setOpen(undefined) };
  const labels = {
    test: "Test",
    pause: webhook.active ? "Pause" : "Resume",
    rotate: "Rotate secret",
    replay: "Replay",
  } as const;
  return (
    <div class="row toolbar">
      {(["test", "pause", "rotate", "replay"] as const).map((name) => (
        <button type="button" key={name} onClick={() => setOpen(name)}>
          {labels[name]}
        </button>
      ))}
      {open === "test" && <TestDialog {...dialog} />}
      {open === "pause" && <PauseDialog {...dialog} />}
      {open === "rotate" && <RotateDialog {...dialog} onSecret={onSecret} />}
      {open === "replay" && <ReplayDialog {...dialog} />}
    </div>
  );
}

interface DialogProps {
  readonly webhook: Webhook;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function TestDialog({ webhook: { webhook_id, url }, ...rest }: DialogProps) {
  const { client } = useSession();
  return (
    <WriteDialog
      {...rest}
      title={`Test webhook ${webhook_id}`}
      verb="Send the test"
      send={(dry_run) =>
        client.POST("/webhooks/{webhook_id}/test", { params: { path: { webhook_id }, query: { dry_run } } })
      }
      preview={() => <p>A test event would be posted to {url}.</p>}
    />
  );
}

function PauseDialog({ webhook, ...rest }: DialogProps) {
  const { client } = useSession();
  const { webhook_id, active, version } = webhook;
  return (
    <WriteDialog
      {...rest}
      title={`${active ? "Pause" : "Resume"} webhook ${webhook_id}`}
      verb={active ? "Pause" : "Resume"}
      send={(dry_run) =>
        client.PATCH("/webhooks/{webhook_id}", {
          params: { path: { webhook_id }, query: { dry_run } },
          body: { data: { active: !active, version } },
        })
      }
      preview={({ data }) => <Changes from={webhook} to={data} />}
    />
  );
}

interface RotateProps extends DialogProps {
  readonly onSecret: (secret: string) => void;
}

function RotateDialog({ webhook: { webhook_id }, onDone, onSecret, onClose }: RotateProps) {
  const { client } = useSession();
  return (
    <WriteDialog
      title={`Rotate the secret of webhook ${webhook_id}`}
      verb="Rotate"
      send={(dry_run) =>
        client.POST("/webhooks/{webhook_id}/rotate", { params: { path: { webhook_id }, query: { dry_run } } })
      }
      preview={() => <p>The webhook would get a new secret, and sign with both for a day.</p>}
      onDone={({ data }) => {
        if (data.secret !== null) onSecret(data.secret);
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function ReplayDialog({ webhook: { webhook_id, handed_over }, ...rest }: DialogProps) {
  const { client } = useSession();
  return (
    <WriteDialog
      {...rest}
      title={`Replay events to webhook ${webhook_id}`}
      verb="Replay"
      send={(dry_run, { after = "" }) =>
        client.POST("/webhooks/{webhook_id}/replay", {
          params: { path: { webhook_id }, query: { after: Number(after), dry_run } },
        })
      }
      preview={({ data }) => (
        <p>
          The events {data.handed_over + 1} to {handed_over} would be posted again.
        </p>
      )}
    >
      <Field label="After event number" name="after" value="0" required />
    </WriteDialog>
  );
}
