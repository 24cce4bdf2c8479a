/** What was read can be sent back, and changes nothing (docs/decisions.md, Sending what was read). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  announceReturn,
  claimedOrder,
  newProducts,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { operations } from "../../support/http/random.ts";
import { eta, linesOf, maybe, orderFields, productFields } from "../../support/records/arbitraries.ts";
import { orderOf, productOf, synsetOf, unique, withoutHistory } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const skus = (await newProducts(service, 4)).map(({ sku }) => sku);

function fine({ status, body }: Answer): unknown {
  expect(status, JSON.stringify(at(body, "response"))).toBe(200);
  return body;
}

const centers = ["MAIN", "EAST"];
const known = { suppliers: ["Acme Supply"], packageTypes: ["BOX-S", "BOX-M"], centers };

interface Kind {
  readonly path: string;
  readonly method: "put" | "patch";
  readonly fields: () => fc.Arbitrary<object>;
  readonly named: () => object;
}

const kinds: Readonly<Record<string, Kind>> = {
  products: {
    path: "/inventory/products",
    method: "patch",
    fields: () => productFields(known),
    named: () => ({ sku: unique("SKU") }),
  },
  aliases: {
    path: "/inventory/aliases",
    method: "patch",
    fields: () =>
      fc.record({
        sku: fc.constantFrom(...skus),
        channel_id: maybe(fc.constantFrom(1, 2)),
        distribution_center: maybe(fc.constantFrom(...centers)),
      }),
    named: () => ({ alias: unique("ALIAS/") }),
  },
  synsets: {
    path: "/inventory/synsets",
    method: "patch",
    fields: () => fc.record({ items: linesOf(skus) }),
    named: () => ({ synset: unique("KIT") }),
  },
  replenishments: {
    path: "/inventory/replenishments",
    method: "patch",
    fields: () =>
      fc.record({
        reference: maybe(fc.constantFrom("PO-1", " PO 2 ")),
        items: linesOf(skus),
        distribution_center: maybe(fc.constantFrom(...centers)),
        eta,
      }),
    named: () => ({}),
  },
  orders: {
    path: "/orders",
    method: "put",
    fields: () => orderFields(skus, [{ id: 1 }, { store_name: "Demo Marketplace" }, {}]),
    named: () => ({ order_number: unique("ORDER"), shipping_method: "GROUND" }),
  },
};

const sendBack = ({ path, method }: Kind, body: unknown) => service.oms[method](path, body);

describe("random records are as they were once a client sends back what it was answered:", () => {
  test.each(Object.entries(kinds))("%s", async (_kind, kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(kind.fields(), { minLength: 15, maxLength: 15 }), async (some) => {
        const data = some.map((fields) => ({ ...fields, ...kind.named() }));
        const created = fine(await service.oms.post(kind.path, { data }));
        const list = fine(await service.oms.get(`${kind.path}?per_page=100`));

        const fromCreate = fine(await sendBack(kind, created));
        const fromList = fine(await sendBack(kind, list));

        expect(fromCreate).toEqual({ data: at(created, "data") });
        expect(fromList).toEqual({ data: at(list, "data") });
        expect(fine(await service.oms.get(`${kind.path}?per_page=100`))).toEqual(list);
      }),
      { numRuns: operations(1, 6), endOnFailure: true },
    );
  });
});

describe("an order that is sent back", () => {
  const marketplace = { cart: { id: 2 } };

  /** An order of a product, an alias and a kit, whose names mean something else by now. */
  async function outdated() {
    const [product, aliased, part, other] = (await newProducts(service, 4)).map(({ sku }) => sku);
    const alias = unique("ALIAS");
    const kit = synsetOf([{ sku: part ?? "", quantity: 2 }]);
    await service.oms.post("/inventory/aliases", { data: [{ sku: aliased, alias, channel_id: 2 }] });
    await service.oms.post("/inventory/synsets", { data: [kit] });
    const lines = [product ?? "", alias, kit.synset].map((sku) => ({ sku, quantity: 3, sold_price: -0.5 }));
    const created = fine(await service.oms.post("/orders", { data: [orderOf(lines, marketplace)] }));
    const change = (path: string, sent: object) => service.oms.patch(`/inventory/${path}`, { data: [sent] });
    fine(await change("aliases", { alias, channel_id: 2, sku: other }));
    fine(await change("synsets", { synset: kit.synset, items: [{ sku: other, quantity: 1 }] }));
    fine(await change("products", { sku: product, distribution_center: "EAST" }));
    return { order_id: numberAt(created, "data.0.order_id"), part, kit: kit.synset };
  }

  const movementsOf = async (sku: unknown) =>
    at((await service.oms.get(`/inventory/stock/${sku}/movements`)).body, "metadata.total_records");

  test("with its history is as it was, whatever its names mean by now, and moves no stock", async () => {
    const { order_id, part } = await outdated();
    const order = fine(await service.oms.get(`/orders/${order_id}`));

    const answer = fine(await service.oms.put("/orders", order));

    expect(answer).toEqual({ data: [withoutHistory(at(order, "data"))] });
    expect(fine(await service.oms.get(`/orders/${order_id}`))).toEqual(order);
    expect(await movementsOf(part)).toBe(1);
  });

  test("updates the quantities of a kit and its components, and keeps all other fields", async () => {
    const { order_id, part, kit } = await outdated();
    const order = at((await service.oms.get(`/orders/${order_id}`)).body, "data");
    const items = listAt(order, "items").map((item) => ({
      ...(typeof item === "object" ? item : {}),
      ...(at(item, "sku") === part ? { quantity: 8 } : {}),
    }));
    const kits = [{ synset: kit, quantity: 4, sold_price: -0.5 }];
    const body = { ...(typeof order === "object" ? order : {}), items, kits };

    const short = await service.oms.put("/orders", { data: { ...body, kits: at(order, "kits") } });
    const answer = fine(await service.oms.put("/orders", { data: body }));

    expect([short.status, at(short.body, "response.errors")]).toEqual([
      400,
      [
        {
          path: "data.0.kits.0",
          message: `does not add up: 3 of ${kit} take 6 of ${part}, but the items come to 8`,
        },
      ],
    ]);
    expect(at(answer, "data.0")).toMatchObject({ items, kits });
    expect(await movementsOf(part)).toBe(2);
  });

  test("changes nothing in any status, also after a part of it came back", async () => {
    const { sku } = await stockedProduct(service, 5);
    const lines = [{ sku, quantity: 2 }];
    const shipped = await shippedOrder(service, lines);
    await announceReturn(service, shipped.order_id, [{ sku, quantity: 1 }]);
    const processing = await claimedOrder(service, lines);
    const cancelled = await service.oms.post("/orders", { data: [orderOf(lines)] });
    const cancelledId = numberAt(cancelled.body, "data.0.order_id");
    await service.oms.post("/orders/cancel", { order_id: cancelledId });
    const orders = await Promise.all(
      [shipped.order_id, processing, cancelledId].map(async (id) =>
        withoutHistory(at(fine(await service.oms.get(`/orders/${id}`)), "data")),
      ),
    );

    const answer = fine(await service.oms.put("/orders", { data: orders }));

    expect(orders.map((order) => at(order, "status"))).toEqual(["Shipped", "Processing", "Cancelled"]);
    expect(at(orders[0], "items.0.returned")).toBe(1);
    expect(answer).toEqual({ data: orders });
  });
});

test("a product whose optional fields are cleared has none of them, and is kept in the default center", async () => {
  const center = { distribution_center: "EAST" };
  const sent = productOf({ ...center, case_qty: 6, upc: "1", pick_style: "FIFO", one_time_product: "Y" });
  fine(await service.oms.post("/inventory/products", { data: [sent] }));

  const cleared = {
    distribution_center: null,
    case_qty: null,
    upc: "",
    pick_style: null,
    one_time_product: null,
  };
  const answer = fine(
    await service.oms.patch("/inventory/products", { data: [{ sku: sent.sku, ...cleared }] }),
  );
  fine(await service.oms.post("/orders", { data: [orderOf([{ sku: sent.sku, quantity: 1 }])] }));

  expect(at(answer, "data.0")).toMatchObject({ ...cleared, upc: null, one_time_product: "No" });
  const stock = await service.oms.get(`/inventory/stock?sku=${sent.sku}&distribution_center=MAIN`);
  expect(at(stock.body, "data")).toMatchObject([{ distribution_center: "MAIN", reserved: 1 }]);
});
