/** What was delivered to a webhook: attempts, answers and payloads; each can be sent again. */
import type { Delivery } from "order-inventory-warehouse-client";
import { ChangeButton } from "../parts/change.tsx";
import { type Entry, Timeline } from "../parts/lists.tsx";
import { href } from "../parts/route.ts";
import { useCall, useSigned } from "../parts/service.ts";
import { Answer, Badge, Button, counted, Fields, Json, type Of } from "../parts/ui.tsx";

export function Deliveries({ webhookId }: { readonly webhookId: number }) {
  const { path, query } = useSigned().route;
  const { before } = query;
  const deliveries = useCall(
    (client, signal) => {
      const params = { path: { webhook_id: webhookId }, query: { limit: 25, ...(before && { before }) } };
      return client.GET("/webhooks/{webhook_id}/deliveries", { params, signal });
    },
    [before],
  );
  const { reload } = deliveries;
  return (
    <Answer of={deliveries}>
      {({ data, next_before }) => (
        <>
          {data.length === 0 && <p class="notice">Nothing was delivered yet. Send a test.</p>}
          <Timeline of={data.map((delivery) => entryOf(delivery, reload))} />
          <nav class="pages" aria-label="Pages of deliveries">
            <Button of="Refresh" onClick={reload} />
            {before !== undefined && <a href={href(path)}>Newest</a>}
            {next_before !== null && <a href={href(path, { before: next_before })}>Older</a>}
          </nav>
        </>
      )}
    </Answer>
  );
}

function entryOf(delivery: Delivery, onResent: () => void): Entry {
  const { webhook_id, delivery_id, event_type, sequence, cause, status, attempts } = delivery;
  const answer = delivery.response_code ?? delivery.error ?? "no answer yet";
  const resend = (
    <ChangeButton
      label="Resend"
      send={(client, { query, headers }) => {
        const params = { path: { webhook_id, delivery_id }, query };
        return client.POST("/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", { params, headers });
      }}
      preview={() => `${event_type}, event ${sequence}, would be posted again.`}
      onDone={onResent}
    />
  );
  return {
    id: delivery_id,
    kind: <Badge of={status} />,
    what: event_type,
    note: `${cause === "event" ? "" : `${cause}, `}${counted(attempts, "attempt")}, ${answer}`,
    at: delivery.last_attempt_at ?? delivery.created_at,
    opened: () => [<Fields key="fields" of={delivery} />, resend, <Payload key="payload" of={delivery} />],
  };
}

/** The event of a delivery, read from the feed. A test's event is not in the feed. */
function Payload({ of: { sequence, cause } }: Of<Delivery>) {
  const event = useCall(async (client, signal) => {
    if (cause === "test") return null;
    const query = { after: sequence - 1, limit: 1 };
    return (await client.GET("/events", { params: { query }, signal })).data[0] ?? null;
  });
  return <Answer of={event}>{(data) => data !== null && <Json of={data} />}</Answer>;
}
