/**
 * Compares deliveries that wait with the entries by which the sender finds them. One transaction stores both,
 * but a copy in another region may have half of it, and the sender removes the entries of deliveries that it
 * can't read.
 */
import * as z from "zod/mini";
import { type Key, keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem, parsed, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { delivery } from "../../../../shared/webhooks/delivery.ts";
import {
  deliveryLookup,
  removeWaitingEntry,
  unchangedDelivery,
  waitingEntry,
  waitingEntryOf,
} from "../../../../shared/webhooks/delivery-repository.ts";
import { comparison, type FirstPass } from "../comparator.ts";
import { missing, type Verification } from "../finding.ts";
import { type Inspection, nothingWrong, repairable, type Suspect } from "../inspection.ts";
import { idInPartition } from "../reading.ts";
import type { Scope } from "../scope.ts";

const table = "webhooks";

const entryText = ({ pk, sk }: Key): string => `entry ${pk} ${sk}`;

/**
 * Each waiting delivery has an entry, and no other delivery has one. Deliveries of deleted webhooks expire.
 */
export function deliveriesCheck(verification: Verification, { hasWebhook }: Scope): FirstPass<Suspect> {
  const webhooks = new Set<number>();
  const isVerified = (item: RawItem): boolean => hasWebhook(idInPartition(item));
  const factOf = (by: number, webhookId: number, deliveryId: string, entry: Key) => {
    const title = entryText(entry);
    const inspect = async () =>
      webhooks.has(webhookId) ? inspectEntry(verification, webhookId, deliveryId, entry) : nothingWrong;
    return { sum: title, by, subject: { title, inspect } };
  };
  return comparison({
    ofItems: [
      {
        table,
        kind: "webhook",
        facts: ({ sk }) => {
          webhooks.add(Number(sk));
          return [];
        },
      },
      {
        table,
        kind: "webhook-deliveries",
        isVerified,
        facts: (item: RawItem) => {
          const one = z.parse(delivery, item);
          return waitingEntryOf(one).map(({ item: entry }) =>
            factOf(1, one.webhook_id, one.delivery_id, keyIn(entry)),
          );
        },
      },
      {
        table,
        kind: "webhook-waiting",
        isVerified,
        facts: (item: RawItem) => {
          const { delivery_id, pk, sk } = z.parse(waitingEntry, item);
          return [factOf(-1, idInPartition(item), delivery_id, { pk, sk })];
        },
      },
    ],
  });
}

/** The sender removes the entry of an expired delivery. */
async function inspectEntry(
  { db }: Verification,
  webhookId: number,
  deliveryId: string,
  key: Key,
): Promise<Inspection> {
  const own = parsed(delivery, await getItem(db, deliveryLookup(webhookId, deliveryId)));
  if (own === undefined) return nothingWrong;
  const isThere = (await getItem(db, { table, key })) !== undefined;
  const expected = waitingEntryOf(own).find(({ item }) => entryText(keyIn(item)) === entryText(key));
  const isExpired = own.expires_at * 1000 < Date.now();
  if (isThere === (expected !== undefined) || (!isThere && isExpired)) return nothingWrong;
  const record = `delivery ${deliveryId} of webhook ${webhookId}`;
  const needless = {
    record,
    what: `an entry by which it is sent (${key.sk})`,
    actual: `there, and the delivery is ${own.status}`,
    expected: "not there",
  };
  const fault =
    expected === undefined
      ? repairable(needless, unchangedDelivery(own), removeWaitingEntry(key))
      : repairable(
          missing(record, "the entry by which it is sent", "there, since it waits"),
          unchangedDelivery(own),
          expected,
        );
  return { state: [own.status, own.attempts, isThere], faults: [fault] };
}
