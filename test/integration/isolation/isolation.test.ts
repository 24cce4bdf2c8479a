import { describe, expect, test } from "vitest";
import { functions } from "../../../functions/index.ts";
import { newProduct, pendingOrder, stockedProduct } from "../../support/business/world.ts";
import { type Answer, at, type Client, listAt, numberAt } from "../../support/http/client.ts";
import { expectAsMissing } from "../../support/http/refused.ts";
import { newStranger } from "../../support/http/strangers.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { customer, orderOf, productOf, recountOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const other = await newStranger(service);
const stranger = other.oms;
/** The stranger's number, for what the warehouse does for it. */
const strangerId = other.accountId;
const sent = orderOf([{ sku: "DEMO-TEE", quantity: 2 }], { order_reference: unique("REF") });
const { body } = await service.oms.post("/orders", { data: [sent] });
/** The owner's order, which the stranger knows everything about. */
const order = {
  order_id: numberAt(body, "data.0.order_id"),
  order_number: sent.order_number,
  order_reference: String(at(body, "data.0.order_reference")),
  order_api: String(at(body, "data.0.order_api")),
};
const product = await service.oms.get("/inventory/products/DEMO-TEE");
const productId = numberAt(product.body, "data.product_id");
await newProduct(other, { sku: "SECOND-1" });
await pendingOrder(other, [{ sku: "SECOND-1", quantity: 1 }]);

const strangersOrder = (more: object = {}) => orderOf([{ sku: "SECOND-1", quantity: 1 }], more);

/** All that an account has, as it sees it. */
const everythingOf = async (owner: Client) => ({
  orders: (await owner.get("/orders?per_page=100")).body,
  products: (await owner.get("/inventory/products?per_page=100")).body,
  stock: (await owner.get("/inventory/stock")).body,
});

const notFound = (answer: Answer): void => {
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ response: { success: false, message: expect.any(String) } });
  expect(JSON.stringify(answer.body)).not.toMatch(/Testville/);
  expect(JSON.stringify(answer.body)).not.toContain(`account ${service.accountId}`);
};

describe("another account's records", () => {
  test.each(["order_id", "order_number", "order_reference", "order_api"] as const)(
    "an order cannot be read by its %s",
    async (by) => {
      const path = `/orders/${order[by]}?identify_by=${by}`;

      const answer = await stranger.get(path);
      const owners = await service.oms.get(path);

      notFound(answer);
      expect(owners.status).toBe(200);
    },
  );

  test("an order reads like one that does not exist", async () => {
    const foreign = await stranger.get(`/orders/${order.order_id}`);
    const missing = await stranger.get("/orders/999999999");

    expectAsMissing(foreign, order.order_id, missing);
  });

  test.each([
    "",
    "&status_id=1",
    "&warehouse_id=1",
    "&order_type_id=1",
    "&filter_by=store_id&filter_value=1",
    "&filter_by=store_name&filter_value=Demo+Web+Store",
    "&from_date=2000-01-01",
    "&status_id=9",
  ])("orders are in no list of the stranger's: %s", async (query) => {
    const answer = await stranger.get(`/orders?per_page=100${query}`);

    const numbers = listAt(answer.body, "data").map((found) => at(found, "items.0.sku"));
    expect(answer.status).toBe(200);
    expect(numbers.filter((sku) => sku !== "SECOND-1")).toEqual([]);
    expect(numberAt(answer.body, "metadata.total_records")).toBe(numbers.length);
  });

  test.each<[string, () => Promise<Answer>]>([
    ["cancel", () => stranger.post("/orders/cancel", { order_id: order.order_id })],
    ["cancel-bulk", () => stranger.post("/orders/cancel-bulk", { order_ids: [order.order_id] })],
    ["sub_status", () => stranger.post("/orders/sub_status", { order_id: order.order_id, sub_status: "x" })],
    [
      "PUT by order_id",
      () => stranger.put("/orders", { data: [{ ...strangersOrder(), order_id: order.order_id }] }),
    ],
    [
      "PUT by order_number",
      () => stranger.put("/orders", { data: [strangersOrder({ order_number: order.order_number })] }),
    ],
    [
      "PUT by order_reference",
      () => {
        const { order_reference } = order;
        return stranger.put("/orders", {
          data: [{ ...strangersOrder(), order_number: undefined, order_reference }],
        });
      },
    ],
  ])("an order cannot be changed: %s is 404", async (_case, call) => {
    notFound(await call());
  });

  test("an order among one's own keeps the whole of a bulk call from being stored", async () => {
    const own = await stranger.get("/orders");
    const ownId = numberAt(own.body, "data.0.order_id");
    const ownNumber = String(at(own.body, "data.0.order_number"));

    const cancelled = await stranger.post("/orders/cancel-bulk", { order_ids: [ownId, order.order_id] });
    const replaced = await stranger.put("/orders", {
      data: [
        { ...strangersOrder({ order_number: ownNumber }), order_id: ownId, order_type_id: 5 },
        { ...strangersOrder(), order_id: order.order_id },
      ],
    });

    notFound(cancelled);
    notFound(replaced);
  });

  test("a product can be read neither by id nor by SKU, nor its units of measure", async () => {
    const answers = [
      await stranger.get(`/inventory/products/${productId}`),
      await stranger.get("/inventory/products/DEMO-TEE"),
      await stranger.get(`/inventory/products/${productId}/uom`),
    ];

    for (const answer of answers) notFound(answer);
  });

  test("every OMS endpoint that there is has its place above, or in a file of its own", () => {
    const paths = Object.values(functions)
      .filter((contract) => contract.type === "endpoint" && contract.auth === "oms")
      .map((contract) => (contract.type === "endpoint" ? `${contract.method} ${contract.path}` : ""))
      .filter((path) => !path.endsWith("/ping") && !path.endsWith("/docs"));
    const methods = {
      "/orders": "POST GET PUT",
      "/orders/{order}": "GET",
      "/orders/cancel": "POST",
      "/orders/cancel-bulk": "POST",
      "/orders/sub_status": "POST",
      "/inventory/products": "POST PATCH GET",
      "/inventory/products/{prod_identifier}": "GET",
      "/inventory/products/{product_id}/uom": "GET",
      "/inventory/stock": "GET",
      "/inventory/stock/{sku}/movements": "GET",
      "/distribution_centers": "GET",
      "/shipping_methods": "GET",
      "/stores": "GET",
      "/suppliers": "GET",
      "/package_types": "GET",
      "/distribution_centers/{distribution_center_id}": "GET",
      "/manufacture": "GET",
      "/manufacture/{order}": "GET",
      "/serials/bulk": "POST",
      "/serials/batch/attributes": "POST",
      "/serials": "GET",
      "/serials/{sku}/{serial}": "GET",
      "/attributes/{owner_type}/{owner_id}": "GET POST PATCH DELETE",
      "/inventory/replenishments": "POST GET PATCH",
      "/inventory/replenishments/{replenishment}": "GET",
      "/inventory/returns": "POST GET",
      "/inventory/returns/{return}": "GET",
      "/inventory/synsets": "POST PATCH GET",
      "/inventory/synsets/{synset}": "GET",
      "/inventory/aliases": "POST PATCH GET",
      "/inventory/aliases/{alias}": "GET",
      "/inventory/holds": "POST GET",
      "/inventory/holds/{hold_id}": "GET DELETE",
      "/simulations": "POST",
      "/events": "GET",
      "/webhooks": "POST GET",
      "/webhooks/{webhook_id}": "GET PATCH DELETE",
      "/webhooks/{webhook_id}/rotate": "POST",
      "/webhooks/{webhook_id}/test": "POST",
      "/webhooks/{webhook_id}/replay": "POST",
      "/webhooks/{webhook_id}/deliveries": "GET",
      "/webhooks/{webhook_id}/deliveries/{delivery_id}/resend": "POST",
    };
    const covered = Object.entries(methods).flatMap(([path, named]) =>
      named.split(" ").map((method) => `${method} /apirest/v4/oms${path}`),
    );

    expect(paths.toSorted()).toEqual(covered.toSorted());
  });

  changeNothing(async () => [await everythingOf(service.oms), await everythingOf(stranger)]);
});

test("another account's holds can't be found, used or ended, nor its products held", async () => {
  const { sku } = await stockedProduct(service, 3);
  const held = (quantity: number) => ({ data: [{ sku, quantity, expires_in: 600 }] });
  const placed = await service.oms.post("/inventory/holds", held(1));
  const hold_id = String(at(placed.body, "data.0.hold_id"));

  const found = await stranger.get(`/inventory/holds/${hold_id}`);
  const ended = await stranger.send("DELETE", `/inventory/holds/${hold_id}`, undefined);
  const listed = await stranger.get("/inventory/holds?per_page=100");
  const taken = await stranger.post("/inventory/holds", held(1));

  expect([placed, found, ended, listed, taken].map(({ status }) => status)).toEqual([
    200, 404, 404, 200, 400,
  ]);
  expect(JSON.stringify(listed.body)).not.toContain(hold_id);
  expect((await service.oms.get(`/inventory/holds/${hold_id}`)).status).toBe(200);
});

describe("two accounts with the same names", () => {
  test("have each its own product of one SKU, with its own stock and bins", async () => {
    const sku = unique("SAME");
    const [ours, theirs] = [
      await service.oms.post("/inventory/products", { data: [productOf({ sku, cost: 1 })] }),
      await stranger.post("/inventory/products", { data: [productOf({ sku, cost: 2 })] }),
    ];

    await stranger.patch("/inventory/products", { data: [{ sku, retail: 77 }] });
    await stranger.post("/orders", { data: [orderOf([{ sku, quantity: 3 }])] });
    await service.wms.post(
      "/recount",
      recountOf(sku, [{ location: "B1", bin: "03", qty: 5 }], { account_id: strangerId }),
    );
    await service.settled();
    const stockOf = async (owner: Client) =>
      at((await owner.get(`/inventory/stock?sku=${sku}`)).body, "data.0");

    expect([ours.status, theirs.status]).toEqual([200, 200]);
    expect(at(ours.body, "data.0.product_id")).not.toBe(at(theirs.body, "data.0.product_id"));
    expect(at((await service.oms.get(`/inventory/products/${sku}`)).body, "data")).toEqual(
      at(ours.body, "data.0"),
    );
    expect(at((await stranger.get(`/inventory/products/${sku}`)).body, "data.retail")).toBe(77);
    expect(await stockOf(service.oms)).toMatchObject({ on_hand: 0, reserved: 0 });
    expect(await stockOf(stranger)).toMatchObject({ on_hand: 5, reserved: 3 });
    const bins = await service.wms.get(`/inventory/products/${numberAt(ours.body, "data.0.product_id")}/bin`);
    expect(bins.body).toEqual({ bin_list: [] });
  });

  test("have each its own order of one number and reference", async () => {
    const more = { order_number: unique("SAME"), order_reference: unique("SAME-REF") };
    const ours = await service.oms.post("/orders", { data: [orderOf(undefined, more)] });
    const theirs = await stranger.post("/orders", {
      data: [strangersOrder({ ...more, customer: { ...customer, city: "Elsewhere" } })],
    });

    await stranger.post("/orders/cancel", { order_id: numberAt(theirs.body, "data.0.order_id") });
    const found = await Promise.all(
      [service.oms, stranger].flatMap((owner) => [
        owner.get(`/orders/${more.order_number}?identify_by=order_number`),
        owner.get(`/orders/${more.order_reference}?identify_by=order_reference`),
      ]),
    );

    const [ourId, theirId] = [ours, theirs].map(({ body }) => numberAt(body, "data.0.order_id"));
    expect(ourId).not.toBe(theirId);
    expect(found.map(({ body }) => at(body, "data.order_id"))).toEqual([ourId, ourId, theirId, theirId]);
    expect(found.map(({ body }) => at(body, "data.status"))).toEqual([
      "Pending",
      "Pending",
      "Cancelled",
      "Cancelled",
    ]);
  });
});
