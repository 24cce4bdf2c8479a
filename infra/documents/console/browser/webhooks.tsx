/** Webhooks: where events are posted to. */
import type { operations, Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { typeFilters } from "../../../../shared/events/types.ts";
import { refusal } from "./parts/calls.ts";
import { ChangeButton } from "./parts/change.tsx";
import { Field } from "./parts/forms.tsx";
import { type Column, List } from "./parts/lists.tsx";
import { href } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Badge, Copyable, Screen, Time } from "./parts/ui.tsx";

export const stateOf = ({ active, disabled_reason }: Webhook): string =>
  active ? "active" : disabled_reason === null ? "paused" : "disabled";

const columns: readonly Column<Webhook>[] = [
  { title: "Id", of: ({ webhook_id }) => <a href={href(["webhooks", webhook_id])}>{webhook_id}</a> },
  { title: "URL", of: ({ url }) => <code>{url}</code> },
  { title: "State", of: (webhook) => <Badge of={stateOf(webhook)} /> },
  { title: "Types", of: ({ types }) => types.join(", "), isWide: true },
  { title: "Last success", of: ({ last_success_at }) => <Time at={last_success_at} />, isWide: true },
];

export function Webhooks() {
  const { mayWrite } = useSession();
  const [secret, setSecret] = useState<string>();
  if (!mayWrite) return <Screen title="Webhooks">A read-only key can't see webhooks.</Screen>;
  return (
    <Screen title="Webhooks" beside={<NewWebhook onMade={(made) => setSecret(made ?? "")} />}>
      <Secret of={secret} />
      <List
        key={secret}
        label="Webhooks"
        noun="webhook"
        columns={columns}
        keyOf={({ webhook_id }) => webhook_id}
        read={(client, query, signal) => client.GET("/webhooks", { params: { query }, signal })}
      >
        The account has no webhooks yet. A webhook posts each event to a server of yours.
      </List>
    </Screen>
  );
}

const NewWebhook = ({ onMade }: { readonly onMade: (secret: string | null) => void }) => (
  <ChangeButton
    label="New webhook"
    class="primary"
    send={async (client, { query, headers }, { url = "", description = "", types = "" }) => {
      const data = { url, description: description || null, types: typesIn(types) };
      return client.POST("/webhooks", { params: { query }, headers, body: { data } });
    }}
    preview={({ data }) => `Events of ${data.types.join(", ")} would be posted to ${data.url}.`}
    onDone={({ data }) => onMade(data.secret)}
  >
    <Field label="URL" name="url" required placeholder="https://example.com/hooks" />
    <Field label="Description" name="description" />
    <Field label="Types" name="types" value="*" required hint="Separated by commas: order.*, stock.changed" />
  </ChangeButton>
);

type Body = operations["createWebhook"]["requestBody"]["content"]["application/json"];
type Types = NonNullable<Body["data"]["types"]>;

const isType = (text: string): text is Types[number] => typeFilters.includes(text);

/** The filters in a text. @throws {ServiceError} as the service does, if one is none */
const typesIn = (text: string): Types =>
  text.split(",").map((part) => {
    const type = part.trim();
    if (!isType(type)) throw refusal(`"${type}" is no type of events`);
    return type;
  });

/** A secret is shown once, with the whole code that verifies with it. One whose answer was lost is empty. */
export function Secret({ of }: { readonly of: string | undefined }) {
  if (of === undefined) return null;
  if (of === "") return <p class="notice amber">The webhook's secret was lost with its answer. Rotate it.</p>;
  return (
    <div class="notice amber">
      <p>This secret is shown once. Keep it where the receiver reads it.</p>
      <Copyable label="Secret" text={of} />
      <Copyable label="A receiver in Node.js that verifies with it" text={verification(of)} />
    </div>
  );
}

/** The receiver of `docs/integrators.md`, with the secret in its place. */
export const verification = (secret: string): string => `// npm install standardwebhooks
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook("${secret}");
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    response.writeHead(204).end();
    console.log(event.sequence, event.type, event.subject);
  } catch {
    response.writeHead(400).end();
  }
}).listen(8080);
`;
