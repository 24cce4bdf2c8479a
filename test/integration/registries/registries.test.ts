import { describe, expect, test } from "vitest";
import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import { newStore } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { orderOf, productOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const webStore = { store_id: 1, name: "Demo Web Store" };
const marketplace = { store_id: 2, name: "Demo Marketplace" };
const a1 = {
  location: "A1",
  distribution_center_id: 1,
  distribution_center: "MAIN",
  bins: [
    { bin_id: 1, bin: "01" },
    { bin_id: 2, bin: "02" },
    { bin_id: 3, bin: "03" },
  ],
};

/** The blocks of a list of so many records that is answered whole. */
const whole = (total: number) => ({
  metadata: {
    page: 1,
    per_page: Math.max(total, 1),
    total_records: total,
    total_pages: Math.min(total, 1),
    total_current_page: total,
  },
  pagination: { current_page: 1, per_page: Math.max(total, 1), total, total_pages: Math.min(total, 1) },
});

describe("what operators registered for the account", () => {
  test.each<[string, readonly object[]]>([
    ["shipping_methods", [{ code: "EXPRESS" }, { code: "GROUND" }]],
    ["stores", [webStore, marketplace]],
    ["suppliers", [{ name: "Acme Supply" }]],
    ["package_types", [{ code: "BOX-M" }, { code: "BOX-S" }]],
  ])("is read from /%s, all at once, and not by another account", async (path, records) => {
    const { oms: stranger } = await newStore(service);

    const [ours, theirs] = [await service.oms.get(`/${path}`), await stranger.get(`/${path}`)];

    expect([ours.status, theirs.status]).toEqual([200, 200]);
    expect(ours.body).toEqual({ data: records, ...whole(records.length) });
    expect(theirs.body).toEqual({ data: [], ...whole(0) });
  });

  test("is paged if a page is requested", async () => {
    const answers = [
      await service.oms.get("/stores?per_page=1&page=2"),
      await service.oms.get("/stores?page=1"),
    ];

    expect(answers.map(({ body }) => at(body, "data"))).toEqual([[marketplace], [webStore, marketplace]]);
    expect(answers.map(({ body }) => at(body, "pagination"))).toEqual([
      { current_page: 2, per_page: 1, total: 2, total_pages: 2 },
      { current_page: 1, per_page: 20, total: 2, total_pages: 1 },
    ]);
  });
});

describe("the warehouse's distribution centers", () => {
  const main = { distribution_center_id: 1, code: "MAIN", name: "Main Warehouse" };

  test("are all listed, by rising id, and each is read by its id", async () => {
    const answer = await service.oms.get("/distribution_centers");
    const one = await service.oms.get("/distribution_centers/1");

    const codes = listAt(answer.body, "data").map((center) => at(center, "code"));
    expect([answer.status, one.status]).toEqual([200, 200]);
    expect(codes).toEqual(["MAIN", "EAST", "IDLE"]);
    expect(answer.body).toMatchObject({ data: [main, {}, {}], ...whole(3) });
    expect(one.body).toEqual({ data: main });
  });
});

describe("the warehouse's locations", () => {
  test("are read with their bins by every warehouse user", async () => {
    const answer = await service.wms.get("/locations");

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "data").map((one) => at(one, "location"))).toEqual(["A1", "A2", "B1", "E1"]);
    expect(at(answer.body, "data.0")).toEqual(a1);
    expect(at(answer.body, "metadata")).toEqual(whole(4).metadata);
  });

  test.each<[string, readonly string[], number]>([
    ["distribution_center=MAIN&per_page=2", ["A1", "A2"], 3],
    ["distribution_center=MAIN&per_page=2&page=2", ["B1"], 3],
    ["distribution_center=EAST", ["E1"], 1],
    ["distribution_center=main", [], 0],
  ])("are those asked for by %s", async (query, names, total) => {
    const { body } = await service.wms.get(`/locations?${query}`);

    expect(listAt(body, "data").map((one) => at(one, "location"))).toEqual(names);
    expect(at(body, "metadata.total_records")).toBe(total);
  });
});

describe("a reference to what is not registered", () => {
  test("is 400 and lists what is, at most 20 values", async () => {
    const owner = { db: service.db, ...(await newStore(service)) };
    const codes = Array.from({ length: 23 }, (_, index) => `M${String(index).padStart(2, "0")}`);
    await Promise.all(
      codes.map((code) => putEntries(service.db, owner.accountId, { shippingMethods: [code] })),
    );
    await putEntries(service.db, owner.accountId, { stores: [{ store_id: 5, name: "Fifth Shop" }] });

    const order = await owner.oms.post("/orders", {
      data: [orderOf(undefined, { shipping_method: "PIGEON", cart: { id: 9, store_name: "Nobody's" } })],
    });
    const product = await owner.oms.post("/inventory/products", {
      data: [productOf({ supplier: "Nobody", package_type: "BAG", distribution_center: "WEST" })],
    });

    const messages = ({ body }: typeof order) =>
      listAt(body, "response.errors").map((error) => `${at(error, "path")} ${at(error, "message")}`);
    expect([order.status, product.status]).toEqual([400, 400]);
    expect(messages(order).slice(0, 3)).toEqual([
      `data.0.shipping_method is not a shipping method of the account (PIGEON); it has ${codes.slice(0, 20).join(", ")} and 3 more`,
      "data.0.cart.store_name is not a store of the account (Nobody's); it has Fifth Shop",
      "data.0.cart.id is not a store of the account (9); it has 5 (Fifth Shop)",
    ]);
    expect(messages(product)).toEqual([
      "data.0.supplier is not a registered supplier (Nobody); registered are none",
      "data.0.package_type is not a registered package type (BAG); registered are none",
      "data.0.distribution_center is not a registered distribution center (WEST); registered are EAST, IDLE, MAIN",
    ]);
  });
});
