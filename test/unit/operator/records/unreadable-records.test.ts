import { beforeEach, expect, test } from "vitest";
import { insertProduct } from "../../../../shared/catalog/products/product-repository.ts";
import { insertOrder, orderList, orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../../shared/store/lists/allocate.ts";
import { damage, invent } from "../../../support/damages/damage.ts";
import { faultyStore } from "../../../support/records/faulty-store.ts";
import { nowhere, runOperator } from "../../../support/store/operator.ts";
import { sampleOrder, sampleProduct } from "../../samples.ts";

let db: Database;
const operator = (...words: readonly string[]) =>
  runOperator([...words, "--yes"], { ...db, layouts: nowhere.layouts });

beforeEach(async () => {
  ({ db } = faultyStore());
  await operator("accounts", "create", "100", "Demo");
  await allocate(db, orderList, "100", 4);
  for (const order_id of [1000, 1001, 1002, 1003])
    await transact(db, insertOrder(sampleOrder({ order_id, order_number: String(order_id) }), "data.0"));
  await damage(db, orderLookup(1001), {}, { content: "torn" });
  await damage(db, orderLookup(1002), {}, { layout: 7 });
});

test.each(["20", "2"])(
  "orders that can't be read are named, and the others are listed, %s at most",
  async (limit) => {
    const { status, stdout, stderr } = await operator("orders", "list", "--json", "--limit", limit);

    expect([status, JSON.parse(stdout)]).toMatchObject([5, [{ order_id: 1003 }, { order_id: 1000 }]]);
    expect(stderr.split("\n").toSorted()).toEqual([
      "",
      expect.stringMatching(
        /^Left out, as data verify reports it: order 1001 can't be read \(content: invalid_type\)$/,
      ),
      expect.stringMatching(
        /^Left out, as data verify reports it: the item order#2 000000001002 .* has layout 7, /,
      ),
    ]);
  },
);

test.each([
  ["1001", "order 1001 can't be read (content: invalid_type)"],
  ["1002", "the item order#2 000000001002 of the table orders has layout 7"],
])("the error about order %s begins with the order", async (order, message) => {
  const { status, stderr } = await operator("orders", "show", order);

  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(stderr.startsWith(message)).toBe(true);
});

test("an erasure goes on if orders of other customers can't be read, names them, and ends with 5", async () => {
  const { status, stdout, stderr } = await operator("customers", "erase", "--email", "nobody@example.com");

  expect([status, stdout]).toEqual([5, expect.stringContaining("A second search finds: orders 0")]);
  for (const id of ["1001", "1002"])
    expect(stderr).toContain(`An item can't be read and stays as it is: orders order#2 00000000${id}\n`);
});

test("a bin is shown although others can't be read, and names what can't be read of itself", async () => {
  const torn = binContentLookup(1, "A2", "01");
  await operator("distribution-centers", "add", "1", "MAIN", "Main");
  for (const [id, location] of [
    ["1", "A1"],
    ["2", "A2"],
  ] as const)
    await operator("bins", "add", id, location, "01", "MAIN");
  await invent(db, torn, { account_id: 100, layers: "torn" });

  const [other, own] = [
    await operator("bins", "show", "A1", "01"),
    await operator("bins", "show", "A2", "01"),
  ];

  expect([other.status, other.stdout]).toEqual([0, "The bin A1/01 has never held goods.\n"]);
  expect([own.status, own.stdout, own.stderr]).toEqual([
    5,
    "The bin A2/01 can't be read.\n",
    expect.stringContaining(
      `Left out, as data verify reports it: the item ${torn.key.pk} ${torn.key.sk} can't be read`,
    ),
  ]);
});

test("stock is explained by the orders that can be read, and says that others may reserve it", async () => {
  const product = sampleProduct({ sku: "TEE" });
  await transact(db, insertProduct(product, { distribution_center_id: 1, code: "MAIN" }, "data.0"));

  const { status, stdout, stderr } = await operator("stock", "explain", "100", "TEE", "--json");

  expect([status, JSON.parse(stdout)]).toMatchObject([5, { orders_complete: false }]);
  expect(stderr.match(/Left out/g)).toHaveLength(2);
});
