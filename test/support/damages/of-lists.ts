/** Damage to the counters of lists, as caused by restoring them from an earlier point in time. */
import { expect } from "vitest";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { aliasList } from "../../../shared/catalog/aliases/alias-repository.ts";
import { binContentList, productList } from "../../../shared/catalog/products/product-lists.ts";
import { deploymentOwner, jobList } from "../../../shared/jobs/job-repository.ts";
import { orderList, orderLookup, orders } from "../../../shared/orders/storage/order-repository.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { blockOf, followerBlocks, recordKey } from "../../../shared/store/lists/block-list.ts";
import {
  counterShardKey,
  lastBlockKey,
  shardsPerBlock,
  countersTable as table,
} from "../../../shared/store/lists/counters/counters.ts";
import { headKey, rootKey } from "../../../shared/store/lists/counters/nodes.ts";
import { parseHead } from "../../../shared/store/lists/counters/read-nodes.ts";
import { readList } from "../../../shared/store/lists/read-list.ts";
import { goodsOf } from "../business/stockpile.ts";
import { newProduct, pendingOrder, shelf } from "../business/world.ts";
import { create } from "../records/flows.ts";
import { aliasOf, recountOf, unique } from "../records/records.ts";
import type { Service } from "../runtime/service.ts";
import { type Damage, damage, invent, loseAll, type Site } from "./damage.ts";
import { expectReserved, storeWithMethod } from "./of-stock.ts";

/** Removes a block's node and shards. */
async function forgetBlock({ db, accountId }: Service, list: typeof orderList, block: number): Promise<void> {
  const owner = String(accountId);
  const shards = Array.from({ length: shardsPerBlock }, (_, shard) =>
    counterShardKey(list, owner, block, shard),
  );
  const keys = [rootKey(list, owner, 0, block), ...shards];
  await loseAll(
    db,
    keys.map((key) => ({ table, key })),
  );
}

const noCounter = {
  what: "its counter, without which nothing lists or counts its records",
  actual: "not there",
};

async function newAlias(service: Service): Promise<number> {
  const { sku } = await newProduct(service);
  const alias = unique("ALIAS");
  const { data } = await create(service, createAliases, aliasOf({ sku, alias, channel_id: null }));
  return data[0]?.alias_id ?? 0;
}

/** The shard that counts the only order of an account, and the record that a finding names. */
async function orderShard(service: Service) {
  const store = await storeWithMethod(service);
  const { sku } = await newProduct(store);
  const orderId = await pendingOrder(store, [{ sku, quantity: 1 }]);
  const block = blockOf(orderList, orderId);
  const key = counterShardKey(orderList, String(store.accountId), block, orderId % shardsPerBlock);
  return { key, record: `list order, block ${block} of ${store.accountId}` };
}

/** Each damages its own data. They are prepared first, and then done together. */
export const damagesOfLists: Readonly<Record<string, (site: Site) => Promise<Damage>>> = {
  "a counter that counts too many": async (site) => {
    const { key, record } = await orderShard(site);
    return {
      breaks: () => damage(site.db, { table, key }, { "n:1|1|1|1": 1, revision: 1 }),
      finds: [{ record, what: "counter", actual: 2, expected: 1 }],
    };
  },
  "a shard of a counter that can't be read": async (site) => {
    const { key, record } = await orderShard(site);
    return {
      breaks: () => damage(site.db, { table, key }, {}, { revision: "torn" }),
      leaves: [{ record: "table tallies", what: `the item ${key.pk} ${key.sk}`, actual: "unreadable" }],
      hides: [record],
    };
  },
  "a record with a wrong facet key": async (site) => {
    const store = await storeWithMethod(site);
    const { sku } = await newProduct(store);
    const orderId = await pendingOrder(store, [{ sku, quantity: 1 }]);
    const record = `list order, block ${blockOf(orderList, orderId)} of ${store.accountId}`;
    return {
      breaks: () => damage(site.db, orderLookup(orderId), {}, { cell: "10|1|1|1" }),
      finds: [
        { record, what: "records with a wrong facet key", actual: 1, expected: 0 },
        {
          record,
          what: "counter",
          actual: expect.stringMatching(/^0 in 10\|1\|1\|1, 1 in /),
          expected: expect.stringMatching(/^1 in 10\|1\|1\|1, 0 in /),
        },
      ],
    };
  },
  "a block of orders without a node": async (site) => {
    const store = await storeWithMethod(site);
    const product = await goodsOf(store, 10);
    const { sku } = product;
    const orderId = await pendingOrder(store, [{ sku, quantity: 4 }]);
    const block = blockOf(orderList, orderId);
    return {
      breaks: () => forgetBlock(store, orderList, block),
      finds: [{ record: `list order, block ${block} of ${store.accountId}`, ...noCounter }],
      hides: [`stock of account ${store.accountId}`],
      assess: async () => {
        const page = await readList(orders, site.db, store.accountId, { page: 1, per_page: 10 });
        const next = await pendingOrder(store, [{ sku, quantity: 1 }]);
        expect([page.total, page.records.map(({ order_id }) => order_id)]).toEqual([1, [orderId]]);
        expect(next).toBeGreaterThan(orderId);
        await expectReserved(site, product, 5);
      },
    };
  },
  "a block of bins without records and without a node": async (site) => {
    const store = await storeWithMethod(site);
    const { product_id } = await newProduct(store);
    // The last block of its product block; the product's own is the first.
    const { block = 0 } = followerBlocks(productList, blockOf(productList, product_id)).at(-1) ?? {};
    return {
      breaks: () => forgetBlock(store, binContentList, block),
      finds: [{ record: `list bin-content, block ${block} of ${store.accountId}`, ...noCounter }],
    };
  },
  "a counter of blocks that is behind": async (site) => {
    await newAlias(site);
    return {
      breaks: () => damage(site.db, { table, key: lastBlockKey(aliasList) }, {}, { blocks: 0 }),
      finds: [{ record: "list alias", what: "the last block that was leased, by its counter", actual: 0 }],
    };
  },
  "an account whose next id is already used": async (site) => {
    const store = await storeWithMethod(site);
    const aliasId = await newAlias(store);
    const key = headKey(aliasList, String(store.accountId));
    return {
      breaks: () => damage(site.db, { table, key }, {}, { next: 0 }),
      finds: [
        {
          record: `list alias of ${store.accountId}`,
          what: "its next id",
          expected: `${aliasId + 1} or more`,
        },
      ],
    };
  },
  "an account whose next id can't be read": async (site) => {
    const store = await storeWithMethod(site);
    await newAlias(store);
    const key = headKey(aliasList, String(store.accountId));
    return {
      breaks: () => damage(site.db, { table, key }, {}, { next: "torn" }),
      leaves: [{ record: "table tallies", what: `the item ${key.pk} ${key.sk}`, actual: "unreadable" }],
      hides: [`list alias of ${store.accountId}`],
    };
  },
  "jobs whose next id is already used": async (site) => {
    const { sku } = site.goods();
    await site.wms.post(
      "/recount",
      recountOf(sku, [{ ...shelf, qty_in_bin: 2 }], { account_id: site.accountId }),
    );
    return {
      breaks: () => damage(site.db, { table, key: headKey(jobList, deploymentOwner) }, {}, { next: 0 }),
      finds: [{ record: "list job of *", what: "its next id", expected: expect.stringMatching(/ or more$/) }],
    };
  },
  "a job in a block of ids far beyond those that were leased": async (site) => {
    const last = parseHead(await getItem(site.db, { table, key: headKey(jobList, deploymentOwner) }));
    const block = (last?.block ?? 0) + 50;
    const id = block * jobList.blockSize;
    return {
      breaks: () => invent(site.db, { table: jobList.table, key: recordKey(jobList, id) }, {}),
      finds: [
        {
          record: "list job",
          what: "the last block that was leased, by its counter",
          expected: `${block} or more`,
        },
        { record: "list job of *", what: "its next id", expected: `${id + 1} or more` },
      ],
    };
  },
};
