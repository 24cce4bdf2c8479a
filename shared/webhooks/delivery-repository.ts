/**
 * Stores deliveries of webhooks. A delivery that waits for an attempt also has a waiting entry. Entries have
 * an order of their own: first what the account requested, then the rest by due time. They are read
 * consistently, which a global index does not allow.
 */

import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { logger } from "../runtime/log.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key } from "../store/dynamodb/keys.ts";
import {
  type FindItem,
  getItem,
  getItems,
  type Lookup,
  parsed,
  queryPages,
  queryRange,
} from "../store/dynamodb/reads.ts";
import {
  type Change,
  exists,
  type Insert,
  insertOf,
  type Removal,
  removalOf,
  unchanged,
} from "../store/dynamodb/writes.ts";
import { type Delivery, delivery } from "./delivery.ts";

const table = "webhooks";

export const deliveryLookup = (webhookId: number, deliveryId: string): Lookup => ({
  table,
  key: { pk: joined("webhook-deliveries", webhookId), sk: deliveryId },
});

/** The beginning of the ids of deliveries that are created at a time (ISO 8601). */
const idsAt = (time: string): string => `dlv_${Date.parse(time).toString(36).padStart(9, "0")}`;

/** An unguessable id. Ids rise with time, and with the position among deliveries created together. */
export const newDeliveryId = (now: string, position = 0): string =>
  `${idsAt(now)}${position.toString(36).padStart(2, "0")}${randomBytes(8).toString("hex")}`;

const idPattern = /^dlv_[0-9a-z]{27}$/;

export const isDeliveryId = (text: string): boolean => idPattern.test(text);

export const findDelivery = async (
  db: Database,
  webhookId: number,
  deliveryId: string,
): Promise<Delivery | undefined> =>
  parsed(delivery, await getItem(db, deliveryLookup(webhookId, deliveryId)));

/** A webhook's deliveries older than `before`, latest first. */
export async function readDeliveries(
  db: Database,
  webhookId: number,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Delivery[]> {
  const { pk } = deliveryLookup(webhookId, "").key;
  const between = ["dlv_", before ?? "dlv_~"] as const;
  const items = await queryRange(db, { table, pk, between, direction: "desc", limit: limit + 1 });
  const found = items.map((item) => z.parse(delivery, item));
  return found.filter(({ delivery_id }) => delivery_id !== before).slice(0, limit);
}

/** A webhook's deliveries that were created at a time (ISO 8601) or later, oldest first, in pages. */
export async function* deliveriesSince(
  db: Database,
  webhookId: number,
  time: string,
): AsyncGenerator<readonly Delivery[], void> {
  const { pk } = deliveryLookup(webhookId, "").key;
  for await (const items of queryPages(db, { table, pk, between: [idsAt(time), "dlv_~"] }, 100))
    yield items.map((item) => z.parse(delivery, item));
}

/** What the account requested comes first, then the others by due time. */
const entryKey = ({ webhook_id, delivery_id, cause, attempts, next_attempt_at }: Delivery): Key => ({
  pk: joined("webhook-waiting", webhook_id),
  sk:
    cause !== "event" && attempts === 0
      ? joined("asked", delivery_id)
      : joined("due", next_attempt_at ?? "", delivery_id),
});

/** The waiting entry of a delivery, if it is waiting. */
export const waitingEntryOf = (waiting: Delivery): readonly Insert[] =>
  waiting.status === "waiting"
    ? [
        insertOf(
          { table, key: entryKey(waiting) },
          { delivery_id: waiting.delivery_id, expires_at: waiting.expires_at },
          { neverFails: true },
        ),
      ]
    : [];

export const insertDelivery = (created: Delivery): readonly [Insert, ...Insert[]] => [
  insertOf(deliveryLookup(created.webhook_id, created.delivery_id), created, { neverFails: true }),
  ...waitingEntryOf(created),
];

/** Stores a waiting delivery after an attempt. Only the holder of the webhook's lease may do so. */
export const saveDelivery = (before: Delivery, after: Delivery): readonly (Insert | Change | Removal)[] => [
  changeDelivery(after),
  ...(after.status === "waiting" && entryKey(after).sk === entryKey(before).sk
    ? []
    : [removeWaitingEntry(entryKey(before)), ...waitingEntryOf(after)]),
];

export const removeWaitingEntry = (key: Key): Removal => removalOf({ table, key });

const changeDelivery = (after: Delivery): Change => ({
  kind: "change",
  ...deliveryLookup(after.webhook_id, after.delivery_id),
  set: {
    status: after.status,
    attempts: after.attempts,
    first_attempt_at: after.first_attempt_at,
    last_attempt_at: after.last_attempt_at,
    next_attempt_at: after.next_attempt_at,
    response_code: after.response_code,
    response_body: after.response_body,
    error: after.error,
  },
  when: [exists],
});

/** Asserts that a delivery is as it was read. Used by repairs. */
export const unchangedDelivery = ({ webhook_id, delivery_id, status, attempts }: Delivery): Change =>
  unchanged(deliveryLookup(webhook_id, delivery_id), { status, attempts });

export const waitingEntry = z.object({ pk: primitive.text, sk: primitive.text, delivery_id: primitive.text });
type WaitingEntry = z.output<typeof waitingEntry>;

/** Which waiting deliveries: those that the account requested, and with them those due by a time, or any. */
type WaitingRange = "requested" | "any" | { readonly dueBy: string };

/** The upper bound of the keys of requested deliveries. */
const lastRequested = "asked#~";

function keysIn(range: WaitingRange): readonly [string, string] {
  if (range === "requested") return ["asked#", lastRequested];
  return ["asked#", range === "any" ? "due#~" : joined("due", range.dueBy, "~")];
}

interface WaitingDeliveries {
  /** First those that the account requested, then retries by their due times. */
  readonly waiting: readonly { readonly kind: "requested" | "retry"; readonly delivery: Delivery }[];
  /**
   * Removals of entries whose deliveries have expired or are unreadable, so that these do not delay the
   * others. Once such a delivery is repaired, `data verify --repair` restores its entry.
   */
  readonly orphans: readonly Removal[];
  /** Whether these are all deliveries in the range. */
  readonly isWholeRange: boolean;
}

/** One query, and a second one if so many are requested that retries would have to wait. */
export async function readWaiting(
  db: Database,
  webhookId: number,
  range: WaitingRange,
  { maxRequested, maxRetries }: { readonly maxRequested: number; readonly maxRetries: number },
): Promise<WaitingDeliveries> {
  const pk = joined("webhook-waiting", webhookId);
  const [start, end] = keysIn(range);
  const limit = maxRequested + maxRetries;
  const read = async (from: string, maxEntries: number): Promise<readonly WaitingEntry[]> =>
    (await queryRange(db, { table, pk, between: [from, end], limit: maxEntries })).map((item) =>
      z.parse(waitingEntry, item),
    );
  const first = await read(start, limit);
  const requested = first.filter(({ sk }) => sk <= lastRequested);
  const hidesRetries = first.length === limit && requested.length > maxRequested && range !== "requested";
  const retries = hidesRetries ? await read("due#", maxRetries) : first.slice(requested.length);
  const entries = [
    ...requested.slice(0, maxRequested).map((entry) => ({ kind: "requested" as const, ...entry })),
    ...retries.slice(0, maxRetries).map((entry) => ({ kind: "retry" as const, ...entry })),
  ];
  const lookupOf = ({ delivery_id }: WaitingEntry) => deliveryLookup(webhookId, delivery_id);
  const find = await getItems(db, entries.map(lookupOf));
  const found = entries.map((entry) => ({ ...entry, delivery: readableDelivery(find, lookupOf(entry)) }));
  const orphans = found.filter((entry) => entry.delivery === undefined);
  return {
    waiting: found.flatMap(({ kind, delivery: one }) => (one === undefined ? [] : [{ kind, delivery: one }])),
    orphans: orphans.map(({ sk }) => removeWaitingEntry({ pk, sk })),
    isWholeRange: first.length < limit && entries.length === first.length,
  };
}

/** The delivery; undefined if it has expired, or can't be read, which is logged. */
function readableDelivery(find: FindItem, lookup: Lookup): Delivery | undefined {
  try {
    return parsed(delivery, find(lookup));
  } catch (error) {
    logger.error("delivery no longer attempted: it can't be read", { error, key: lookup.key });
    return undefined;
  }
}

export async function hasWaiting(db: Database, webhookId: number, range: WaitingRange): Promise<boolean> {
  const pk = joined("webhook-waiting", webhookId);
  return (await queryRange(db, { table, pk, between: keysIn(range), limit: 1 })).length > 0;
}
