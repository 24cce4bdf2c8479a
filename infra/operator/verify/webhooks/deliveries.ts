/** Holds deliveries that wait against the entries by which the sender finds them. */

import * as z from "zod/mini";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { type Delivery, delivery } from "../../../../shared/webhooks/delivery.ts";
import {
  deliveryLookup,
  removeWaitingEntry,
  unchangedDelivery,
  waitingEntry,
  waitingEntryOf,
} from "../../../../shared/webhooks/delivery-repository.ts";
import type { Verification } from "../finding.ts";
import { type Inspection, inspectTwice, nothingWrong, repairable } from "../inspection.ts";
import { webhookIdIn } from "./webhook-books.ts";
import type { StoredWebhooks } from "./webhook-items.ts";

const table = "webhooks";

/** Verifies that what waits is found, and nothing else. Deliveries of webhooks that are gone are forgotten in time. */
export async function verifyDeliveries(
  verification: Verification,
  { settings, waiting, entries }: StoredWebhooks,
): Promise<void> {
  const found = new Set(entries.map(placeOf));
  const owned = waiting.filter(({ webhook_id }) => settings.has(webhook_id));
  const expected = new Set(owned.flatMap(waitingEntryOf).map(({ item }) => placeOf(item)));
  const lost = owned.filter((one) => waitingEntryOf(one).some(({ item }) => !found.has(placeOf(item))));
  const lacking = entries.filter((key) => settings.has(webhookIdIn(key)) && !expected.has(placeOf(key)));
  await inspectTwice(verification, lost, (one) => readDelivery(verification, one), titleOf);
  await inspectTwice(
    verification,
    lacking,
    (key) => readEntry(verification, key),
    ({ pk, sk }) => `entry ${pk} ${sk}`,
  );
}

const placeOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const titleOf = ({ webhook_id, delivery_id }: Delivery): string =>
  `delivery ${delivery_id} of webhook ${webhook_id}`;

async function readDelivery({ db }: Verification, suspect: Delivery): Promise<Inspection> {
  const { webhook_id, delivery_id } = suspect;
  const item = await getItem(db, deliveryLookup(webhook_id, delivery_id));
  const own = item === undefined ? undefined : z.parse(delivery, item);
  const [entry] = own === undefined ? [] : waitingEntryOf(own);
  if (own === undefined || entry === undefined || own.expires_at * 1000 < Date.now()) return nothingWrong;
  const { pk, sk } = entry.item;
  if ((await getItem(db, { table, key: { pk, sk } })) !== undefined) return nothingWrong;
  const difference = {
    record: titleOf(own),
    what: "the entry by which it is sent",
    actual: "not there",
    expected: "there, since it waits",
  };
  return { state: [own.attempts, sk], faults: [repairable(difference, unchangedDelivery(own), entry)] };
}

/** An entry of a delivery that is forgotten is for the sender to tidy up. */
async function readEntry({ db }: Verification, key: Key): Promise<Inspection> {
  const item = await getItem(db, { table, key });
  if (item === undefined) return nothingWrong;
  const { delivery_id } = z.parse(waitingEntry, item);
  const found = await getItem(db, deliveryLookup(webhookIdIn(key), delivery_id));
  if (found === undefined) return nothingWrong;
  const own = z.parse(delivery, found);
  if (waitingEntryOf(own).some((entry) => placeOf(entry.item) === placeOf(key))) return nothingWrong;
  const difference = {
    record: titleOf(own),
    what: `an entry by which it is sent (${key.sk})`,
    actual: `there, and the delivery is ${own.status}`,
    expected: "not there",
  };
  return {
    state: [own.status, own.attempts],
    faults: [repairable(difference, unchangedDelivery(own), removeWaitingEntry(key))],
  };
}
