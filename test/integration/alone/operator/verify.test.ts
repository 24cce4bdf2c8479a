import { beforeAll, describe, expect, test, vi } from "vitest";
import { endpoint as createAliases } from "../../../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as createSynsets } from "../../../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as createSerials } from "../../../../functions/oms/serials/create-serials.ts";
import { endpoint as giveAttributes } from "../../../../functions/oms/serials/set-serial-attributes.ts";
import {
  type Finding,
  type ReadPage,
  type Verification,
  verify,
} from "../../../../infra/operator/verify/index.ts";
import { productLookup } from "../../../../shared/catalog/products/product-repository.ts";
import { placed } from "../../../../shared/common/placed.ts";
import { cancelOrders } from "../../../../shared/orders/change-orders.ts";
import { orderList, orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { serialLookup } from "../../../../shared/serials/serial-repository.ts";
import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import { stockLookup } from "../../../../shared/stock/stock-repository.ts";
import { getItem, type Lookup, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { withBudget } from "../../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { blockOf } from "../../../../shared/store/lists/block-list.ts";
import { countersTable } from "../../../../shared/store/lists/counters/counters.ts";
import { childKey, rootKey } from "../../../../shared/store/lists/counters/nodes.ts";
import { rollUpProgressKey } from "../../../../shared/store/lists/counters/roll-up-progress.ts";
import { type TableName, tableNames } from "../../../../shared/store/tables.ts";
import {
  idsLookup,
  restartSending,
  webhookLookup,
  webhookProgressLookup,
} from "../../../../shared/webhooks/webhook-repository.ts";
import { goodsOf } from "../../../support/business/stockpile.ts";
import {
  announceReplenishment,
  announceReturn,
  claimedOrder,
  countStock,
  newProducts,
  pendingOrder,
  pickedOrder,
  pickFrom,
  pickItems,
  shippedOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { type Damage, damage, invent, lose, loseAll, siteOf } from "../../../support/damages/damage.ts";
import { damagesOfFinding } from "../../../support/damages/of-finding.ts";
import { damagesOfLists } from "../../../support/damages/of-lists.ts";
import { damagesOfStock, movementOf, storeWithMethod } from "../../../support/damages/of-stock.ts";
import { damagesOfWebhooks } from "../../../support/damages/of-webhooks.ts";
import { damagesOfWork } from "../../../support/damages/of-work.ts";
import { operations } from "../../../support/http/random.ts";
import { contextOf, create } from "../../../support/records/flows.ts";
import { aliasOf, synsetOf, unique } from "../../../support/records/records.ts";
import { dyingAfter, troubledDatabase } from "../../../support/records/troubled.ts";
import { newWebhook } from "../../../support/records/webhooks.ts";
import { hurried } from "../../../support/runtime/hurried.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import type { Service } from "../../../support/runtime/service.ts";
import { resumeAll } from "../../../support/store/sagas.ts";
import { itemsOf } from "../../../support/store/scan.ts";

const service = await ownService({ paused: true });

async function found(more: Partial<Verification> = {}): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  await verify({
    db: service.db,
    accountId: undefined,
    report,
    settleMs: 0,
    retryBudgetMs: 2_000,
    segments: 1,
    ...more,
  });
  return findings;
}

/** Runs a repair that gives up early on records with conflicts. */
const impatientRepair = (db: Verification["db"]) =>
  withBudget(() => found({ db, repairer: "operator", retryBudgetMs: 0 }), 500);

const stockOf = (productId: number) => stockLookup(productId, 1);

const stockLevel = (productId: number) => getItem(service.db, stockOf(productId));

/** A product in two bins, with an order in each status, a replenishment and a return. */
async function busyProduct() {
  const product = await stockedProduct(service, { "A1/01": 20, "A1/03": 30 });
  const lines = (quantity: number) => [{ sku: product.sku, quantity }];
  await pendingOrder(service, lines(2));
  const claimed = await claimedOrder(service, lines(3));
  await pickItems(service, claimed, pickFrom(product.sku, 1));
  await pickedOrder(service, lines(4));
  const { order_id } = await shippedOrder(service, lines(5));
  await announceReturn(service, order_id, lines(1));
  await announceReplenishment(service, lines(7), { reference: unique("PO") });
  return product;
}

/** A product with a picked serial and a free one, which both have attributes. */
async function serialProduct() {
  const product = await goodsOf(service, 2);
  const { sku } = product;
  await create(service, createSerials, { sku, serials: ["S-1", "S-2"] });
  const range = { sku, serial_start: "S-1", serial_end: "S-2" };
  await create(service, giveAttributes, { ...range, attributes: [{ attribute: "color", value: "red" }] });
  const orderId = await claimedOrder(service, [{ sku, quantity: 1 }]);
  await pickItems(service, orderId, { ...pickFrom(sku, 1), serials: ["S-1"] });
  return { ...product, orderId };
}

/** Counts the items that are read of each table. */
function countOfItems() {
  const read = new Map<TableName, number>();
  const onRead = ({ table, items }: ReadPage) => void read.set(table, (read.get(table) ?? 0) + items);
  return { read, onRead };
}

describe("a verification", () => {
  test("finds nothing wrong with demo data and with goods and orders in every state, and reads each table once", async () => {
    const product = await busyProduct();
    await create(service, createAliases, aliasOf({ sku: product.sku }));
    await create(service, createSynsets, synsetOf([{ sku: product.sku, quantity: 2 }]));
    await serialProduct();

    const { read, onRead } = countOfItems();
    const findings = await found({ onRead });
    const tables = tableNames;
    const stored = await Promise.all(
      tables.map(async (table) => [table, (await itemsOf(service.db, table)).length] as const),
    );

    expect(findings).toEqual([]);
    expect(Object.fromEntries(read)).toEqual(Object.fromEntries(stored));
  });
});

test("a verification reports items that the release does not know, and repairs nothing while there are any", async () => {
  const { db } = service;
  const { product_id } = await serialProduct();
  const { table, key } = serialLookup(product_id, "S-1");
  // Where serials lay before release 1.0.0.
  const lost = { table: "inventory", key } as const;
  const later = { table: "identity", key: { pk: "account#9", sk: "-" } } as const;
  await invent(db, lost, (await getItem(db, { table, key })) ?? {});
  await invent(db, later, { layout: 7 });
  await damage(db, stockOf(product_id), { reserved: 5 });

  const findings = await found();
  const repaired = await found({ repairer: "operator" });
  await loseAll(db, [lost, later]);
  const after = await found({ repairer: "operator" });

  const unknown = [
    {
      kind: "unknown",
      what: "kind",
      table: "inventory",
      begins: "serial",
      layout: "1",
      count: 1,
      example: key,
    },
    {
      kind: "unknown",
      what: "layout",
      table: "identity",
      begins: "account",
      layout: "7",
      count: 1,
      example: later.key,
    },
  ];
  expect(findings).toHaveLength(3);
  expect(findings).toEqual(expect.arrayContaining(unknown));
  expect(repaired).toEqual(unknown);
  expect(after).toEqual([expect.objectContaining({ what: "reserved", state: "repaired" })]);
});

test("a verification continues with all other records if some have a layout that the release can't read", async () => {
  const { db } = service;
  const [hidden, seen] = [await serialProduct(), await serialProduct()];
  const orderId = await pendingOrder(service, [{ sku: (await goodsOf(service, 1)).sku, quantity: 1 }]);
  const lookups = [orderLookup(orderId), productLookup(hidden.product_id)];
  for (const lookup of lookups) await damage(db, lookup, {}, { layout: 7 });
  await damage(db, stockOf(seen.product_id), { reserved: 5 });

  const findings = await found();
  for (const lookup of lookups) await damage(db, lookup, {}, { layout: 1 });
  const after = await found({ repairer: "operator" });

  const named = findings.filter((finding) => finding.kind === "unknown").map(({ begins }) => begins);
  expect(named.toSorted()).toEqual(["order", "product"]);
  expect(after).toEqual([expect.objectContaining({ what: "reserved", state: "repaired" })]);
});

test("a verification reports a product as busy if its orders change between reads", async () => {
  const { sku, product_id } = await goodsOf(service, 10);
  await damage(service.db, stockOf(product_id), { reserved: 5 });
  const troubled = troubledDatabase(service);
  // The claims are read by the index of facet keys: each time, an order was stored just before.
  const before = () => pendingOrder(service, [{ sku, quantity: 1 }]);
  troubled.add({ before }, { command: "Query", text: "order#", times: 1000 });

  const findings = await found({ db: troubled.db, retryBudgetMs: 0 });
  const repaired = await found({ repairer: "operator" });

  const ofStock = findings.filter(
    (finding) => finding.kind !== "unknown" && finding.record.includes(`product ${product_id} `),
  );
  expect(troubled.hits).toBeGreaterThan(0);
  expect(ofStock).toEqual([
    { kind: "inconclusive", record: `stock of product ${product_id} (${sku})`, why: "busy" },
  ]);
  expect(repaired).toContainEqual(expect.objectContaining({ what: "reserved", state: "repaired" }));
});

test("a repair counts the claims of records whose wrong facet keys it can't correct", async () => {
  const { sku, product_id } = await goodsOf(service, 10);
  const orderId = await pendingOrder(service, [{ sku, quantity: 4 }]);
  const lookup = orderLookup(orderId);
  await damage(service.db, lookup, {}, { cell: "10|1|1|1" });
  await damage(service.db, stockOf(product_id), { reserved: 5 });
  const troubled = troubledDatabase(service);
  troubled.add("conflict", { text: `"${lookup.key.sk}"`, times: 1_000_000 });

  const findings = await impatientRepair(troubled.db);
  const level = await stockLevel(product_id);
  await found({ repairer: "operator" });

  expect(troubled.hits).toBeGreaterThan(0);
  expect(findings).toContainEqual(
    expect.objectContaining({ record: expect.stringMatching(/^list order/), why: "busy" }),
  );
  expect(level).toMatchObject({ reserved: 4 });
});

test("a repair reports the records that it moved even if it can't correct their counts", async () => {
  const store = await storeWithMethod(service);
  const orderId = await pendingOrder(store, [{ sku: (await goodsOf(store, 1)).sku, quantity: 1 }]);
  await damage(service.db, orderLookup(orderId), {}, { cell: "10|1|1|1" });
  const troubled = troubledDatabase(service);
  const { sk } = rollUpProgressKey(orderList, String(store.accountId));
  troubled.add("conflict", { text: `"${sk}"`, times: 1_000_000 });

  const findings = await impatientRepair(troubled.db);
  await found({ repairer: "operator" });

  const record = `list order, block ${blockOf(orderList, orderId)} of ${store.accountId}`;
  expect(troubled.hits).toBeGreaterThan(0);
  expect(findings).toContainEqual(expect.objectContaining({ record, actual: 1, state: "repaired" }));
  expect(findings).toContainEqual({ kind: "inconclusive", record, why: "busy" });
});

test("a verification reports a counter of webhook ids that is behind the id of an unreadable webhook", async () => {
  const { webhook_id } = await newWebhook(service);
  const webhook = webhookLookup(service.accountId, webhook_id);
  const stored = (await getItem(service.db, webhook)) ?? {};
  await damage(service.db, idsLookup, { webhooks: -1 });
  await damage(service.db, webhook, {}, { secrets: "torn" });

  const findings = await found();
  await invent(service.db, webhook, stored);
  await damage(service.db, idsLookup, { webhooks: 1 });

  const expected = `${webhook_id} or more`;
  expect(findings).toContainEqual(expect.objectContaining({ record: "ids of webhooks", expected }));
});

test("a repair does not overwrite the position of a webhook whose account restarts the sending meanwhile", async () => {
  const { db } = service;
  const store = await storeWithMethod(service);
  const { webhook_id } = await newWebhook(store);
  const progress = webhookProgressLookup(webhook_id);
  await damage(db, progress, { cursor: 7 });
  const troubled = troubledDatabase(service);
  const at = "2026-01-01T00:00:00.000Z";
  troubled.add(
    { before: () => transact(db, [restartSending(webhook_id, at, 0)]) },
    { text: progress.key.pk },
  );

  const findings = await found({ db: troubled.db, repairer: "operator" });

  expect(troubled.hits).toBe(1);
  expect(findings).toEqual([]);
  expect(await getItem(db, progress)).toMatchObject({ cursor: 0, begun_at: at });
});

test("a repair that conflicts with writers until the end is reported as busy, and the others succeed", async () => {
  const { sku, product_id } = await goodsOf(service, 10);
  const other = await goodsOf(service, 10);
  for (const id of [product_id, other.product_id]) await damage(service.db, stockOf(id), { reserved: 5 });
  const troubled = troubledDatabase(service);
  const { sk } = stockOf(product_id).key;
  troubled.add("conflict", { text: `"${sk}"`, times: 1_000_000 });

  const findings = await impatientRepair(troubled.db);
  const level = await stockLevel(product_id);
  await found({ repairer: "operator" });

  expect(troubled.hits).toBeGreaterThan(0);
  expect(level).toMatchObject({ reserved: 5 });
  expect(findings).toEqual([
    expect.objectContaining({ record: expect.stringContaining(`(${other.sku})`), state: "repaired" }),
    expect.objectContaining({ record: `stock of product ${product_id} (${sku})`, why: "busy" }),
  ]);
});

test("a verification reports a serial as busy while a saga has its order locked", async () => {
  const { sku, product_id } = await goodsOf(service, 2);
  await create(service, createSerials, { sku, serials: ["S-1"] });
  const orderId = await claimedOrder(service, [{ sku, quantity: 1 }]);
  const lookup = serialLookup(product_id, "S-1");
  await damage(service.db, lookup, {}, { picked_for: orderId });
  await damage(service.db, orderLookup(orderId), {}, { underway: "steps#gone" });

  const findings = await found({ repairer: "operator", retryBudgetMs: 0 });
  const left = await getItem(service.db, lookup);
  await lose(service.db, lookup);
  const { underway, ...order } = (await getItem(service.db, orderLookup(orderId))) ?? {};
  await invent(service.db, orderLookup(orderId), order);

  expect(underway).toBe("steps#gone");
  expect(findings).toContainEqual({
    kind: "inconclusive",
    record: `serial S-1 of product ${product_id}`,
    why: "busy",
  });
  expect(left).toMatchObject({ picked_for: orderId });
});

test("a repair discards what is left of a lost order and a lost bin only once their loss is accepted", async () => {
  const { sku, product_id } = await goodsOf(service, 41);
  const number = unique("GONE");
  const orderId = await pendingOrder(service, [{ sku, quantity: 4 }], { order_number: number });
  const bin = binContentLookup(product_id, "A1", "03");
  await loseAll(service.db, [orderLookup(orderId), bin]);
  const stock = `stock of product ${product_id} (${sku}) in MAIN`;
  const entry = `entry order-number 100 ${number}`;

  const kept = await found({ repairer: "operator" });
  const level = await stockLevel(product_id);
  const accepted = await found({ repairer: "operator", accepted: new Set([stock, entry]) });
  const after = await found();
  await damage(service.db, stockOf(product_id), { incoming: 1 });
  const later = await found();
  await damage(service.db, stockOf(product_id), { incoming: -1 });

  const left = kept.filter((one) => one.kind === "difference" && one.state === "by_hand");
  expect(level).toMatchObject({ on_hand: 41, reserved: 4 });
  expect(left).toContainEqual(
    expect.objectContaining({
      record: entry,
      next: `restore order ${orderId} from a backup`,
      isAcceptable: true,
    }),
  );
  expect(left).toContainEqual(
    expect.objectContaining({ record: stock, what: "on_hand", isAcceptable: true }),
  );
  expect(accepted).toContainEqual(expect.objectContaining({ record: entry, state: "repaired" }));
  expect(accepted).toContainEqual(
    expect.objectContaining({ record: stock, what: "reserved", state: "repaired" }),
  );
  expect(after).toEqual([]);
  expect(later).toMatchObject([{ record: stock, what: "incoming" }]);
  expect(await stockLevel(product_id)).toMatchObject({ on_hand: 0, reserved: 0 });
});

test("a verification reads orders and serials a second time if a serial looks wrong, and goods only once", async () => {
  const { product_id, orderId } = await serialProduct();
  await damage(service.db, serialLookup(product_id, "S-2"), {}, { picked_for: orderId });
  const { read, onRead } = countOfItems();

  const findings = await found({ onRead, repairer: "operator" });
  const sizeOf = async (table: TableName) => (await itemsOf(service.db, table)).length;
  const left = await getItem(service.db, serialLookup(product_id, "S-2"));

  expect(findings).toEqual([
    expect.objectContaining({ record: `serial S-2 of product ${product_id}`, state: "repaired" }),
  ]);
  expect(left).not.toHaveProperty("picked_for");
  expect(read.get("inventory")).toBe(await sizeOf("inventory"));
  expect(read.get("orders")).toBe(2 * (await sizeOf("orders")));
  expect(read.get("directory")).toBe(2 * (await sizeOf("directory")));
});

test("a verification waits until movements are visible before it judges a product", async () => {
  const { product_id } = await goodsOf(service, 10);
  const lookup = await movementOf(service, product_id);
  const fields = (await getItem(service.db, lookup)) ?? {};
  await lose(service.db, lookup);
  const troubled = troubledDatabase(service);
  // The stock of one product is read by its id only in the second read. The movement becomes visible while
  // the verification waits after it.
  const before = async () => undefined;
  troubled.add({ before }, { command: "Query", text: String(product_id).padStart(12, "0") });
  const waitAfterSecondRead = async () => {
    if (troubled.hits > 0) await invent(service.db, lookup, fields);
  };

  const findings = await hurried(() => found({ db: troubled.db }), waitAfterSecondRead);

  expect(troubled.hits).toBe(1);
  expect(findings).toEqual([]);
});

test("a verification of one account reads the tables once, regardless of the serials of other accounts", async () => {
  const store = await storeWithMethod(service);
  for (const owner of [service, store]) {
    const { sku } = await goodsOf(owner, 1);
    await create(owner, createSerials, { sku, serials: ["S-1"] });
    const orderId = await claimedOrder(owner, [{ sku, quantity: 1 }]);
    await pickItems(owner, orderId, { ...pickFrom(sku, 1), serials: ["S-1"] });
  }
  let read = 0;
  const onRead = ({ table, items }: ReadPage) => {
    if (table === "orders") read += items;
  };

  const findings = await found({ accountId: store.accountId, onRead });

  expect(findings).toEqual([]);
  expect(read).toBe((await itemsOf(service.db, "orders")).length);
});

test("a verification of one account tells whose blocks are, and names no counters of other accounts", async () => {
  const [own, another] = [await storeWithMethod(service), await storeWithMethod(service)];
  const blocks: number[] = [];
  for (const owner of [own, another]) {
    const { sku } = await goodsOf(owner, 1);
    blocks.push(blockOf(orderList, await pendingOrder(owner, [{ sku, quantity: 1 }])));
  }
  const [block = 0, other = 0] = blocks;
  const nodeOf = (store: Service, first: number, level = 0): Lookup => ({
    table: countersTable,
    key: rootKey(orderList, String(store.accountId), level, first),
  });
  const [ownNode, otherNode, taken] = [nodeOf(own, block), nodeOf(another, other), nodeOf(another, block)];
  const below: Lookup = { table: countersTable, key: childKey(orderList, { level: 1, first: other }, other) };
  const itemOf = async ({ key }: Lookup) => (await getItem(service.db, { table: countersTable, key })) ?? {};
  const [stored, otherStored] = [await itemOf(ownNode), await itemOf(otherNode)];
  const put = ({ table, key }: Lookup, item: RawItem) =>
    invent(service.db, { table, key }, { ...item, ...key });

  await put(below, otherStored);
  await put(nodeOf(another, other, 1), otherStored);
  await lose(service.db, otherNode);
  const undamaged = await found({ accountId: own.accountId, repairer: "operator" });
  await put(taken, stored);
  await lose(service.db, ownNode);
  const findings = await found({ accountId: own.accountId, repairer: "operator" });
  const node = await getItem(service.db, ownNode);
  await put(ownNode, stored);
  await lose(service.db, taken);

  expect(undamaged).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({ record: `list order, block ${block}`, state: "by_hand" }),
  );
  expect(findings.filter((one) => one.kind === "difference" && one.state === "repaired")).toEqual([]);
  expect(node).toBeUndefined();
});

test("a verification reports no difference while a saga stores a large order", async () => {
  const products = await newProducts(service, 60);
  const lines = products.map(({ sku }) => ({ sku, quantity: 1 }));
  const findings: Finding[] = [];

  for (const writes of [1, 2, 3]) {
    const dying = { ...service, db: dyingAfter(service, writes) };
    await pendingOrder(dying, lines).catch(() => undefined);
    findings.push(...(await found({ retryBudgetMs: 0 })));
    await resumeAll(service.db);
  }
  const after = await found();

  expect(findings.length).toBeGreaterThan(0);
  expect(findings.filter(({ kind }) => kind === "difference")).toEqual([]);
  expect(after).toEqual([]);
});

test("a verification reports no difference while clients order, pick, count and cancel", async () => {
  const { sku } = await goodsOf(service, 1000);
  let [calls, isOver] = [0, false];
  const client = async (isCounting: boolean): Promise<void> => {
    while (!isOver) {
      const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
      if (isCounting) await countStock(service, sku, { "A1/01": 1 + (calls % 7) });
      else await pickItems(service, await claimedOrder(service, [{ sku, quantity: 1 }]), pickFrom(sku, 1));
      await cancelOrders(contextOf(service), placed([orderId]));
      calls += 1;
    }
  };
  const findings: Finding[] = [];

  const clients = [true, false].map(client);
  await vi.waitUntil(() => calls >= clients.length, { timeout: 30_000, interval: 5 });
  const begun = calls;
  let meanwhile = 0;
  try {
    for (let round = 0; round < operations(3, 60) || meanwhile === 0; round += 1) {
      findings.push(...(await found({ settleMs: 20, retryBudgetMs: 0 })));
      meanwhile = calls - begun;
    }
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  const after = await found();

  expect(findings.filter(({ kind }) => kind === "difference")).toEqual([]);
  expect(after).toEqual([]);
});

// These leave damage in the shared tables, so they come last.
const damages = {
  ...damagesOfStock,
  ...damagesOfFinding,
  ...damagesOfLists,
  ...damagesOfWork,
  ...damagesOfWebhooks,
};

const isLike = (finding: Finding, one: object): boolean =>
  expect.objectContaining(one).asymmetricMatch(finding);

describe("a verification of data with many damages at once", () => {
  const prepared = new Map<string, Damage>();
  const looks: Record<"ofAnother" | "named" | "repaired" | "after", readonly Finding[]> = {
    ofAnother: [],
    named: [],
    repaired: [],
    after: [],
  };
  beforeAll(async () => {
    const site = await siteOf(service);
    const another = await storeWithMethod(service);
    await pendingOrder(another, [{ sku: (await goodsOf(another, 3)).sku, quantity: 1 }]);
    await newWebhook(another);
    for (const [name, prepare] of Object.entries(damages)) prepared.set(name, await prepare(site));
    for (const { breaks } of prepared.values()) await breaks();
    looks.ofAnother = await found({ accountId: another.accountId });
    looks.named = await found();
    looks.repaired = await found({ repairer: "operator" });
    looks.after = await found();
  });

  test.each(Object.keys(damages))(
    "reports %s, and repairs it or leaves it for a person to decide",
    async (name) => {
      const { finds = [], leaves = [], hides = [], assess } = prepared.get(name) ?? {};
      const { named, repaired, after } = looks;

      for (const one of finds) {
        expect(named).toContainEqual(expect.objectContaining({ ...one, state: "found" }));
        expect(repaired).toContainEqual(expect.objectContaining({ ...one, state: "repaired" }));
        expect(after.filter((finding) => isLike(finding, one))).toEqual([]);
      }
      for (const one of leaves)
        for (const findings of [named, repaired, after])
          expect(findings).toContainEqual(expect.objectContaining({ ...one, state: "by_hand" }));
      for (const record of hides)
        expect(named).toContainEqual({ kind: "inconclusive", record, why: "unclear" });
      expect(finds.length + leaves.length).toBeGreaterThan(0);
      await assess?.();
    },
  );

  test("reports nothing of one account whose own data are undamaged", () => {
    expect(looks.ofAnother).toEqual([]);
  });

  test("reports nothing else, and after the repair only what a person has to decide", () => {
    const all = [...prepared.values()];
    const isExplained = (finding: Finding): boolean =>
      finding.kind === "inconclusive"
        ? all.some(({ hides = [] }) => hides.includes(finding.record))
        : all.some(({ finds = [], leaves = [] }) =>
            [...finds, ...leaves].some((one) => isLike(finding, one)),
          );

    expect(looks.named.filter((finding) => !isExplained(finding))).toEqual([]);
    expect(looks.after.filter((one) => one.kind === "difference" && one.state !== "by_hand")).toEqual([]);
    expect(looks.after.filter((finding) => !isExplained(finding))).toEqual([]);
  });
});
