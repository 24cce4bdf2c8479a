/** Webhooks: where events are posted to. */
import { type operations, ServiceError, type Webhook } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import { typeFilters } from "../../../../shared/events/types.ts";
import { Field } from "./parts/forms.tsx";
import { type Column, List } from "./parts/lists.tsx";
import { href } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Badge, Copyable, Time, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";
import { WriteButton } from "./parts/write-dialog.tsx";

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
  useTitle("Webhooks");
  if (mayWrite) return <AllWebhooks />;
  return (
    <>
      <h1>Webhooks</h1>
      <p>A read-only key can't see webhooks.</p>
    </>
  );
}

function AllWebhooks() {
  const { client } = useSession();
  const [secret, setSecret] = useState<string>();
  const webhooks = useCall((signal) => client.GET("/webhooks", { signal }), []);
  const made = (created: string | null): void => {
    setSecret(created ?? undefined);
    webhooks.reload();
  };
  return (
    <>
      <header class="row spread">
        <h1>Webhooks</h1>
        <NewWebhook onMade={made} />
      </header>
      {secret !== undefined && <Secret of={secret} />}
      <List
        of={webhooks}
        label="Webhooks"
        noun="webhook"
        columns={columns}
        keyOf={({ webhook_id }) => webhook_id}
      >
        The account has no webhooks yet. A webhook posts each event to a server of yours.
      </List>
    </>
  );
}

function NewWebhook({ onMade }: { readonly onMade: (secret: string | null) => void }) {
  const { client } = useSession();
  return (
    <WriteButton
      label="New webhook"
      class="primary"
      title="New webhook"
      verb="Make it"
      send={async (dry_run, { url = "", description = "", types = "" }) =>
        client.POST("/webhooks", {
          params: { query: { dry_run } },
          body: { data: { url, description: description || null, types: typesIn(types) } },
        })
      }
      preview={({ data }) => `Events of ${data.types.join(", ")} would be posted to ${data.url}.`}
      onDone={({ data }) => onMade(data.secret)}
    >
      <Field label="URL" name="url" required placeholder="https://example.com/hooks" />
      <Field label="Description" name="description" />
      <Field
        label="Types"
        name="types"
        value="*"
        required
        hint="Separated by commas: order.*, stock.changed"
      />
    </WriteButton>
  );
}

type Body = operations["createWebhook"]["requestBody"]["content"]["application/json"];
type Types = NonNullable<Body["data"]["types"]>;

const isType = (text: string): text is Types[number] => typeFilters.includes(text);

/** The filters in a text. @throws {ServiceError} as the service does, if one is none */
function typesIn(text: string): Types {
  const parts = text.split(",").map((part) => part.trim());
  const wrong = parts.find((part) => !isType(part));
  if (wrong !== undefined)
    throw new ServiceError({ message: `"${wrong}" is no type of events`, status: 400 });
  return parts.filter(isType);
}

/** A secret is shown once. The code that verifies with it is complete. */
export function Secret({ of }: { readonly of: string }) {
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
