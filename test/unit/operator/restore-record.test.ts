import { beforeEach, describe, expect, test } from "vitest";
import { lookupKinds } from "../../../infra/data-model/lookups.ts";
import { restoreRecord } from "../../../infra/operator/restore-record.ts";
import { aliases } from "../../../shared/catalog/aliases/alias-repository.ts";
import { newSynset as synsetOf } from "../../../shared/catalog/synsets/synset.ts";
import { synsets } from "../../../shared/catalog/synsets/synset-repository.ts";
import { replenishments } from "../../../shared/inbound/inbound-repository.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { erasedCustomer } from "../../../shared/orders/order-transitions.ts";
import { historyPartition } from "../../../shared/orders/storage/order-history-repository.ts";
import { insertOrder, orderLookup, orders } from "../../../shared/orders/storage/order-repository.ts";
import { compressOrder } from "../../../shared/orders/storage/stored-order.ts";
import { feedWrites, readFeedState } from "../../../shared/publishing/feed-state.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem, type Lookup, type RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { keyOf, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { recordKey } from "../../../shared/store/lists/block-list.ts";
import { damage, lose } from "../../support/damages/damage.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, replenishmentOf, sampleAlias, sampleOrder } from "../samples.ts";

let db: Database;
beforeEach(() => {
  ({ db } = faultyStore());
});

/** An empty table with keys as all tables have them: it stands in for the restored one. */
const from = "jobs";

const insert = (table: Lookup["table"], key: Lookup["key"], item: RawItem): Write => ({
  ...{ kind: "insert", table, item: { ...item, ...key } },
});

const order = sampleOrder({ status: "Shipped", items: [] });
const synset = synsetOf(
  { synset: "KIT", items: [{ sku: "TEE", product_id: 1, quantity: 2 }] },
  { account_id: 100, synset_id: 1, at: createdAt },
);

describe("a record is restored whose lookup items survived", () => {
  test.each<[string, number, readonly Write[]]>([
    ["order", order.order_id, insertOrder(order, "data.0")],
    ["synset", synset.synset_id, synsets.insert(synset)],
    ["alias", sampleAlias().alias_id, aliases.insert(sampleAlias())],
    ["replenishment", replenishmentOf().replenishment_id, replenishments.insert(replenishmentOf())],
  ])("a record of the kind %s", async (name, id, writes) => {
    const kind = lookupKinds.find(({ list }) => list.name === name);
    if (kind === undefined) throw new Error(`there are no records of the kind ${name}`);
    const lookup: Lookup = { table: kind.list.table, key: recordKey(kind.list, id) };
    const [record] = writes.filter((write) => write.kind === "insert" && write.item.sk === lookup.key.sk);
    const item: RawItem = record?.kind === "insert" ? record.item : {};
    const { lookups, refersTo } = kind.read(item, new Map());
    const others = [...refersTo.values()].map(({ table, key }) => insert(table, key, {}));
    await transact(db, [...lookups, ...others, insert(from, lookup.key, item)]);

    await restoreRecord(db, name, id, from);

    expect(await getItem(db, lookup)).toEqual({ ...item, ...lookup.key });
    for (const one of lookups)
      expect(await getItem(db, { table: one.table, key: keyOf(one) })).toEqual(one.item);
  });
});

/** Publishes an event of an order as it is now. */
async function published({ order_id, customer, version, account_id }: Order): Promise<void> {
  const before = await readFeedState(db, account_id, [], []);
  const subject = { kind: "order", id: String(order_id) };
  const event = {
    ...{ id: "evt-1", sequence: 1, type: "order.updated", version: "2026-11-22", account_id, subject },
    ...{ by: null, request_id: null, occurred_at: createdAt, previous: null },
    data: { order_id, customer, version },
  };
  const changes = [{ source: event.id, subject, changed_at: createdAt }];
  await transact(db, feedWrites(account_id, before, { events: [event], changes, levels: [] }));
}

test("an order comes back with its customer erased if the feed shows that it was", async () => {
  const { key, table } = orderLookup(order.order_id);
  const customer = erasedCustomer(order.customer, createdAt);
  await published({ ...order, customer });
  await transact(db, [insert(from, key, compressOrder(order, []).packed)]);

  await restoreRecord(db, "order", order.order_id, from);

  expect(orders.parse((await getItem(db, { table, key })) ?? {}).customer).toEqual(customer);
});

test("an order that is there, but can't be read, comes back once the items that the command names are deleted", async () => {
  const lookup = orderLookup(order.order_id);
  const older = { table: lookup.table, key: { pk: historyPartition(order.order_id), sk: "1" } };
  const history = insert(lookup.table, older.key, { changes: [] });
  await transact(db, [...insertOrder(order, "data.0"), history]);
  const copied = (await getItem(db, lookup)) ?? {};
  await transact(db, [insert(from, lookup.key, copied), insert(from, older.key, { changes: [] })]);
  await damage(db, lookup, {}, { content: "torn" });
  const restore = () => restoreRecord(db, "order", order.order_id, from);

  for (const { table, key } of [lookup, older]) {
    await expect(restore()).rejects.toThrow(
      `the item ${key.pk} ${key.sk} of the table ${table}. If data verify`,
    );
    await lose(db, { table, key });
  }
  await restore();

  expect(await getItem(db, lookup)).toEqual(copied);
});
