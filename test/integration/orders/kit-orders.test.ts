import { describe, expect, test } from "vitest";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { findSkus } from "../../../shared/catalog/name-repository.ts";
import { stockOf } from "../../../shared/stock/stock-levels.ts";
import { expectEachBalanced } from "../../support/business/ledger.ts";
import { countEach, newProducts } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { expectRefusal } from "../../support/http/refused.ts";
import { createAndAnswer } from "../../support/records/flows.ts";
import { orderOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });

type Lines = Parameters<typeof orderOf>[0];

/** The name of a new kit that takes so many of each of these products. */
async function newKit(components: Readonly<Record<string, number>>): Promise<string> {
  const items = Object.entries(components).map(([sku, quantity]) => ({ sku, quantity }));
  const sent = synsetOf(items);
  const answer = await service.oms.post("/inventory/synsets", { data: [sent] });
  expect(answer.status).toBe(200);
  return sent.synset;
}

/** New products of which so many units lie in a bin; their SKUs in this order. */
async function stockedProducts(...quantities: readonly number[]): Promise<readonly string[]> {
  const skus = (await newProducts(service, quantities.length)).map(({ sku }) => sku);
  const counts = skus.map((sku, position) => ({ sku, contents: quantities[position] ?? 0 }));
  await countEach(
    service,
    counts.filter(({ contents }) => contents > 0),
  );
  return skus;
}

/** A new kit of so many products of its own, one of each. */
async function newKitOf(count: number): Promise<{ readonly kit: string; readonly skus: readonly string[] }> {
  const skus = (await newProducts(service, count)).map(({ sku }) => sku);
  return { kit: await newKit(Object.fromEntries(skus.map((sku) => [sku, 1]))), skus };
}

const order = (lines: Lines, more: object = {}) =>
  service.oms.post("/orders", { data: [orderOf(lines, more)] });
const replace = (order_id: number, lines: Lines) =>
  service.oms.put("/orders", { data: [{ ...orderOf(lines), order_id, order_number: undefined }] });
const cancel = (order_id: number) => service.oms.post("/orders/cancel", { order_id });
const idIn = (body: unknown) => numberAt(body, "data.0.order_id");

/**
 * What the stock of each product says is reserved: for the steps on the way to a state whose ledger is to add
 * up.
 */
async function reservedMeanwhile(skus: readonly string[]): Promise<readonly number[]> {
  const found = await findSkus(service.db, service.accountId, skus);
  const levels = await Promise.all(skus.map((sku) => stockOf(service.db, found.get(sku)?.product_id ?? 0)));
  return levels.map((centers) => centers.reduce((sum, { reserved }) => sum + reserved, 0));
}

/** What is reserved of each product, after the ledger of each was found to add up. */
const reserved = async (skus: readonly string[]) =>
  (await expectEachBalanced(service, skus)).map(({ reserved }) => reserved);

async function kitStockOf(kit: string) {
  const { body } = await service.oms.get(`/inventory/synsets/${kit}`);
  return [at(body, "data.available"), at(body, "data.limited_by")];
}

describe("an order of a kit", () => {
  test("becomes its components, reserved, and keeps what was ordered and its price", async () => {
    const [shirt = "", cup = ""] = await stockedProducts(100, 50);
    const kit = await newKit({ [shirt]: 1, [cup]: 2 });
    const lines = [
      { sku: cup, quantity: 1, sold_price: 9.5 },
      { sku: kit, quantity: 5, sold_price: 30 },
    ];

    const answer = await order(lines);

    const component = { product_id: expect.any(Number), ordered_as: kit, sold_price: null, returned: 0 };
    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.items")).toEqual([
      { ...component, sku: cup, ordered_as: cup, quantity: 1, sold_price: 9.5 },
      { ...component, sku: shirt, quantity: 5 },
      { ...component, sku: cup, quantity: 10 },
    ]);
    expect(at(answer.body, "data.0.kits")).toEqual([{ synset: kit, quantity: 5, sold_price: 30 }]);
    const read = await service.oms.get(`/orders/${idIn(answer.body)}`);
    expect(at(read.body, "data")).toMatchObject(Object(at(answer.body, "data.0")));
    expect(await reserved([shirt, cup])).toEqual([5, 11]);
  });

  test("leaves fewer to build, none in a backorder, and as many as before once it is cancelled", async () => {
    const [shirt = "", cup = ""] = await stockedProducts(10, 9);
    const kit = await newKit({ [shirt]: 2, [cup]: 1 });
    const seen = [await kitStockOf(kit)];

    const first = await order([{ sku: kit, quantity: 2 }]);
    seen.push(await kitStockOf(kit));
    await order([{ sku: cup, quantity: 6 }]);
    seen.push(await kitStockOf(kit));
    const backorder = await order([{ sku: kit, quantity: 40 }]);
    seen.push(await kitStockOf(kit));
    await cancel(idIn(backorder.body));
    await cancel(idIn(first.body));
    seen.push(await kitStockOf(kit));

    expect(seen).toEqual([
      [5, shirt],
      [3, shirt],
      [1, cup],
      [0, shirt],
      [3, cup],
    ]);
    expect(await reserved([shirt, cup])).toEqual([0, 6]);
  });
});

describe("a Pending order", () => {
  test("that is changed from kit to product and back has exactly that reserved", async () => {
    const [shirt = "", cup = "", cap = ""] = await stockedProducts(10, 10, 10);
    const skus = [shirt, cup, cap];
    const kit = await newKit({ [shirt]: 1, [cup]: 2 });
    const order_id = idIn((await order([{ sku: kit, quantity: 3 }])).body);
    const seen = [await reservedMeanwhile(skus)];

    const changes: readonly NonNullable<Lines>[] = [
      [{ sku: cap, quantity: 4 }],
      [{ sku: kit, quantity: 2, sold_price: 7 }],
      [
        { sku: kit, quantity: 1 },
        { sku: cup, quantity: 5 },
      ],
      [
        { sku: shirt, quantity: 1 },
        { sku: cup, quantity: 7 },
      ],
    ];
    const kits: unknown[] = [];
    for (const lines of changes) {
      const answer = await replace(order_id, lines);
      kits.push(at(answer.body, "data.0.kits"));
      seen.push(await reservedMeanwhile(skus));
    }
    const cancelled = await cancel(order_id);
    seen.push(await reserved(skus));

    expect(seen).toEqual([
      [3, 6, 0],
      [0, 0, 4],
      [2, 4, 0],
      [1, 7, 0],
      [1, 7, 0],
      [0, 0, 0],
    ]);
    expect(kits).toEqual([
      [],
      [{ synset: kit, quantity: 2, sold_price: 7 }],
      [{ synset: kit, quantity: 1, sold_price: null }],
      [],
    ]);
    expect(at(cancelled.body, "data.status")).toBe("Cancelled");
  });

  test("keeps the components it was placed with until it is replaced", async () => {
    const [shirt = "", cup = ""] = await stockedProducts(0, 0);
    const kit = await newKit({ [shirt]: 1 });
    const order_id = idIn((await order([{ sku: kit, quantity: 2 }])).body);

    await service.oms.patch("/inventory/synsets", {
      data: [{ synset: kit, items: [{ sku: cup, quantity: 3 }] }],
    });
    const before = await reservedMeanwhile([shirt, cup]);
    await replace(order_id, [{ sku: kit, quantity: 2 }]);

    expect(before).toEqual([2, 0]);
    expect(await reserved([shirt, cup])).toEqual([0, 6]);
  });

  test("takes no kit of the name that one of its items keeps: 400, whichever comes first", async () => {
    const [shirt = "", cup = ""] = await stockedProducts(10, 10);
    const kit = await newKit({ [cup]: 1 });
    await createAndAnswer(service, createAliases, { sku: shirt, alias: kit, channel_id: 2 });
    const order_id = idIn((await order([{ sku: kit, quantity: 1 }], { cart: { id: 2 } })).body);
    const kept = { sku: shirt, ordered_as: kit, quantity: 1 };
    const aKit = { sku: kit, quantity: 2 };

    const [first, second] = [await replace(order_id, [kept, aKit]), await replace(order_id, [aKit, kept])];

    const message = `must be left out: ${kit} is a kit of the order, too`;
    expectRefusal(first, "data.0.items.0.ordered_as", message);
    expectRefusal(second, "data.0.items.1.ordered_as", message);
    expect(await reserved([shirt, cup])).toEqual([1, 0]);
  });
});

describe("an order of the largest size", () => {
  // Two writes for each product: more than one transaction holds.
  test("of 50 products out of a kit, in 500 items, is stored, changed and cancelled whole", async () => {
    const { kit, skus } = await newKitOf(50);
    const lines = Array.from({ length: 10 }, () => ({ sku: kit, quantity: 1 }));

    const created = await order(lines, { order_reference: unique("REF") });
    const replaced = await service.oms.put("/orders", {
      data: [
        {
          ...orderOf([{ sku: kit, quantity: 7 }], { order_reference: unique("REF"), order_type_id: 2 }),
          order_id: idIn(created.body),
        },
      ],
    });
    const before = await reservedMeanwhile(skus.slice(0, 3));
    const cancelled = await cancel(idIn(created.body));

    expect([created.status, replaced.status, cancelled.status]).toEqual([200, 200, 200]);
    expect(listAt(created.body, "data.0.items")).toHaveLength(500);
    expect(before).toEqual([7, 7, 7]);
    expect(await reserved(skus)).toEqual(skus.map(() => 0));
  });
});
