/**
 * The copies of customers besides the orders' own items (docs/decisions.md, Erasing customers). Histories,
 * lookups, jobs and messages hold none.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod/mini";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import type { Event } from "../../../shared/events/event.ts";
import {
  feedBatch,
  feedBatchKey,
  readFeedHead,
  subjectPartition,
} from "../../../shared/events/feed-repository.ts";
import { type Order, order as orderSchema } from "../../../shared/orders/order.ts";
import { erasedCopy } from "../../../shared/orders/storage/erased-order.ts";
import { orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import { rewriteSetAside, setAsideChanges } from "../../../shared/publishing/set-aside.ts";
import { changeOne } from "../../../shared/store/dynamodb/change-one.ts";
import { compress } from "../../../shared/store/dynamodb/compressed.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { keyIn, textOf } from "../../../shared/store/dynamodb/keys.ts";
import { getItem, type Lookup, queryPages, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { inLatestLayout, Unreadable } from "../../../shared/store/layouts/layouts.ts";
import { isUnreadable } from "../../../shared/store/layouts/unreadable.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { deliveryLookup } from "../../../shared/webhooks/delivery-repository.ts";
import { webhookProgressLookup, webhooksOf } from "../../../shared/webhooks/webhook-repository.ts";
import { scanStored } from "../../data-model/scan.ts";

/** An order whose customer is erased, as it is now. */
export type Erased = Pick<Order, "account_id" | "order_id" | "customer" | "version" | "updated_at">;

export type ErasedOrders = ReadonlyMap<number, Erased>;

/** Orders by their ids, with what is left of their customers. */
type Customers = ReadonlyMap<number, Pick<Order, "customer">>;

/** Is called for an item that can't be read. It stays as it is. */
export type OnUnreadable = (item: Lookup) => void;

/** Calls `visit` with each item of a partition's kind, and `onUnreadable` for one that `visit` can't read. */
export async function forEachReadable(
  db: Database,
  { table, partition }: { readonly table: TableName; readonly partition: string },
  onUnreadable: OnUnreadable,
  visit: (item: RawItem, lookup: Lookup) => void | Promise<void>,
): Promise<void> {
  for await (const items of scanStored(db, { table, partitions: [`${partition}#`] }))
    for (const item of items) {
      const lookup: Lookup = { table, key: keyIn(item) };
      try {
        await visit(inLatestLayout(db, table, item), lookup);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        onUnreadable(lookup);
      }
    }
}

const pageSize = 100;

/**
 * Sets an attribute of an item by what the item holds, and again by what it holds then if it is changed
 * meanwhile. `newValue` returns undefined to leave it.
 * @returns whether it was set
 */
const rewrite = (
  db: Database,
  { table, key }: Lookup,
  attribute: string,
  newValue: (item: RawItem) => unknown,
): Promise<boolean> =>
  untilFresh(db, async () => {
    const item = await getItem(db, { table, key });
    const value = item && newValue(item);
    if (item === undefined || value === undefined) return false;
    const when = [{ attribute, equals: item[attribute] }];
    await changeOne(db, { kind: "change", table, key, set: { [attribute]: value }, when });
    return true;
  });

/** A JSON value in which the customers of these orders are replaced, wherever it shows the orders. */
function withoutCustomers(value: unknown, erased: Customers): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutCustomers(part, erased));
  if (typeof value !== "object" || value === null) return value;
  const customer = "order_id" in value ? erased.get(Number(value.order_id))?.customer : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === "customer" && customer !== undefined ? customer : withoutCustomers(part, erased),
    ]),
  );
}

const isOf = ({ subject }: Event, orderId: number): boolean =>
  subject.kind === "order" && subject.id === String(orderId);

const orderOf = ({ subject }: Event, erased: ErasedOrders): Erased | undefined =>
  subject.kind === "order" ? erased.get(Number(subject.id)) : undefined;

function eventWithout(event: Event, erased: ErasedOrders): Event {
  const order = orderOf(event, erased);
  if (order === undefined) return event;
  const { data, previous } = event;
  const { customer: _, ...kept } = previous ?? {};
  return {
    ...event,
    data: data && { ...data, customer: order.customer },
    previous: previous && kept,
  };
}

const versioned = z.object({ version: z.number() });

/** Whether a record is the order as it is now, or a later version of it. */
function isCurrent(record: unknown, { version }: Erased): boolean {
  const { data } = z.safeParse(versioned, record);
  return data !== undefined && data.version >= version;
}

/** Whether an event of an order shows its current version. An event without `data` has only its time. */
const showsCurrent = ({ data, occurred_at }: Event, order: Erased): boolean =>
  data === null ? occurred_at === order.updated_at : isCurrent(data, order);

/** The batches of the feed that have events of an order, oldest first. */
async function* batchesWith(
  db: Database,
  { account_id: account, order_id }: Pick<Order, "account_id" | "order_id">,
): AsyncGenerator<Lookup, void> {
  const pk = subjectPartition(account, "order", String(order_id));
  for await (const entries of queryPages(db, { table: "events", pk }, pageSize))
    yield* entries.map(({ sk }): Lookup => ({ table: "events", key: feedBatchKey(account, Number(sk)) }));
}

/**
 * Erases the customers in the events of orders. A batch is rewritten once for all erased orders.
 * @returns how many batches had a customer, the ids of the orders' events, and the orders whose current
 * version is `published`, and with it all events before
 */
export async function eraseInFeed(
  db: Database,
  orders: Iterable<Erased>,
  erased: ErasedOrders,
  onUnreadable: OnUnreadable,
) {
  const found = { batches: 0, eventIds: new Set<string>(), published: new Set<number>() };
  const batches = new Map<string, Lookup>();
  await forEachConcurrently(orders, async (order) => {
    for await (const lookup of batchesWith(db, order)) batches.set(textOf(lookup.table, lookup.key), lookup);
  });
  const contentWithout = (item: RawItem) => {
    const events = z.parse(feedBatch, item);
    for (const event of events) {
      const order = orderOf(event, erased);
      if (order === undefined) continue;
      found.eventIds.add(event.id);
      if (showsCurrent(event, order)) found.published.add(order.order_id);
    }
    const without = events.map((event) => eventWithout(event, erased));
    return isDeepEqual(without, events) ? undefined : compress(without);
  };
  await forEachConcurrently(batches.values(), async (lookup) => {
    try {
      if (await rewrite(db, lookup, "content", contentWithout)) found.batches += 1;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      onUnreadable(lookup);
    }
  });
  return found;
}

const shownCustomer = z.object({ customer: orderSchema.shape.customer });

/** What the feed shows of an order's customer, if it was erased. */
export async function erasedInFeed(
  db: Database,
  order: Pick<Order, "account_id" | "order_id">,
): Promise<Order["customer"] | undefined> {
  for await (const lookup of batchesWith(db, order)) {
    const item = await getItem(db, lookup);
    for (const event of item === undefined ? [] : z.parse(feedBatch, item)) {
      const { data } = z.safeParse(shownCustomer, event.data);
      if (isOf(event, order.order_id) && data?.customer.erased_at !== undefined) return data.customer;
    }
  }
  return undefined;
}

/**
 * Erases the customer in changes of the order that are set aside. A record that can't be read is left out.
 * @returns also whether the current version is among them, and with it all changes before
 */
export async function eraseSetAside(db: Database, order: Erased) {
  const changes = await setAsideChanges(db, orderLookup(order.order_id));
  const isPublished = changes.some(({ change }) => isCurrent(change.after, order));
  const rewritten = await rewriteSetAside(db, orderLookup(order.order_id), (stored) =>
    erasedCopy(stored, order.customer),
  );
  return { rewritten, isPublished };
}

const received = z.object({
  webhook_id: z.number(),
  delivery_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  sequence: z.number(),
  response_body: z.string(),
});

/**
 * Erases what receivers answered to these events: an answer may repeat the event. An event that has left the
 * feed, or whose webhook is deleted, may be one of the orders, so answers to such events of orders are
 * erased, too. Scans the table of webhooks.
 */
export async function eraseInDeliveries(
  db: Database,
  accounts: Iterable<number>,
  eventIds: ReadonlySet<string>,
  onUnreadable: OnUnreadable,
): Promise<number> {
  // By webhook, the sequence from which on the feed says which events are those of the orders.
  const known = new Map<number, number>();
  for (const account of accounts) {
    const { oldest } = await readFeedHead(db, account, new Date().toISOString());
    for (const { webhook_id } of await webhooksOf(db, account)) known.set(webhook_id, oldest);
  }
  const knownFrom = async (webhookId: number): Promise<number> => {
    const isDeleted = async () => (await getItem(db, webhookProgressLookup(webhookId))) === undefined;
    const from = known.get(webhookId) ?? ((await isDeleted()) ? Number.POSITIVE_INFINITY : 0);
    known.set(webhookId, from);
    return from;
  };
  let erased = 0;
  const stored = { table: "webhooks", partition: "webhook-deliveries" } as const;
  await forEachReadable(db, stored, onUnreadable, async (item) => {
    const { data: one } = z.safeParse(received, item);
    if (one === undefined || !one.event_type.startsWith("order.")) return;
    if (!eventIds.has(one.event_id) && one.sequence >= (await knownFrom(one.webhook_id))) return;
    const lookup = deliveryLookup(one.webhook_id, one.delivery_id);
    const erasedBody = ({ response_body: body }: RawItem) => (typeof body === "string" ? null : undefined);
    if (await rewrite(db, lookup, "response_body", erasedBody)) erased += 1;
  });
  return erased;
}

const answered = z.object({ answer: z.instanceof(Uint8Array) });

/** A kept answer without the customers; undefined if it shows none of them. @throws Unreadable */
function answerWithout(item: RawItem, erased: ErasedOrders): Uint8Array | undefined {
  const { data: kept } = z.safeParse(answered, item);
  if (kept === undefined) return undefined;
  const answer = answerIn(kept.answer);
  const without = withoutCustomers(answer, erased);
  return isDeepEqual(answer, without) ? undefined : gzipSync(JSON.stringify(without));
}

function answerIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(gunzipSync(bytes).toString());
  } catch {
    throw new Unreadable("the bytes are not those of an answer");
  }
}

/** Erases the customers in all answers that are kept for an `Idempotency-Key`. Scans the table of jobs. */
export async function eraseInAnswers(
  db: Database,
  erased: ErasedOrders,
  onUnreadable: OnUnreadable,
): Promise<number> {
  let rewritten = 0;
  const kept = { table: "jobs", partition: "idempotency" } as const;
  await forEachReadable(db, kept, onUnreadable, async (item, lookup) => {
    if (answerWithout(item, erased) === undefined) return;
    if (await rewrite(db, lookup, "answer", (now) => answerWithout(now, erased))) rewritten += 1;
  });
  return rewritten;
}
