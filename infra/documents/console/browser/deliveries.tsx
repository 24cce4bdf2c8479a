/** What was delivered to a webhook: attempts, answers and payloads; each can be sent again. */
import type { Delivery } from "order-inventory-warehouse-client";
import { Entry } from "./parts/lists.tsx";
import { href, useRoute } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Answer, Badge, counted, Empty, Facts, Json, Time } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";
import { WriteButton } from "./parts/write-dialog.tsx";

const perPage = 25;

export function Deliveries({ webhookId }: { readonly webhookId: number }) {
  const { client } = useSession();
  const { path, query } = useRoute();
  const before = query["before"];
  const deliveries = useCall(
    (signal) => {
      const search = { limit: perPage, ...(before === undefined ? {} : { before }) };
      const params = { path: { webhook_id: webhookId }, query: search };
      return client.GET("/webhooks/{webhook_id}/deliveries", { params, signal });
    },
    [webhookId, before],
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
          <nav class="pages" aria-label="Pages">
            <span class="row">
              <button type="button" class="plain" onClick={deliveries.reload}>
                Refresh
              </button>
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
        of={[
          ["Delivery", <code key="id">{delivery.delivery_id}</code>],
          ["First attempt", <Time key="first" at={delivery.first_attempt_at} exact />],
          ["Next attempt", <Time key="next" at={delivery.next_attempt_at} exact />],
          ["Answer", `${answer} ${delivery.response_body ?? ""}`],
        ]}
      />
      {mayWrite && <Resend {...{ delivery, onResent }} />}
      <Payload of={delivery} />
    </Entry>
  );
}

/** The event of a delivery, which the feed has. A test is no event of the feed. */
function Payload({ of: { sequence, cause } }: { readonly of: Delivery }) {
  const { client } = useSession();
  const event = useCall(
    async (signal) => {
      if (cause === "test") return undefined;
      const query = { after: sequence - 1, limit: 1 };
      return (await client.GET("/events", { params: { query }, signal })).data[0];
    },
    [sequence],
  );
  return <Answer of={event}>{(data) => data !== undefined && <Json of={data} />}</Answer>;
}

function Resend({ delivery, onResent }: DeliveryProps) {
  const { client } = useSession();
  const { webhook_id, delivery_id, event_type, sequence } = delivery;
  return (
    <div>
      <WriteButton
        label="Resend"
        class="small"
        title="Resend a delivery"
        verb="Resend"
        send={(dry_run) =>
          client.POST("/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", {
            params: { path: { webhook_id, delivery_id }, query: { dry_run } },
          })
        }
        preview={() => `${event_type}, event ${sequence}, would be posted again.`}
        onDone={onResent}
      />
    </div>
  );
}
