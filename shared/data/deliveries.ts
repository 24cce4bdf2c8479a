/**
 * Deliveries of webhooks. What still has to be sent has an entry beside its delivery, in an order of its own: what the
 * account asked for, then the rest by when it is due. These entries are read consistently, as an index could not be.
 */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import * as plain from "../domain/plain.ts";
import { type Delivery, delivery } from "../domain/webhooks/delivery.ts";
import type { Database } from "../store/database.ts";
import { joined, type Key } from "../store/keys.ts";
import { getItem, getItems, type Lookup, queryOnce } from "../store/reads.ts";
import { type Change, type Insert, type Removal, stale, unchanged } from "../store/writes.ts";
import { parsed } from "./registries.ts";

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
  refusal: stale,
});

/** What notes that a delivery is to be sent, where it waits. */
export const entryOf = (waiting: Delivery): readonly Insert[] =>
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
  ...entryOf(created),
];

/** Stores what became of a delivery that waited. Only who holds the webhook's lease may. */
export const saveDelivery = (before: Delivery, after: Delivery): readonly (Insert | Change | Removal)[] => [
  changeDelivery(after),
  ...(after.status === "waiting" && entryKey(after).sk === entryKey(before).sk
    ? []
    : [entryRemoval(entryKey(before)), ...entryOf(after)]),
];

/** Takes an entry away. */
export const entryRemoval = (key: Key): Removal => ({
  kind: "removal",
  table,
  key,
  when: [],
  refusal: stale,
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
  refusal: stale,
});

/** A premise that a delivery is as it was read: for repairs. */
export const unchangedDelivery = ({ webhook_id, delivery_id, status, attempts }: Delivery): Change =>
  unchanged(deliveryLookup(webhook_id, delivery_id), { status, attempts });

export const waitingEntry = z.object({ pk: plain.text, sk: plain.text, delivery_id: plain.text });

/** What of the waiting deliveries is meant: what was asked for, what is due by a time, or whatever waits. */
export type Waiting = "asked" | { readonly dueBy: string } | "any";

const boundsOf = (waiting: Waiting): readonly [string, string] => {
  if (waiting === "asked") return ["asked#", "asked#~"];
  return waiting === "any" ? ["due#", "due#~"] : ["due#", joined("due", waiting.dueBy, "~")];
};

/**
 * The first of a webhook's waiting deliveries, by when they are due. An entry whose delivery is forgotten is answered by
 * the removal that tidies up after it.
 */
export async function readWaiting(
  db: Database,
  webhookId: number,
  waiting: Waiting,
  limit: number,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly orphans: readonly Removal[] }> {
  const pk = joined("webhook-waiting", webhookId);
  const items = await queryOnce(db, { table, pk, between: boundsOf(waiting), limit });
  const entries = items.map((item) => z.parse(waitingEntry, item));
  const lookupOf = (deliveryId: string) => deliveryLookup(webhookId, deliveryId);
  const find = await getItems(
    db,
    entries.map(({ delivery_id }) => lookupOf(delivery_id)),
  );
  const orphans = entries.filter(({ delivery_id }) => find(lookupOf(delivery_id)) === undefined);
  return {
    deliveries: entries.flatMap(({ delivery_id }) => parsed(delivery, find(lookupOf(delivery_id))) ?? []),
    orphans: orphans.map(({ sk }) => entryRemoval({ pk, sk })),
  };
}

/** Whether a webhook has something to send of what waits: asked for, and by this time due where it is active. */
export async function hasWaiting(
  db: Database,
  webhookId: number,
  dueBy: string | undefined,
): Promise<boolean> {
  const pk = joined("webhook-waiting", webhookId);
  const last = dueBy === undefined ? boundsOf("asked")[1] : boundsOf({ dueBy })[1];
  return (await queryOnce(db, { table, pk, between: ["asked#", last], limit: 1 })).length > 0;
}
