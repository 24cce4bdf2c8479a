import { describe, expect, test, vi } from "vitest";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as listOrders } from "../../../functions/oms/orders/list-orders.ts";
import { putEntries } from "../../../infra/operator/set-up/registry.ts";
import { claim, newOrders, newProduct, newProducts, newStore } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { contextOf, type Owner } from "../../support/records/flows.ts";
import { orderOf } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** What the lists of this file choose from. */
interface Known {
  readonly order_id: number;
  readonly created_at: string;
  readonly status_id: number;
  readonly order_type_id: number;
  readonly warehouse_id: number;
  readonly store_id: number | undefined;
}

const stores = [
  { store_id: 71, name: "Corner Shop" },
  { store_id: 72, name: "Corner Shop Ä & B" },
];
/** Creation times at both ends of days, in rising order, as an account's are. */
const times = [
  "2026-01-30T00:00:00.000Z",
  "2026-01-31T23:59:59.999Z",
  "2026-02-01T00:00:00.000Z",
  "2026-02-01T12:30:00.000Z",
  "2026-02-28T23:59:59.999Z",
  "2026-03-01T00:00:00.000Z",
  "2026-03-15T08:00:00.000Z",
];
const pending = 1;
const cancelled = 10;

const ids = (orders: readonly Known[]) => orders.map(({ order_id }) => order_id);
const dayOf = ({ created_at }: Known) => created_at.slice(0, 10);

const idsOf = (body: unknown) => listAt(body, "data").map((order) => numberAt(order, "order_id"));

const service = await sharedService({ demoData: true });
const store = await newStore(service);
const owner = { db: service.db, accountId: store.accountId };
const oms = store.oms;
await putEntries(owner.db, owner.accountId, { shippingMethods: ["GROUND"], stores });
await newProducts(owner, [{ sku: "MAIN-1" }, { sku: "EAST-1", distribution_center: "EAST" }]);
const orders = await storeOrders(owner);
const toCancel = orders.filter((_, position) => position % 3 === 0);
const answer = await oms.post("/orders/cancel-bulk", { order_ids: ids(toCancel) });
if (answer.status !== 200) throw new Error("the orders were not cancelled");
/** Every order of the account, by rising id. */
const known: readonly Known[] = orders.map((order) =>
  toCancel.includes(order) ? { ...order, status_id: cancelled } : order,
);

/** Stores orders of every combination of store, type and warehouse on each of the days. */
async function storeOrders(owner: Owner): Promise<readonly Known[]> {
  const orders: Known[] = [];
  // Creation times are the clock's: nothing else may run meanwhile.
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    for (const now of times) {
      const data = [undefined, { id: 71 }, { id: 72 }].flatMap((cart) =>
        [1, 2].flatMap((order_type_id) =>
          ["MAIN-1", "EAST-1"].map((sku) => ({
            ...orderOf(),
            items: [{ sku, quantity: 1 }],
            order_type_id,
            ...(cart === undefined ? {} : { cart }),
          })),
        ),
      );
      vi.setSystemTime(now);
      const { data: made } = await createOrders.flow({ body: { data } }, { ...contextOf(owner), now });
      orders.push(...made.map((order) => ({ ...order, store_id: order.cart?.id })));
    }
  } finally {
    vi.useRealTimers();
  }
  return orders;
}

type Wanted = (order: Known) => boolean;

describe("the order list", () => {
  test.each<[string, Wanted]>([
    ["", () => true],
    [`status_id=${pending}`, ({ status_id }) => status_id === pending],
    [`status_id=${cancelled}`, ({ status_id }) => status_id === cancelled],
    ["status_id=4", () => false],
    ["status_id=9", () => false],
    ["status_id=10,4", ({ status_id }) => status_id === cancelled],
    ["status_id=1,10&order_type_id=2", ({ order_type_id }) => order_type_id === 2],
    ["order_type_id=1", ({ order_type_id }) => order_type_id === 1],
    ["order_type_id=2", ({ order_type_id }) => order_type_id === 2],
    ["order_type_id=3", () => false],
    ["warehouse_id=1", ({ warehouse_id }) => warehouse_id === 1],
    ["warehouse_id=2", ({ warehouse_id }) => warehouse_id === 2],
    ["warehouse_id=9", () => false],
    ["filter_by=store_id&filter_value=71", ({ store_id }) => store_id === 71],
    ["filter_by=cart_id&filter_value=72", ({ store_id }) => store_id === 72],
    ["filter_by=store_id&filter_value=7", () => false],
    ["filter_by=store_id&filter_value=0", () => false],
    ["filter_by=store_id&filter_value=1", () => false],
    ["filter_by=store_name&filter_value=Corner+Shop", ({ store_id }) => store_id === 71],
    ["filter_by=store_name&filter_value=Corner%20Shop%20%C3%84%20%26%20B", ({ store_id }) => store_id === 72],
    ["filter_by=store_name&filter_value=corner+shop", () => false],
    ["filter_by=store_name&filter_value=Demo+Web+Store", () => false],
    ["from_date=2026-02-01", (order) => dayOf(order) >= "2026-02-01"],
    ["from_date=2026-02-02", (order) => dayOf(order) >= "2026-02-02"],
    ["to_date=2026-01-31", (order) => dayOf(order) <= "2026-01-31"],
    ["to_date=2026-01-29", () => false],
    ["from_date=2026-03-16", () => false],
    ["from_date=2026-02-01&to_date=2026-02-01", (order) => dayOf(order) === "2026-02-01"],
    [
      "from_date=2026-01-31&to_date=2026-02-28",
      (order) => dayOf(order) >= "2026-01-31" && dayOf(order) <= "2026-02-28",
    ],
    ["from_date=2026-02-02&to_date=2026-02-27", () => false],
    ["from_date=2026-02-01T12:30:00Z", ({ created_at }) => created_at >= "2026-02-01T12:30:00.000Z"],
    ["from_date=2026-02-01T12:30:00.001Z", ({ created_at }) => created_at > "2026-02-01T12:30:00.000Z"],
    ["to_date=2026-02-01T12:29:59.999Z", ({ created_at }) => created_at < "2026-02-01T12:30:00.000Z"],
    ["to_date=2026-02-01T14:30:00%2B02:00", ({ created_at }) => created_at <= "2026-02-01T12:30:00.000Z"],
    ["from_date=2026-02-01T00:00:00.001&to_date=2026-02-01", ({ created_at }) => created_at === times[3]],
    ["from_date=2026-02-01&to_date=2026-02-01T12:00:00Z", ({ created_at }) => created_at === times[2]],
    [
      "status_id=1&from_date=2026-01-31T23:59:59.999Z&to_date=2026-02-28T23:59:59.998Z",
      ({ status_id, created_at }) =>
        status_id === pending && created_at > "2026-01-31" && created_at < "2026-02-28",
    ],
    ["from_date=2026-02-01T12:30:00.001Z&to_date=2026-02-28T00:00:00Z", () => false],
    [
      "status_id=1&order_type_id=2&warehouse_id=2",
      (order) => order.status_id === pending && order.order_type_id === 2 && order.warehouse_id === 2,
    ],
    [
      "status_id=10&filter_by=store_id&filter_value=72",
      (order) => order.status_id === cancelled && order.store_id === 72,
    ],
    [
      "warehouse_id=1&from_date=2026-02-01&to_date=2026-03-01",
      (order) => order.warehouse_id === 1 && dayOf(order) >= "2026-02-01" && dayOf(order) <= "2026-03-01",
    ],
    [
      "status_id=1&order_type_id=1&warehouse_id=1&filter_by=store_name&filter_value=Corner+Shop&from_date=2026-01-31",
      (order) =>
        order.status_id === pending &&
        order.order_type_id === 1 &&
        order.warehouse_id === 1 &&
        order.store_id === 71 &&
        dayOf(order) >= "2026-01-31",
    ],
  ])("holds exactly what matches: %s", async (query, wanted) => {
    const expected = ids(known.filter(wanted));

    const { status, body } = await oms.get(`/orders?per_page=100&order_direction=asc&${query}`);

    expect(status).toBe(200);
    expect(numberAt(body, "metadata.total_records")).toBe(expected.length);
    expect(numberAt(body, "pagination.total")).toBe(expected.length);
    expect(idsOf(body)).toEqual(expected);
  });

  // Each kind of filter, alone or with others, is asked for in falling order, which is the other way to read
  // a list.
  test.each<[string, number, Wanted]>([
    ["", 13, () => true],
    ["", 40, () => true],
    ["order_direction=asc", 25, () => true],
    ["order_by=OrderDate", 30, () => true],
    ["order_by=OrderDate&order_direction=asc", 30, () => true],
    ["status_id=1", 20, ({ status_id }) => status_id === pending],
    ["status_id=10,4", 10, ({ status_id }) => status_id === cancelled],
    ["order_type_id=2&order_direction=asc", 15, ({ order_type_id }) => order_type_id === 2],
    [
      "from_date=2026-01-31&to_date=2026-02-28",
      16,
      (order) => dayOf(order) >= "2026-01-31" && dayOf(order) <= "2026-02-28",
    ],
    [
      "filter_by=store_name&filter_value=Corner+Shop&order_by=OrderDate",
      10,
      ({ store_id }) => store_id === 71,
    ],
    [
      "filter_by=store_id&filter_value=72&order_type_id=1&warehouse_id=2",
      3,
      (order) => order.store_id === 72 && order.order_type_id === 1 && order.warehouse_id === 2,
    ],
  ])("has pages that partition the whole, in its order: %s by %i", async (query, per_page, wanted) => {
    const rising = ids(known.filter(wanted));
    const expected = query.includes("order_direction=asc") ? rising : rising.toReversed();
    const count = Math.ceil(expected.length / per_page);

    const pages = await Promise.all(
      Array.from({ length: count + 1 }, (_, index) =>
        oms.get(`/orders?page=${index + 1}&per_page=${per_page}&${query}`),
      ),
    );

    expect(count).toBeGreaterThan(1);
    expect(pages.flatMap(({ body }) => idsOf(body))).toEqual(expected);
    for (const { body } of pages) {
      expect(numberAt(body, "metadata.total_records")).toBe(expected.length);
      expect(numberAt(body, "metadata.total_pages")).toBe(count);
    }
  });

  test.each([
    [1, "Pending", "DEMO-1"],
    [4, "Processing", "DEMO-2"],
    [9, "Shipped", "DEMO-3"],
  ])("finds the demo's orders of status %i", async (status_id, status, order_number) => {
    const answer = await service.oms.get(`/orders?status_id=${status_id}`);

    expect(listAt(answer.body, "data")).toEqual([
      expect.objectContaining({ status_id, status, order_number }),
    ]);
  });
});

describe("an order that changes its status while a page is read", () => {
  test.each([{}, { status_id: ["1", "4"] }])("is on the page with %j", async (query) => {
    const { accountId } = await newStore(service);
    const owner = { db: service.db, accountId };
    await putEntries(owner.db, accountId, { shippingMethods: ["GROUND"] });
    const { sku } = await newProduct(owner);
    const [changing = 0, other = 0] = await newOrders(owner, [
      [{ sku, quantity: 1 }],
      [{ sku, quantity: 1 }],
    ]);
    const troubled = troubledDatabase(service);
    troubled.add({ before: () => claim(owner, changing) }, { command: "Query", text: '"IndexName":"cells"' });

    const { data, metadata } = await listOrders.flow(
      { query: { page: 1, per_page: 20, order_by: "OrderID", order_direction: "asc", ...query } },
      contextOf({ db: troubled.db, accountId }),
    );

    expect(troubled.hits).toBe(1);
    expect(data.map(({ order_id }) => order_id)).toEqual([changing, other]);
    expect(metadata).toMatchObject({ total_records: 2, total_current_page: 2 });
  });
});

describe("a wrong query is 400", () => {
  test("in each unknown parameter, whatever its name", async () => {
    const answer = await oms.get("/orders?unknown=1&__proto__=2&constructor=3&per_page=5");

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "unknown",
      "__proto__",
      "constructor",
    ]);
  });
});

test.each([
  "from_date=2024-02-29",
  "to_date=2026-02-28",
  "from_date=2026-02-01&to_date=2026-02-01",
  "from_date=0001-01-01&to_date=9999-12-31",
])("a date at the edge of a month, a year or the calendar is accepted: %s", async (query) => {
  const answer = await oms.get(`/orders?${query}`);

  expect(answer.status).toBe(200);
});
