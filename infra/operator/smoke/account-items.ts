/** Finds all items that belong to a smoke test's account. */

import * as z from "zod/mini";
import { userLookup } from "../../../shared/accounts/account-repository.ts";
import { credentialsLookup } from "../../../shared/accounts/credential-repository.ts";
import { bucketLookup } from "../../../shared/accounts/request-limit-repository.ts";
import { attemptsLookup } from "../../../shared/accounts/sign-in-attempts.ts";
import { binContentList, productList } from "../../../shared/catalog/products/product-lists.ts";
import {
  batchesFrom,
  feedBatch,
  feedHeadLookup,
  subjectPartition,
} from "../../../shared/events/feed-repository.ts";
import { jobLookup } from "../../../shared/jobs/job-repository.ts";
import { historyPartition } from "../../../shared/orders/storage/order-history-repository.ts";
import { orderList } from "../../../shared/orders/storage/order-repository.ts";
import { pickedCountKey } from "../../../shared/orders/storage/picked-orders.ts";
import { publishedLevelLookup } from "../../../shared/publishing/feed-state.ts";
import {
  binLookup,
  distributionCenterLookup,
  listedBinLookup,
  locationLookup,
  shippingMethods,
} from "../../../shared/registries/registry-repository.ts";
import { pendingCorrections } from "../../../shared/stock/bins/bin-repository.ts";
import { movementPartition } from "../../../shared/stock/movements/movement-repository.ts";
import { weeksOf } from "../../../shared/stock/movements/read-movements.ts";
import { levelsIn, stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined, keyIn } from "../../../shared/store/dynamodb/keys.ts";
import { type Lookup, queryRange, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { blockItems } from "../../../shared/store/lists/block-list.ts";
import { countersTable, ownerPartition } from "../../../shared/store/lists/counters/counters.ts";
import { readRoots } from "../../../shared/store/lists/counters/read-nodes.ts";
import { isListedRecord } from "../../../shared/store/lists/facets.ts";
import type { RecordList } from "../../../shared/store/lists/repository.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { secretLookup } from "../../../shared/webhooks/secret-repository.ts";
import type { Webhook } from "../../../shared/webhooks/webhook.ts";
import {
  countLookup,
  webhookLookup,
  webhookProgressLookup,
  webhooksOf,
} from "../../../shared/webhooks/webhook-repository.ts";
import { lists } from "../../data-model/lists.ts";
import { type Centers, lookupKinds, readCenters } from "../../data-model/lookups.ts";
import { namesOf } from "./test-account.ts";

/**
 * The keys of all items that the account may have. Items that are needed to find others come after them:
 * records after the items that depend on them, counters after the records. So an interrupted removal can be
 * repeated.
 */
export async function itemsOfAccount(db: Database, accountId: number): Promise<readonly Lookup[]> {
  const centers = await readCenters(db);
  const records: Lookup[] = [];
  const counters: Lookup[] = [];
  const dependents: Lookup[] = [];
  for (const listed of lists.values()) {
    for (const item of await recordsOf(db, listed, accountId)) {
      records.push({ table: listed.list.table, key: keyIn(item) });
      dependents.push(...(await dependentsOf(db, listed, item, centers)));
    }
    counters.push(...(await partition(db, countersTable, ownerPartition(listed.list, String(accountId)))));
  }
  return [
    ...(await webhookItems(db, accountId)),
    ...dependents,
    ...records,
    ...counters,
    ...(await feedItems(db, accountId)),
    ...registryItems(accountId),
  ];
}

const partition = async (db: Database, table: TableName, pk: string): Promise<readonly Lookup[]> =>
  (await queryRange(db, { table, pk })).map((item) => ({ table, key: keyIn(item) }));

/** All items in the account's blocks of ids. A block belongs to one account. */
async function recordsOf(db: Database, { list }: RecordList, accountId: number): Promise<readonly RawItem[]> {
  const { nodes } = await readRoots({ db, list, owner: String(accountId) });
  const blocks = await Promise.all(nodes.map(({ first }) => queryRange(db, blockItems(list, first))));
  return blocks.flat();
}

/** The items that can only be found through a record. */
async function dependentsOf(
  db: Database,
  { list }: RecordList,
  item: RawItem,
  centers: Centers,
): Promise<readonly Lookup[]> {
  if (!isListedRecord(item) && list !== binContentList) return [];
  const kind = lookupKinds.find((one) => one.list === list);
  const lookups = kind === undefined ? [] : kind.read(item, centers).lookups;
  const found = lookups.map(({ table, item: { pk, sk } }): Lookup => ({ table, key: { pk, sk } }));
  const id = Number(item["sk"]);
  if (list === orderList) return [...found, ...(await orderItems(db, id))];
  if (list === productList) return [...found, ...(await productItems(db, id))];
  if (list === binContentList) return pendingCorrections(item).map(({ job_id }) => jobLookup(job_id));
  return found;
}

/** The count of picked orders is kept per block, so it includes no other account's orders. */
const orderItems = async (db: Database, orderId: number): Promise<readonly Lookup[]> => [
  ...(await partition(db, orderList.table, historyPartition(orderId))),
  { table: orderList.table, key: pickedCountKey(orderId) },
];

async function productItems(db: Database, productId: number): Promise<readonly Lookup[]> {
  const stock = await stockItemsOf(db, productId);
  const movements = await Promise.all(
    weeksOf(stock).map(([week]) => partition(db, productList.table, movementPartition(productId, week))),
  );
  return [...movements.flat(), ...levelsIn(stock).map(publishedLevelLookup)];
}

async function webhookItems(db: Database, accountId: number): Promise<readonly Lookup[]> {
  const webhooks = await webhooksOf(db, accountId);
  const items = await Promise.all(webhooks.map((webhook) => itemsOfWebhook(db, webhook)));
  return [...items.flat(), countLookup(accountId)];
}

const itemsOfWebhook = async (
  db: Database,
  { account_id, webhook_id, secrets }: Webhook,
): Promise<readonly Lookup[]> => [
  ...(await partition(db, "webhooks", joined("webhook-deliveries", webhook_id))),
  ...(await partition(db, "webhooks", joined("webhook-waiting", webhook_id))),
  ...secrets.map(({ version }) => secretLookup(webhook_id, version)),
  webhookProgressLookup(webhook_id),
  webhookLookup(account_id, webhook_id),
];

/** The events, and the index of events by record. */
async function feedItems(db: Database, accountId: number): Promise<readonly Lookup[]> {
  const feed = batchesFrom(accountId, 0);
  const batches = await queryRange(db, feed);
  const events = batches.flatMap((item) => z.parse(feedBatch, item));
  const subjects = new Set(events.map(({ subject: { kind, id } }) => subjectPartition(accountId, kind, id)));
  const entries = await Promise.all([...subjects].map((pk) => partition(db, feed.table, pk)));
  return [
    ...entries.flat(),
    ...batches.map((item) => ({ table: feed.table, key: keyIn(item) })),
    feedHeadLookup(accountId),
  ];
}

function registryItems(accountId: number): readonly Lookup[] {
  const { user, distributionCenter, location, bin, shippingMethod } = namesOf(accountId);
  return [
    listedBinLookup(location, bin),
    binLookup(location, bin),
    locationLookup(location),
    distributionCenterLookup(distributionCenter),
    credentialsLookup(user),
    userLookup(user),
    attemptsLookup(user),
    shippingMethods.lookup(accountId, shippingMethod),
    bucketLookup(accountId),
  ];
}
