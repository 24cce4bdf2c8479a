/**
 * The copies of a customer besides the order's own item (docs/decisions.md, Erasing customers). Histories,
 * lookups, jobs and messages hold none.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod/mini";
import type { Event } from "../../../shared/events/event.ts";
import { feedBatch, feedBatchKey, subjectPartition } from "../../../shared/events/feed-repository.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import { orderAsStored } from "../../../shared/orders/storage/stored-order.ts";
import { rewriteSetAside, setAsideChanges } from "../../../shared/publishing/set-aside.ts";
import { changeOne } from "../../../shared/store/dynamodb/change-one.ts";
import { compressed, decompressed } from "../../../shared/store/dynamodb/compressed.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { storedKey } from "../../../shared/store/dynamodb/keys.ts";
import { getItem, type Lookup, queryPages, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { scanPages } from "../../../shared/store/dynamodb/scan.ts";
import { unlessStale } from "../../../shared/store/dynamodb/transact.ts";
import { Unreadable } from "../../../shared/store/dynamodb/unreadable.ts";
import { stale } from "../../../shared/store/dynamodb/writes.ts";
import { deliveryLookup } from "../../../shared/webhooks/delivery-repository.ts";
import { webhooksOf } from "../../../shared/webhooks/webhook-repository.ts";

/** An order whose customer is erased. */
export type Erased = Pick<Order, "account_id" | "order_id" | "customer">;

const pageSize = 100;

/** Replaces attributes of an item that is still there. @returns whether it was */
const replace = (db: Database, { table, key }: Lookup, set: RawItem): Promise<boolean> =>
  unlessStale(() =>
    changeOne(db, {
      kind: "change",
      table,
      key,
      set,
      when: [{ attribute: "pk", is: "present" }],
      rejection: stale,
    }),
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A JSON value in which the customers of these orders are replaced, wherever it shows the orders. */
export function withoutCustomers(value: unknown, erased: ReadonlyMap<number, Erased>): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutCustomers(part, erased));
  if (!isObject(value)) return value;
  const customer = erased.get(Number(value["order_id"]))?.customer;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === "customer" && customer !== undefined ? customer : withoutCustomers(part, erased),
    ]),
  );
}

const isOf =
  ({ order_id }: Erased) =>
  ({ subject }: Event): boolean =>
    subject.kind === "order" && subject.id === String(order_id);

function eventWithout(event: Event, order: Erased): Event {
  if (!isOf(order)(event)) return event;
  const { data, previous } = event;
  const { customer: _, ...kept } = previous ?? {};
  return {
    ...event,
    data: data && { ...data, customer: order.customer },
    previous: previous && kept,
  };
}

/** What was found of an order in the feed of its account. */
export interface FeedTraces {
  /** Batches that had the customer. */
  batches: number;
  /** The sequences of the order's events. */
  readonly sequences: number[];
  /** Whether the event of the erasure is published, and with it all events before. */
  isPublished: boolean;
}

/** Erases the customer in the order's events. */
export async function eraseInFeed(db: Database, order: Erased): Promise<FeedTraces> {
  const { account_id: account, order_id, customer } = order;
  const found: FeedTraces = { batches: 0, sequences: [], isPublished: false };
  const pk = subjectPartition(account, "order", String(order_id));
  for await (const entries of queryPages(db, { table: "events", pk }, pageSize))
    for (const entry of entries) {
      const lookup: Lookup = { table: "events", key: feedBatchKey(account, Number(entry["sk"])) };
      const item = await getItem(db, lookup);
      if (item === undefined) continue;
      const events = z.parse(feedBatch, item);
      const own = events.filter(isOf(order));
      found.sequences.push(...own.map(({ sequence }) => sequence));
      found.isPublished ||= own.some(({ occurred_at }) => occurred_at >= (customer.erased_at ?? ""));
      const content = compressed(events.map((event) => eventWithout(event, order)));
      if (Buffer.compare(content, compressed(events)) === 0) continue;
      await replace(db, lookup, { content });
      found.batches += 1;
    }
  return found;
}

/** The content of an order's item, as JSON. */
const content = z.object({ content: z.instanceof(Uint8Array) });

function isErased(stored: RawItem | undefined): boolean {
  try {
    return z.parse(orderAsStored, stored).record.customer.erased_at !== undefined;
  } catch {
    return false;
  }
}

/**
 * Erases the customer in changes of the order that are set aside. A record that can't be read is left out.
 * @returns also whether the erasure was among them, and with it all changes before
 */
export async function eraseSetAside(db: Database, order: Erased) {
  const erased = new Map([[order.order_id, order]]);
  const changes = await setAsideChanges(db, orderLookup(order.order_id));
  const isPublished = changes.some(({ change }) => isErased(change.after));
  const rewritten = await rewriteSetAside(db, orderLookup(order.order_id), (stored) => {
    try {
      const fields = decompressed(z.parse(content, stored).content);
      const kept = withoutCustomers(fields, erased);
      return JSON.stringify(kept) === JSON.stringify(fields)
        ? stored
        : { ...stored, content: compressed(kept) };
    } catch (error) {
      if (!(error instanceof Unreadable) && !(error instanceof z.core.$ZodError)) throw error;
      const { content: _, ...others } = stored;
      return others;
    }
  });
  return { rewritten, isPublished };
}

const receivedItem = z.object({
  delivery_id: z.string(),
  sequence: z.number(),
  response_body: z.nullable(z.string()),
});

/** Erases what receivers answered to these events of an account: an answer may repeat the event. */
export async function eraseInDeliveries(
  db: Database,
  accountId: number,
  sequences: ReadonlySet<number>,
): Promise<number> {
  let erased = 0;
  for (const { webhook_id } of await webhooksOf(db, accountId)) {
    const { table, key } = deliveryLookup(webhook_id, "");
    for await (const items of queryPages(db, { table, pk: key.pk }, pageSize))
      for (const item of items) {
        const { data: one } = z.safeParse(receivedItem, item);
        if (one === undefined || one.response_body === null || !sequences.has(one.sequence)) continue;
        await replace(db, deliveryLookup(webhook_id, one.delivery_id), { response_body: null });
        erased += 1;
      }
  }
  return erased;
}

const answered = z.extend(storedKey, { answer: z.instanceof(Uint8Array) });

/** Erases the customers in all answers that are kept for an `Idempotency-Key`. Scans the table of jobs. */
export async function eraseInAnswers(db: Database, erased: ReadonlyMap<number, Erased>): Promise<number> {
  let rewritten = 0;
  for await (const items of scanPages(db, { table: "jobs", partitions: ["idempotency#"] }))
    for (const item of items) {
      const { data: kept } = z.safeParse(answered, item);
      const text = kept === undefined ? "" : gunzipSync(kept.answer).toString();
      if (kept === undefined || !text.includes('"customer"')) continue;
      const without = JSON.stringify(withoutCustomers(JSON.parse(text), erased));
      if (without === text) continue;
      const { pk, sk } = kept;
      await replace(db, { table: "jobs", key: { pk, sk } }, { answer: gzipSync(without) });
      rewritten += 1;
    }
  return rewritten;
}
