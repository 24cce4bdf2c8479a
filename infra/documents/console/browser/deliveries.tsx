/** What was delivered to a webhook: attempts, answers and payloads; each can be sent again. */
import type { Delivery } from "order-inventory-warehouse-client";
import { useCall } from "./parts/calls.ts";
import { ChangeButton } from "./parts/change.tsx";
import { Button } from "./parts/forms.tsx";
import { Entry } from "./parts/lists.tsx";
import { href, useRoute } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Answer, Badge, counted, Empty, Facts, Json, Time } from "./parts/ui.tsx";

export function Deliveries({ webhookId }: { readonly webhookId: number }) {
  const { path, query } = useRoute();
  const { before } = query;
  const deliveries = useCall(
    (client, signal) => {
      const params = { path: { webhook_id: webhookId }, query: { limit: 25, ...(before && { before }) } };
      return client.GET("/webhooks/{webhook_id}/deliveries", { params, signal });
    },
    [before],
  );
  return (
    <Answer of={deliveries}>
      {({ data, next_before }) => (
        <>
          {data.length === 0 && (
            <Empty>Nothing was delivered yet. A test shows whether the receiver answers.</Empty>
          )}
          <ol class="timeline">
            {data.map((delivery) => (
              <DeliveryEntry key={delivery.delivery_id} delivery={delivery} onResent={deliveries.reload} />
            ))}
          </ol>
          <nav class="pages" aria-label="Pages of deliveries">
            <span class="row">
              <Button class="plain" onClick={deliveries.reload}>
                Refresh
              </Button>
              {before !== undefined && <a href={href(path)}>Newest</a>}
            </span>
            {next_before !== null && <a href={href(path, { before: next_before })}>Older</a>}
          </nav>
        </>
      )}
    </Answer>
  );
}

interface DeliveryProps {
  readonly delivery: Delivery;
  readonly onResent: () => void;
}

function DeliveryEntry({ delivery, onResent }: DeliveryProps) {
  const { mayWrite } = useSession();
  const { event_type, cause, status, attempts, response_code, error } = delivery;
  const answer = response_code ?? error ?? "no answer yet";
  const note = `${cause === "event" ? "" : `${cause}, `}${counted(attempts, "attempt")}, ${answer}`;
  const at = delivery.last_attempt_at ?? delivery.created_at;
  return (
    <Entry kind={<Badge of={status} />} what={event_type} note={note} at={at}>
      <Facts
        of={{
          Delivery: <code>{delivery.delivery_id}</code>,
          "First attempt": <Time at={delivery.first_attempt_at} exact />,
          "Next attempt": <Time at={delivery.next_attempt_at} exact />,
          Answer: `${answer} ${delivery.response_body ?? ""}`,
        }}
      />
      {mayWrite && <Resend {...{ delivery, onResent }} />}
      <Payload of={delivery} />
    </Entry>
  );
}

/** The event of a delivery, which the feed has. A test is no event of the feed. */
function Payload({ of: { sequence, cause } }: { readonly of: Delivery }) {
  const event = useCall(async (client, signal) => {
    if (cause === "test") return null;
    const query = { after: sequence - 1, limit: 1 };
    return (await client.GET("/events", { params: { query }, signal })).data[0] ?? null;
  });
  return <Answer of={event}>{(data) => data !== null && <Json of={data} />}</Answer>;
}

const Resend = ({ delivery, onResent }: DeliveryProps) => (
  <ChangeButton
    label="Resend"
    class="small"
    send={(client, { query, headers }) => {
      const { webhook_id, delivery_id } = delivery;
      const path = "/webhooks/{webhook_id}/deliveries/{delivery_id}/resend";
      return client.POST(path, { params: { path: { webhook_id, delivery_id }, query }, headers });
    }}
    preview={() => `${delivery.event_type}, event ${delivery.sequence}, would be posted again.`}
    onDone={onResent}
  />
);
