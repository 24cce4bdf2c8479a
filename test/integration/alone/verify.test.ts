import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as createSynsets } from "../../../functions/oms/inventory/synsets/create-synsets.ts";
import { putShippingMethod } from "../../../infra/operator/registry.ts";
import { aliasEntryLookup } from "../../../shared/data/aliases.ts";
import { binContentLookup } from "../../../shared/data/bins.ts";
import { weekCounter } from "../../../shared/data/movements.ts";
import { nameLookup } from "../../../shared/data/names.ts";
import { orderLookup, orderNumbers } from "../../../shared/data/orders.ts";
import { productLookup } from "../../../shared/data/products.ts";
import { stockLookup } from "../../../shared/data/stock.ts";
import type { Finding, Verification } from "../../../shared/operations/verify/finding.ts";
import { verify } from "../../../shared/operations/verify/verify.ts";
import { blockOf } from "../../../shared/store/lists/block-list.ts";
import { orderList } from "../../../shared/store/lists/definitions.ts";
import { slotKey, talliesTable } from "../../../shared/store/lists/tallies.ts";
import { getItem, type Lookup, type RawItem } from "../../../shared/store/reads.ts";
import { create } from "../../support/flows.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { operations } from "../../support/random.ts";
import { aliasOf, synsetOf, unique } from "../../support/records.ts";
import { itemsOf } from "../../support/scan.ts";
import { sweep } from "../../support/steps.ts";
import { dyingAfter, troubledDatabase } from "../../support/troubled.ts";
import {
  claimedOrder,
  counted,
  newProduct,
  newProducts,
  newStore,
  pendingOrder,
  picked,
  pickedOrder,
  pickFrom,
  replenishment,
  returned,
  shippedOrder,
  stocked,
} from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService({ paused: true });
});
afterAll(() => service.runtime.stop());

/** Everything that a verification finds. */
async function found(more: Partial<Verification> = {}): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  await verify({ db: service.db, accountId: undefined, report, settle: 0, patience: 2_000, ...more });
  return findings;
}

/** Sets and adds to attributes of an item as no flow would. */
async function damage({ table, key }: Lookup, add: RawItem, set: RawItem = {}): Promise<void> {
  const assigned = Object.keys(set).map((_, at) => `#s${at} = :s${at}`);
  const added = Object.keys(add).map((_, at) => `#a${at} :a${at}`);
  const clauses = [
    ...(assigned.length > 0 ? [`SET ${assigned.join(", ")}`] : []),
    ...(added.length > 0 ? [`ADD ${added.join(", ")}`] : []),
  ];
  const fields = [
    ...Object.entries(set).map(([name, value], at) => [`s${at}`, name, value] as const),
    ...Object.entries(add).map(([name, value], at) => [`a${at}`, name, value] as const),
  ];
  await service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName(table),
      Key: { ...key },
      UpdateExpression: clauses.join(" "),
      ExpressionAttributeNames: Object.fromEntries(fields.map(([place, name]) => [`#${place}`, name])),
      ExpressionAttributeValues: Object.fromEntries(fields.map(([place, , value]) => [`:${place}`, value])),
    }),
  );
}

async function lose({ table, key }: Lookup): Promise<void> {
  await service.db.client.send(
    new DeleteCommand({ TableName: service.db.tableName(table), Key: { ...key } }),
  );
}

async function invent({ table, key }: Lookup, fields: RawItem): Promise<void> {
  await service.db.client.send(
    new PutCommand({ TableName: service.db.tableName(table), Item: { ...key, ...fields } }),
  );
}

const stockOf = (productId: number) => stockLookup(productId, 1);

const stockLevel = (productId: number) => getItem(service.db, stockOf(productId));

/** A product that lies in two bins, with an order in each status, something to come and something to come back. */
async function busyProduct() {
  const product = await stocked(service, { "A1/01": 20, "A1/03": 30 });
  const lines = (quantity: number) => [{ sku: product.sku, quantity }];
  await pendingOrder(service, lines(2));
  const claimed = await claimedOrder(service, lines(3));
  await picked(service, claimed, pickFrom(product.sku, 1));
  await pickedOrder(service, lines(4));
  const { order_id } = await shippedOrder(service, lines(5));
  await returned(service, order_id, lines(1));
  await replenishment(service, lines(7), { reference: unique("PO") });
  return product;
}

describe("a verification", () => {
  test("finds nothing wrong with the demo data, and with goods and orders in every state", async () => {
    const product = await busyProduct();
    await create(service, createAliases, aliasOf({ sku: product.sku }));
    await create(service, createSynsets, synsetOf([{ sku: product.sku, quantity: 2 }]));

    const findings = await found();

    expect(findings).toEqual([]);
  });
});

/** What is broken, what is found then, and whether a command repairs it. */
interface Fault {
  readonly breaks: () => Promise<void>;
  readonly finds: readonly object[];
  readonly byHand?: true;
}

const inStock = (what: string, is: number, ought: number) => ({
  record: expect.stringMatching(/^stock of product/),
  what,
  is,
  ought,
});

const faults: Readonly<Record<string, () => Promise<Fault>>> = {
  "a stock record that says too much": async () => {
    const { product_id } = await stocked(service, 10);
    return {
      breaks: () => damage(stockOf(product_id), { on_hand: 3 }),
      finds: [inStock("on_hand", 13, 10)],
    };
  },
  "a reservation of no order": async () => {
    const { product_id, sku } = await stocked(service, 10);
    await pendingOrder(service, [{ sku, quantity: 4 }]);
    return {
      breaks: () => damage(stockOf(product_id), { reserved: 5 }),
      finds: [inStock("reserved", 9, 4)],
    };
  },
  "units that nothing is to bring": async () => {
    const { product_id, sku } = await newProduct(service);
    await replenishment(service, [{ sku, quantity: 6 }]);
    return {
      breaks: () => damage(stockOf(product_id), { incoming: -2 }),
      finds: [inStock("incoming", 4, 6)],
    };
  },
  "a slot that was lost": async () => {
    const { product_id } = await stocked(service, 10);
    const { table, key } = stockOf(product_id);
    await damage({ table, key }, { on_hand: -4 }, { slots: 8 });
    const slot = { table, key: { pk: key.pk, sk: `${key.sk}#slot#3` } };
    await invent(slot, { on_hand: 4 });
    return { breaks: () => lose(slot), finds: [inStock("on_hand", 6, 10)] };
  },
  "a movement that was lost": async () => {
    const { product_id } = await stocked(service, 10);
    const movement = (await itemsOf(service.db, "inventory")).find(({ pk }) =>
      String(pk).startsWith(`movement#${product_id}#`),
    );
    const key = { pk: String(movement?.["pk"]), sk: String(movement?.["sk"]) };
    return {
      breaks: () => lose({ table: "inventory", key }),
      finds: [
        inStock("movements of on_hand", 0, 10),
        { what: expect.stringMatching(/^count of the movements of week \d+$/), is: 1, ought: 0 },
      ],
    };
  },
  "a bin that lost goods": async () => {
    const { product_id } = await stocked(service, 10);
    return {
      breaks: () => damage(binContentLookup(product_id, "A1", "03"), { quantity: -1 }),
      finds: [
        inStock("on_hand", 10, 9),
        inStock("movements of on_hand", 10, 9),
        { record: expect.stringMatching(/^bin A1\/03 of product/), what: "expected", is: 10, ought: 9 },
      ],
    };
  },
  "a bin that holds less than nothing": async () => {
    const { product_id } = await stocked(service, 1);
    await counted(service, (await newProduct(service)).sku, 1);
    return {
      breaks: async () => {
        await damage(binContentLookup(product_id, "A1", "03"), { quantity: -2, expected: -2 });
        await damage(stockOf(product_id), { on_hand: -2 });
      },
      finds: [{ what: "quantity", is: -1, ought: "0 or more" }, inStock("movements of on_hand", 1, -1)],
      byHand: true,
    };
  },
  "an order whose number is not found": async () => {
    const { sku } = await newProduct(service);
    const number = unique("LOST");
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }], { order_number: number });
    return {
      breaks: () => lose(orderNumbers.lookup(service.accountId, number)),
      finds: [
        {
          record: `order ${orderId}`,
          what: `the entry that finds it (order-number#100 ${number})`,
          is: "not there",
          ought: `{"id":${orderId}}`,
        },
      ],
    };
  },
  "an order number of no order": async () => {
    const number = unique("GHOST");
    return {
      breaks: () => invent(orderNumbers.lookup(service.accountId, number), { id: 999_999_999 }),
      finds: [
        {
          record: `entry order-number 100 ${number}`,
          what: "order 999999999",
          is: "of a record that is not there",
          ought: "not there",
        },
      ],
    };
  },
  "a SKU that finds another center": async () => {
    const { sku, product_id } = await newProduct(service);
    return {
      breaks: () => damage(nameLookup(service.accountId, sku), { distribution_center_id: 1 }),
      finds: [
        {
          record: `product ${product_id} (${sku})`,
          what: expect.stringContaining("the entry that finds it"),
        },
      ],
    };
  },
  "an alias that is not found": async () => {
    const { sku } = await newProduct(service);
    const alias = unique("ALIAS");
    await create(service, createAliases, aliasOf({ sku, alias, channel_id: 2 }));
    return {
      breaks: () => lose(aliasEntryLookup(service.accountId, { alias, channel_id: 2 })),
      finds: [{ record: expect.stringContaining(`(${alias})`), is: "not there" }],
    };
  },
  "an order of a product that is gone": async () => {
    const { sku, product_id } = await newProduct(service);
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
    return {
      breaks: () => lose(productLookup(product_id)),
      finds: [
        {
          record: `order ${orderId}`,
          what: "a record that it refers to",
          is: `product ${product_id} is not there`,
        },
      ],
      byHand: true,
    };
  },
  "a product of a center that is not there, which keeps its SKU": async () => {
    const { product_id, sku } = await newProduct(service);
    return {
      breaks: () => damage(productLookup(product_id), {}, { distribution_center: "GONE" }),
      finds: [
        {
          record: `product ${product_id} (${sku})`,
          what: "a record that it refers to",
          is: "distribution center GONE is not there",
        },
      ],
      byHand: true,
    };
  },
  "a stock record that is gone": async () => {
    const { product_id, sku } = await newProduct(service);
    return {
      breaks: () => lose(stockOf(product_id)),
      finds: [{ record: `product ${product_id} (${sku})`, what: "its stock record", is: "not there" }],
      byHand: true,
    };
  },
  "a tally that counts too many": async () => {
    const { sku } = await newProduct(service);
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
    const key = slotKey(orderList, "100", blockOf(orderList, orderId), orderId % 8);
    return {
      breaks: () => damage({ table: talliesTable, key }, { "n:1|1|1|1": 1, revision: 1 }),
      finds: [{ record: expect.stringMatching(/^list order, block \d+ of 100$/), what: "tally" }],
    };
  },
  "a record in a wrong cell": async () => {
    const { sku } = await newProduct(service);
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
    return {
      breaks: () => damage(orderLookup(orderId), {}, { cell: "10|1|1|1" }),
      finds: [{ what: "records in a wrong cell", is: 1, ought: 0 }],
    };
  },
};

/** What earlier faults have left for people to repair. */
const damaged: Finding[] = [];

/** Findings that no earlier fault explains. */
const fresh = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((one) => !damaged.some((old) => JSON.stringify(old) === JSON.stringify(one)));

describe("a verification of data that were damaged", () => {
  test.each(Object.entries(faults))(
    "names %s, repairs it where it can, and finds nothing after that",
    async (_name, prepare) => {
      const { breaks, finds, byHand = false } = await prepare();
      await breaks();

      const named = await found();
      const repaired = await found({ repairer: "operator" });
      const after = await found();

      const left = fresh(after);
      for (const one of finds) expect(fresh(named)).toContainEqual(expect.objectContaining(one));
      expect(repaired).toHaveLength(named.length);
      expect(left.filter((one) => one.kind === "undecided" || one.state !== "by_hand")).toEqual([]);
      expect(left.length > 0).toBe(byHand);
      damaged.push(...left);
    },
  );
});

test("a verification tells nothing of a product whose orders change between what it reads of it", async () => {
  const { sku, product_id } = await stocked(service, 10);
  await damage(stockOf(product_id), { reserved: 5 });
  const troubled = troubledDatabase(service);
  // The claims are read by the index of cells: each time, an order came just before.
  const before = () => pendingOrder(service, [{ sku, quantity: 1 }]);
  troubled.add({ before }, { command: "Query", text: "order#", times: 1000 });

  const findings = fresh(await found({ db: troubled.db, patience: 0 }));
  const repaired = await found({ repairer: "operator" });

  const ofStock = findings.filter(({ record }) => record.includes(`product ${product_id} `));
  expect(troubled.hits).toBeGreaterThan(0);
  expect(ofStock).toEqual([
    { kind: "undecided", record: `stock of product ${product_id} (${sku})`, why: "busy" },
  ]);
  expect(fresh(repaired)).toContainEqual(expect.objectContaining({ what: "reserved", state: "repaired" }));
});

test("a repair that can't put records into their cells still counts what they claim", async () => {
  const { sku, product_id } = await stocked(service, 10);
  const orderId = await pendingOrder(service, [{ sku, quantity: 4 }]);
  const lookup = orderLookup(orderId);
  await damage(lookup, {}, { cell: "10|1|1|1" });
  await damage(stockOf(product_id), { reserved: 5 });
  const troubled = troubledDatabase(service);
  troubled.add("conflict", { text: `"${lookup.key.sk}"`, times: 1_000_000 });

  const findings = fresh(await found({ db: troubled.db, repairer: "operator", patience: 0 }));
  const level = await stockLevel(product_id);
  await found({ repairer: "operator" });

  expect(troubled.hits).toBeGreaterThan(0);
  expect(findings).toContainEqual(
    expect.objectContaining({ record: expect.stringMatching(/^list order/), why: "busy" }),
  );
  expect(level).toMatchObject({ reserved: 4 });
});

test("a verification judges a product by movements that had time to show", async () => {
  const { product_id } = await stocked(service, 10);
  const isMovement = ({ pk }: RawItem) => String(pk).startsWith(`movement#${product_id}#`);
  const [movement = {}] = (await itemsOf(service.db, "inventory")).filter(isMovement);
  const { pk, sk, ...fields } = movement;
  const lookup = { table: "inventory", key: { pk: String(pk), sk: String(sk) } } as const;
  await lose(lookup);
  const troubled = troubledDatabase(service);
  // Stock of one product is asked for by its id only when it is looked at again. The movement shows a little later.
  const before = async () => void setTimeout(() => void invent(lookup, fields), 200);
  troubled.add({ before }, { command: "Query", text: String(product_id).padStart(12, "0") });

  const findings = await found({ db: troubled.db, settle: 500 });

  expect(troubled.hits).toBe(1);
  expect(fresh(findings)).toEqual([]);
});

describe("a verification of records that can't be read", () => {
  const unreadable = ({ key: { pk, sk } }: Lookup) =>
    expect.objectContaining({ what: `the item ${pk} ${sk}`, state: "by_hand" });

  test("names the record, leaves the account's stock alone, and goes on with all others", async () => {
    const store = { ...service, ...(await newStore(service)) };
    await putShippingMethod(store.db, store.accountId, "GROUND");
    const { sku, product_id } = await stocked(store, 10);
    const orderId = await pendingOrder(store, [{ sku, quantity: 4 }]);
    const other = await stocked(service, 10);
    await damage(orderLookup(orderId), {}, { content: "torn" });
    for (const one of [product_id, other.product_id]) await damage(stockOf(one), { reserved: 5 });

    const findings = fresh(await found({ repairer: "operator" }));
    const level = await stockLevel(product_id);
    await lose(orderLookup(orderId));
    await found({ repairer: "operator" });

    expect(findings).toContainEqual(unreadable(orderLookup(orderId)));
    expect(findings).toContainEqual({
      kind: "undecided",
      record: `stock of account ${store.accountId}`,
      why: "unclear",
    });
    expect(findings).toContainEqual(
      expect.objectContaining({ ...inStock("reserved", 5, 0), state: "repaired" }),
    );
    expect(level).toMatchObject({ reserved: 9 });
  });

  test("names the movement, and leaves its product's stock alone", async () => {
    const { product_id } = await stocked(service, 10);
    const lookup = { table: "inventory", key: { pk: `movement#${product_id}#2000`, sk: "torn" } } as const;
    await invent(lookup, { on_hand: "many" });
    await damage(stockOf(product_id), { [weekCounter(2000)]: 1, reserved: 5 });

    const findings = fresh(await found({ repairer: "operator" }));
    const level = await stockLevel(product_id);
    await lose(lookup);
    await found({ repairer: "operator" });

    expect(findings).toEqual([unreadable(lookup)]);
    expect(level).toMatchObject({ reserved: 5 });
  });
});

test("a verification names an order that waits for steps that are gone", async () => {
  const { sku } = await newProduct(service);
  const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
  await damage(orderLookup(orderId), {}, { underway: "steps#gone" });

  const findings = fresh(await found({ repairer: "operator" }));
  await lose(orderLookup(orderId));
  await found({ repairer: "operator" });

  const what = "the steps that it waits for";
  expect(findings).toContainEqual(
    expect.objectContaining({ record: `order ${orderId}`, what, is: "not there", state: "by_hand" }),
  );
});

test("a verification while a large order is stored in steps takes its stock for no difference", async () => {
  const products = await newProducts(service, 60);
  const lines = products.map(({ sku }) => ({ sku, quantity: 1 }));
  const findings: Finding[] = [];

  for (let calls = 4; calls < 10; calls += 1) {
    const dying = { ...service, db: dyingAfter(service, calls) };
    await pendingOrder(dying, lines).catch(() => undefined);
    findings.push(...fresh(await found({ patience: 0 })));
    await sweep(service.db);
  }
  const after = fresh(await found());

  expect(findings.length).toBeGreaterThan(0);
  expect(findings.filter(({ kind }) => kind === "difference")).toEqual([]);
  expect(after).toEqual([]);
});

test("a verification while clients order, pick, count and cancel finds nothing that is not so", async () => {
  const products = await Promise.all([stocked(service, 1000), stocked(service, 1000)]);
  const end = Date.now() + operations(4_000, 30_000);
  let calls = 0;
  const client = async (turn: number) => {
    while (Date.now() < end) {
      const sku = products[turn % 2]?.sku ?? "";
      const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
      if (turn % 3 === 0) await counted(service, sku, { "A1/01": 1 + (calls % 7) });
      else await picked(service, await claimedOrder(service, [{ sku, quantity: 1 }]), pickFrom(sku, 1));
      await service.oms.post("/orders/cancel", { order_id: orderId });
      calls += 1;
    }
  };
  const findings: Finding[] = [];
  let rounds = 0;

  const clients = [0, 1, 2, 3].map(client);
  while (Date.now() < end) {
    findings.push(...(await found({ settle: 20, patience: 0 })));
    rounds += 1;
  }
  await Promise.all(clients);
  const after = await found();

  expect([calls > 0, rounds > 0]).toEqual([true, true]);
  expect(fresh(findings).filter(({ kind }) => kind === "difference")).toEqual([]);
  expect(fresh(after)).toEqual([]);
});
