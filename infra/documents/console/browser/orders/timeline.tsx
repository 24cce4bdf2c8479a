/** What happened to an order: its changes and picks, the jobs that changed it, its events and deliveries. */
import type { Delivery, Event, OrderWithHistory } from "order-inventory-warehouse-client";
import { textOf } from "../parts/change.tsx";
import { Timeline } from "../parts/lists.tsx";
import { Badge, Json } from "../parts/ui.tsx";

type Change = OrderWithHistory["history"][number];
type Pick = NonNullable<Change["picks"]>["added"][number];

const goods = (verb: string, picks: readonly Pick[] = []): readonly string[] =>
  picks.map(({ quantity, sku, location, bin }) => `${verb} ${quantity} × ${sku} (${location}/${bin})`);

/** A change in words: `Pending → Processing`, `picked 1 × DEMO-MUG (A2/01)`. */
function wordsOf({ at: _at, by: _by, changed, picks, ...fields }: Change): string {
  const parts = Object.entries(fields).flatMap(([name, { from, to }]) => {
    if (name === "weight_updated_at") return [];
    if (typeof from === "object" && from !== null) return `${name} changed`;
    if (name === "status") return from === null ? "created" : `${from} → ${textOf(to)}`;
    return `${name} ${textOf(from)} → ${textOf(to)}`;
  });
  parts.push(...goods("picked", picks?.added), ...goods("put back", picks?.removed));
  return (parts.length > 0 ? parts : changed).join(", ");
}

/**
 * Whether a job made a change: nothing else takes an order back to Pending, or weighs it for a warehouse
 * user. Accounts can't read jobs. A job that waits or has failed has changed no order.
 */
const isJob = ({ by, weight_updated_at, status }: Change): boolean =>
  (weight_updated_at !== undefined && by.startsWith("user:")) ||
  (status?.from === "Processing" && status.to === "Pending");

interface HappenedProps {
  readonly order: OrderWithHistory;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

export function Happened({ order, events, deliveries }: HappenedProps) {
  // The event of a change has the request that caused it, even if a job carried it out.
  const requests = new Map(events.map(({ occurred_at, request_id }) => [occurred_at, request_id]));
  const entries = [
    ...order.history.toReversed().map((change) => {
      const { at, by } = change;
      const what = wordsOf(change);
      const kind = isJob(change) ? "Job" : "Change";
      const request = isJob(change) && requests.get(at);
      const note = `by ${by}${request ? `, request ${request}` : ""}`;
      return { id: at + what, kind, what, note, at, json: change };
    }),
    ...events.map((event) => {
      const { id, type, sequence, occurred_at } = event;
      return { id, kind: "Event", what: type, note: `number ${sequence}`, at: occurred_at, json: event };
    }),
    ...deliveries.map((delivery) => {
      const what = `${delivery.event_type} to webhook ${delivery.webhook_id}`;
      const at = delivery.last_attempt_at ?? delivery.created_at;
      const note = <Badge of={delivery.status} />;
      return { id: delivery.delivery_id, kind: "Delivery", what, note, at, json: delivery };
    }),
  ].toSorted((left, right) => right.at.localeCompare(left.at));
  const timeline = entries.map(({ json, ...entry }) => ({ ...entry, opened: () => <Json of={json} /> }));
  return <Timeline noun="row" of={timeline} />;
}
