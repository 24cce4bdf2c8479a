/**
 * Deliveries of webhooks. What still has to be sent has an entry beside its delivery, in an order of its own: what the
 * account asked for, then the rest by when it is due. These entries are read consistently, as an index could not be.
 */

import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key } from "../store/dynamodb/keys.ts";
import { getItem, getItems, type Lookup, parsed, queryOnce } from "../store/dynamodb/reads.ts";
import { type Change, type Insert, type Removal, stale, unchanged } from "../store/dynamodb/writes.ts";
import { type Delivery, delivery } from "./delivery.ts";

const table = "webhooks";

export const deliveryLookup = (webhookId: number, deliveryId: string): Lookup => ({
  table,
  key: { pk: joined("webhook-deliveries", webhookId), sk: deliveryId },
});

/** An id that rises with the time, and among those made together with their position. Nobody can guess it. */
export const newDeliveryId = (now: string, position = 0): string =>
  `dlv_${Date.parse(now).toString(36).padStart(9, "0")}${position.toString(36).padStart(2, "0")}${randomBytes(8).toString("hex")}`;

const idPattern = /^dlv_[0-9a-z]{27}$/;

export const isDeliveryId = (text: string): boolean => idPattern.test(text);

export const findDelivery = async (
  db: Database,
  webhookId: number,
  deliveryId: string,
): Promise<Delivery | undefined> =>
  parsed(delivery, await getItem(db, deliveryLookup(webhookId, deliveryId)));

/** A webhook's deliveries from before one of them, the latest first. */
export async function readDeliveries(
  db: Database,
  webhookId: number,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Delivery[]> {
  const { pk } = deliveryLookup(webhookId, "").key;
  const between = ["dlv_", before ?? "dlv_~"] as const;
  const items = await queryOnce(db, { table, pk, between, direction: "desc", limit: limit + 1 });
  const found = items.map((item) => z.parse(delivery, item));
  return found.filter(({ delivery_id }) => delivery_id !== before).slice(0, limit);
}

/** Where it is noted that a delivery is to be sent: at once as the account asks for it, or when it is due. */
const entryKey = ({ webhook_id, delivery_id, cause, attempts, next_attempt_at }: Delivery): Key => ({
  pk: joined("webhook-waiting", webhook_id),
  sk:
    cause !== "event" && attempts === 0
      ? joined("asked", delivery_id)
      : joined("due", next_attempt_at ?? "", delivery_id),
});

const insert = (item: Insert["item"]): Insert => ({
  kind: "insert",
  table,
  item,
  own: true,
  rejection: stale,
});

/** What notes that a delivery is to be sent, where it waits. */
export const waitingEntryOf = (waiting: Delivery): readonly Insert[] =>
  waiting.status === "waiting"
    ? [
        insert({
          ...entryKey(waiting),
          delivery_id: waiting.delivery_id,
          expires_at: waiting.expires_at,
        }),
      ]
    : [];

/** Stores a new delivery. */
export const insertDelivery = (created: Delivery): readonly Insert[] => [
  insert({ ...deliveryLookup(created.webhook_id, created.delivery_id).key, ...created }),
  ...waitingEntryOf(created),
];

/** Stores what became of a delivery that waited. Only who holds the webhook's lease may. */
export const saveDelivery = (before: Delivery, after: Delivery): readonly (Insert | Change | Removal)[] => [
  changeDelivery(after),
  ...(after.status === "waiting" && entryKey(after).sk === entryKey(before).sk
    ? []
    : [removeWaitingEntry(entryKey(before)), ...waitingEntryOf(after)]),
];

/** Takes an entry away. */
export const removeWaitingEntry = (key: Key): Removal => ({
  kind: "removal",
  table,
  key,
  when: [],
  rejection: stale,
});

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
  when: [{ attribute: "pk", is: "present" }],
  rejection: stale,
});

/** A condition that a delivery is as it was read: for repairs. */
export const unchangedDelivery = ({ webhook_id, delivery_id, status, attempts }: Delivery): Change =>
  unchanged(deliveryLookup(webhook_id, delivery_id), { status, attempts });

export const waitingEntry = z.object({ pk: primitive.text, sk: primitive.text, delivery_id: primitive.text });
type WaitingEntry = z.output<typeof waitingEntry>;

/** The last key there may be of what the account asked for, and of what is due by a time, or at any. */
const [lastAsked, lastDue] = ["asked#~", "due#~"];
const lastDueBy = (time: string): string => joined("due", time, "~");

/** Which of the waiting deliveries are wanted: at most so many that the account asked for, and so many that are due. */
interface Wanted {
  readonly asked: number;
  /** Those that failed before; none without. Without `dueBy` they need not be due yet. */
  readonly again?: { readonly most: number; readonly dueBy?: string };
}

/** Waiting deliveries of a webhook. */
export interface WaitingDeliveries {
  readonly asked: readonly Delivery[];
  /** By when they are due. */
  readonly again: readonly Delivery[];
  /** Removals of entries whose deliveries are forgotten: they tidy up. */
  readonly orphans: readonly Removal[];
  /** Whether there are no others of those that were wanted. */
  readonly isAll: boolean;
}

/**
 * The first of a webhook's waiting deliveries, by one query. Where more were asked for than are wanted, another query reads
 * those that are due: they do not wait behind what was asked for.
 */
export async function readWaiting(
  db: Database,
  webhookId: number,
  { asked, again }: Wanted,
): Promise<WaitingDeliveries> {
  const pk = joined("webhook-waiting", webhookId);
  const limit = asked + (again?.most ?? 0);
  const last = again === undefined ? lastAsked : again.dueBy === undefined ? lastDue : lastDueBy(again.dueBy);
  const read = async (from: string, most: number): Promise<readonly WaitingEntry[]> =>
    (await queryOnce(db, { table, pk, between: [from, last], limit: most })).map((item) =>
      z.parse(waitingEntry, item),
    );
  const first = await read("asked#", limit);
  const everyAsked = first.filter(({ sk }) => sk <= lastAsked);
  const readsIndex = first.length === limit && everyAsked.length > asked;
  const due = readsIndex && again ? await read("due#", again.most) : first.slice(everyAsked.length);
  const chosen = { asked: everyAsked.slice(0, asked), again: due.slice(0, again?.most) };
  const all = [...chosen.asked, ...chosen.again];
  const lookupOf = ({ delivery_id }: WaitingEntry) => deliveryLookup(webhookId, delivery_id);
  const find = await getItems(db, all.map(lookupOf));
  const found = (some: readonly WaitingEntry[]) =>
    some.flatMap((entry) => parsed(delivery, find(lookupOf(entry))) ?? []);
  const orphans = all.filter((entry) => find(lookupOf(entry)) === undefined);
  return {
    asked: found(chosen.asked),
    again: found(chosen.again),
    orphans: orphans.map(({ sk }) => removeWaitingEntry({ pk, sk })),
    isAll: first.length < limit && all.length === first.length,
  };
}

/** Whether a webhook has something to send of what waits: asked for, and by this time due where it is active. */
export async function hasWaiting(
  db: Database,
  webhookId: number,
  dueBy: string | undefined,
): Promise<boolean> {
  const pk = joined("webhook-waiting", webhookId);
  const last = dueBy === undefined ? lastAsked : lastDueBy(dueBy);
  return (await queryOnce(db, { table, pk, between: ["asked#", last], limit: 1 })).length > 0;
}
