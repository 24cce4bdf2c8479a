/** Compares deliveries that wait with the entries by which the sender finds them. */
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
import { missing, type Verification } from "../finding.ts";
import { type Check, checkOf, type Inspection, nothingWrong, repairable } from "../inspection.ts";
import { idInPartition } from "../reading.ts";
import type { Scope } from "../scope.ts";
import { settingsReader } from "./webhooks.ts";

const table = "webhooks";

/** A delivery, and an entry that it has or should have. */
interface Entry {
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly entry: Key;
}

const entryText = ({ pk, sk }: Key): string => `entry ${pk} ${sk}`;
const titleOf = ({ entry }: Entry): string => entryText(entry);

/**
 * Each waiting delivery has an entry, and no other delivery has one. Deliveries of deleted webhooks expire.
 */
export function deliveriesCheck(verification: Verification, { hasWebhook }: Scope): Check {
  const webhooks = new Set<number>();
  const isVerified = (item: RawItem): boolean => hasWebhook(idInPartition(item));
  const factOf = (by: number, subject: Entry) => ({ sum: titleOf(subject), by, subject });
  return checkOf<Entry>(verification, {
    ofItems: [
      settingsReader(verification, ({ webhook_id }) => {
        webhooks.add(webhook_id);
        return [];
      }),
      {
        table,
        kind: "webhook-deliveries",
        isVerified,
        facts: (item: RawItem) => {
          const one = z.parse(delivery, item);
          const { webhook_id, delivery_id } = one;
          return waitingEntryOf(one).map((entry) =>
            factOf(1, { webhook_id, delivery_id, entry: keyIn(entry.item) }),
          );
        },
      },
      {
        table,
        kind: "webhook-waiting",
        isVerified,
        facts: (item: RawItem) => {
          const { delivery_id, pk, sk } = z.parse(waitingEntry, item);
          return [factOf(-1, { webhook_id: idInPartition(item), delivery_id, entry: { pk, sk } })];
        },
      },
    ],
    inspect: async (suspect) =>
      webhooks.has(suspect.webhook_id) ? inspectEntry(verification, suspect) : nothingWrong,
    titleOf,
  });
}

/** The sender removes the entry of an expired delivery. */
async function inspectEntry(
  { db }: Verification,
  { webhook_id, delivery_id, entry: key }: Entry,
): Promise<Inspection> {
  const own = parsed(delivery, await getItem(db, deliveryLookup(webhook_id, delivery_id)));
  if (own === undefined) return nothingWrong;
  const isThere = (await getItem(db, { table, key })) !== undefined;
  const expected = waitingEntryOf(own).find(({ item }) => entryText(keyIn(item)) === entryText(key));
  const isExpired = own.expires_at * 1000 < Date.now();
  if (isThere === (expected !== undefined) || (!isThere && isExpired)) return nothingWrong;
  const record = `delivery ${delivery_id} of webhook ${webhook_id}`;
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
