/** One webhook: its state, what can be done with it, its deliveries, and how a receiver verifies them. */
import type { Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { ChangeButton, Changes, type Writing } from "../parts/change.tsx";
import { Field } from "../parts/forms.tsx";
import { useCall } from "../parts/service.ts";
import { Answer, Badge, Code, Fields, Screen } from "../parts/ui.tsx";
import { Deliveries } from "./deliveries.tsx";
import { receiver, Secret, stateOf } from "./list.tsx";

export function WebhookPage({ id }: { readonly id: string }) {
  const [secret, setSecret] = useState<string>();
  const params = { path: { webhook_id: Number(id) } };
  const webhook = useCall((client, signal) => client.GET("/webhooks/{webhook_id}", { params, signal }));
  const state = webhook.data && <Badge of={stateOf(webhook.data.data)} />;
  return (
    <Screen title={`Webhook ${id}`} above="Webhooks" beside={state}>
      <Answer of={webhook}>
        {({ data }) => (
          <>
            <Actions webhook={data} onChanged={webhook.reload} onSecret={setSecret} />
            <Secret of={secret} />
            <Fields of={{ ...data, types: data.types.join(", ") }} />
            <h2>Deliveries</h2>
            <Deliveries webhookId={data.webhook_id} />
            <h2>Verifying</h2>
            <Code label="A receiver in Node.js" of={receiver(secret ?? "whsec_…")} />
          </>
        )}
      </Answer>
    </Screen>
  );
}

interface ActionsProps {
  readonly webhook: Webhook;
  readonly onChanged: () => void;
  /** Called with a secret that was made; with an empty one if its answer was lost. */
  readonly onSecret: (secret: string) => void;
}

function Actions({ webhook, onChanged, onSecret }: ActionsProps) {
  const { webhook_id, url, active, handed_over } = webhook;
  const init = ({ query, headers }: Writing) => ({ params: { path: { webhook_id }, query }, headers });
  return (
    <div class="row">
      <ChangeButton
        label="Test"
        send={(client, writing) => client.POST("/webhooks/{webhook_id}/test", init(writing))}
        preview={() => `A test event would be posted to ${url}.`}
        onDone={onChanged}
      />
      <ChangeButton
        label={active ? "Pause" : "Resume"}
        send={(client, writing) =>
          client.PATCH("/webhooks/{webhook_id}", { ...init(writing), body: { data: { active: !active } } })
        }
        preview={({ data }) => <Changes from={webhook} to={data} />}
        onDone={onChanged}
      />
      <ChangeButton
        label="Rotate secret"
        send={(client, writing) => client.POST("/webhooks/{webhook_id}/rotate", init(writing))}
        preview={() => "The webhook would get a new secret, and sign with both for a day."}
        onDone={({ data }) => {
          onSecret(data.secret ?? "");
          onChanged();
        }}
      />
      <ChangeButton
        label="Replay"
        send={(client, { query, headers }, { after = "" }) => {
          const params = { path: { webhook_id }, query: { ...query, after: Number(after) } };
          return client.POST("/webhooks/{webhook_id}/replay", { params, headers });
        }}
        preview={({ data }) => `The events ${data.handed_over + 1} to ${handed_over} would be posted again.`}
        onDone={onChanged}
      >
        <Field label="After event number" name="after" value="0" required pattern="[0-9]+" />
      </ChangeButton>
    </div>
  );
}
