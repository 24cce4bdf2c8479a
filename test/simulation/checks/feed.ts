/** Whether the feed tells all that happened, once, and webhooks have sent it. */
import * as z from "zod";
import { endpoint as listEvents } from "../../../functions/oms/events/list-events.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { History } from "../workload/history.ts";
import type { World } from "../world/world.ts";
import { type Finding, findings } from "./finding.ts";
import {
  accountContext,
  type Order,
  order,
  type StockLevel,
  type StoredRecords,
  stockLevel,
} from "./stored.ts";

const event = z.object({
  sequence: z.int(),
  type: z.string(),
  subject: z.object({ kind: z.string(), id: z.string() }),
  data: z.unknown(),
});
type Event = z.output<typeof event>;

const feed = z.object({ data: z.array(event), feed: z.object({ next_after: z.int(), latest: z.int() }) });

async function readFeed(db: Database): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (let after = 0; ; ) {
    const answer = feed.parse(
      await listEvents.flow({ query: { after, order: "asc", limit: 100, wait: 0 } }, accountContext(db)),
    );
    events.push(...answer.data);
    if (answer.data.length === 0) return events;
    after = answer.feed.next_after;
  }
}

const gaps = (events: readonly Event[]): readonly string[] =>
  events
    .filter(({ sequence }, position) => sequence !== position + 1)
    .slice(0, 1)
    .map(({ sequence }, position) => `the feed has ${sequence} in place of ${position + 1}`);

const versioned = z.object({ version: z.int() });

/** Each version of a record has its events once, and in order. */
function repeated(events: readonly Event[]): readonly string[] {
  const latest = new Map<string, number>();
  const seen = new Set<string>();
  return events.flatMap(({ type, subject, data, sequence }) => {
    const shown = versioned.safeParse(data);
    if (!shown.success) return [];
    const { version } = shown.data;
    const record = `${subject.kind} ${subject.id}`;
    const [before, name] = [latest.get(record) ?? 0, `${record} ${version} ${type}`];
    const isTwice = seen.has(name);
    latest.set(record, Math.max(before, version));
    seen.add(name);
    return isTwice || version < before
      ? [`event ${sequence} ${type} tells of version ${version} of ${record} after version ${before}`]
      : [];
  });
}

/** The last event about each order shows it as it is stored. */
function outdated(events: readonly Event[], stored: readonly Order[]): readonly string[] {
  const last = new Map<number, Order>();
  for (const { type, data } of events) {
    const found = type.startsWith("order.") ? order.safeParse(data) : undefined;
    if (found?.success) last.set(found.data.order_id, found.data);
  }
  return stored.flatMap((one) => {
    const shown = last.get(one.order_id);
    if (shown === undefined) return [`no event shows order ${one.order_id}`];
    return JSON.stringify(shown) === JSON.stringify(one)
      ? []
      : [
          `the last event of order ${one.order_id} shows ${JSON.stringify(shown)}, stored is ${JSON.stringify(one)}`,
        ];
  });
}

/** The last event about the stock of each product in each center shows what is stored. */
function outdatedStock(events: readonly Event[], stored: readonly StockLevel[]): readonly string[] {
  const last = new Map<string, unknown>();
  for (const { type, data } of events) {
    const found = type === "stock.changed" ? stockLevel.safeParse(data) : undefined;
    if (found?.success) last.set(placeOf(found.data), found.data);
  }
  return stored.flatMap((level) => {
    const shown = last.get(placeOf(level));
    return shown === undefined || JSON.stringify(shown) === JSON.stringify(level)
      ? []
      : [`the last event of stock shows ${JSON.stringify(shown)}, stored is ${JSON.stringify(level)}`];
  });
}

const placeOf = ({ product_id, distribution_center }: StockLevel): string =>
  `${product_id} ${distribution_center}`;

/** The receiver of each active webhook has every event since the webhook was created. */
function unsent(events: readonly Event[], { webhooks }: History, world: World): readonly string[] {
  const active = new Set(
    world.store
      .table("webhooks")
      .all.filter(({ active: isActive }) => isActive?.BOOL === true)
      .map(({ url }) => url?.S),
  );
  return [...webhooks]
    .filter(([url]) => active.has(url))
    .flatMap(([url, since]) => {
      const accepted = new Set(world.receiver.accepted.get(url));
      return events
        .filter(({ sequence }) => sequence > since && !accepted.has(sequence))
        .map(({ sequence }) => `event ${sequence} was never accepted at ${url}`);
    });
}

export async function feedFaults(
  history: History,
  { orders, stock }: StoredRecords,
  db: Database,
): Promise<readonly Finding[]> {
  const events = await readFeed(db);
  return [
    ...findings("the feed has no gap", gaps(events)),
    ...findings("each change in the feed once", repeated(events)),
    ...findings("the feed shows what is stored", outdated(events, orders)),
    ...findings("the feed shows the stock", outdatedStock(events, stock)),
    ...findings("webhooks send each event", unsent(events, history, history.world)),
  ];
}
