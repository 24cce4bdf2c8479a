/** Webhooks: the URLs to which events are posted. */
import type { Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import guide from "../../../../../docs/guides/receive-webhooks.md";
import { ChangeButton } from "../parts/change.tsx";
import { Field } from "../parts/forms.tsx";
import { type Column, ListScreen } from "../parts/lists.tsx";
import { href } from "../parts/route.ts";
import { useSigned } from "../parts/service.ts";
import { Badge, Code, type Of, Screen, Time } from "../parts/ui.tsx";

export const stateOf = ({ active, disabled_reason }: Webhook): string =>
  active ? "active" : disabled_reason === null ? "paused" : "disabled";

const columns: readonly Column<Webhook>[] = [
  { title: "Id", of: ({ webhook_id }) => <a href={href(["webhooks", webhook_id])}>{webhook_id}</a> },
  { title: "URL", of: ({ url }) => <code>{url}</code> },
  { title: "State", of: (webhook) => <Badge of={stateOf(webhook)} /> },
  { title: "Types", of: ({ types }) => types.join(", "), class: "wide" },
  { title: "Last success", of: ({ last_success_at: at }) => (at ? <Time at={at} /> : "–"), class: "wide" },
];

export function Webhooks() {
  const { mayWrite } = useSigned();
  const [secret, setSecret] = useState<string>();
  if (!mayWrite)
    return <Screen title="Webhooks">A read-only key can't see them: URLs may hold secrets.</Screen>;
  return (
    <ListScreen
      key={secret}
      title="Webhooks"
      noun="webhook"
      columns={columns}
      read={(client, query, signal) => client.GET("/webhooks", { params: { query }, signal })}
      empty="The account has no webhooks yet. A webhook posts each event to a server of yours."
      beside={<NewWebhook onMade={setSecret} />}
    >
      <Secret of={secret} />
    </ListScreen>
  );
}

const NewWebhook = ({ onMade }: { readonly onMade: (secret: string) => void }) => (
  <ChangeButton
    label="New webhook"
    class="primary"
    send={(client, { query, headers }, { url = "", description = "", types = "" }) => {
      const data = { url, description: description || null };
      // The service checks the types, and says which one is none.
      const bodySerializer = () => JSON.stringify({ data: { ...data, types: types.split(/\s*,\s*/) } });
      return client.POST("/webhooks", { params: { query }, headers, body: { data }, bodySerializer });
    }}
    preview={({ data }) => `Events of ${data.types.join(", ")} would be posted to ${data.url}.`}
    onDone={({ data }) => onMade(data.secret ?? "")}
  >
    <Field label="URL" name="url" required placeholder="https://example.com/hooks" />
    <Field label="Description" name="description" />
    <Field label="Types" name="types" value="*" required hint="Separated by commas: order.*, stock.changed" />
  </ChangeButton>
);

/** A secret is shown once, with the whole code that verifies with it. One whose answer was lost is empty. */
export function Secret({ of }: Of<string | undefined>) {
  if (of === undefined) return null;
  if (of === "") return <p class="notice amber">The webhook's secret was lost with its answer. Rotate it.</p>;
  return (
    <div class="notice amber">
      <p>This secret is shown once. Keep it where the receiver reads it.</p>
      <Code label="Secret" of={of} />
      <Code label="A receiver in Node.js that verifies with it" of={receiver(of)} />
    </div>
  );
}

const [, example = ""] = /```js\n(.*?)```/s.exec(guide) ?? [];

/** The guide's receiver in Node.js, with the secret filled in. */
export const receiver = (secret: string): string =>
  `// npm install standardwebhooks\n${example.replace("process.env.WEBHOOK_SECRET", JSON.stringify(secret))}`;
