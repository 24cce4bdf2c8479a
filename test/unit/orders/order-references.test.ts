import { describe, expect, test } from "vitest";
import { placed, valuesOf } from "../../../shared/common/placed.ts";
import { maxItems, maxTermsBytes, type Order, type OrderTerms } from "../../../shared/orders/order.ts";
import type { OrderInput } from "../../../shared/orders/order-input.ts";
import {
  type OrderReferences,
  resolveOrders,
  type SentOrder,
} from "../../../shared/orders/order-references.ts";
import { linesOf, orderInputOf, problemOf, registered, sampleOrder } from "../samples.ts";

const webStore = { id: 1, name: "Demo Web Store" };
const marketplace = { id: 2, name: "Demo Marketplace" };
const stores = [webStore, marketplace];

const products = new Map(
  [
    { sku: "TEE", product_id: 1, distribution_center_id: 1 },
    { sku: "MUG", product_id: 2, distribution_center_id: 2 },
  ].map((product) => [product.sku, product]),
);

/** An account with two stores, one shipping method, and every SKU like `P-7` besides the two above. */
const references: OrderReferences = {
  holderOf: () => undefined,
  storeOf: (cart) =>
    stores.find(({ name }) => name === cart?.store_name) ?? stores.find(({ id }) => id === cart?.id),
  product: (sku) => {
    const id = /^P-(\d+)$/.exec(sku)?.[1];
    if (id !== undefined) return { sku, product_id: Number(id) + 1000, distribution_center_id: 1 };
    return products.get(sku);
  },
  alias: () => undefined,
  kit: () => undefined,
  registered,
};

const termsOf = (orders: readonly SentOrder[], known = references) =>
  valuesOf(resolveOrders(placed(orders), known)).map(({ terms }) => terms);

const agreed = (more: Partial<OrderInput>): OrderTerms | undefined =>
  termsOf([{ sent: orderInputOf(more) }])[0];

describe("an order of many items with long names", () => {
  const named = (letters: number) => {
    const sku = "é".repeat(letters);
    const items = Array.from({ length: maxItems }, () => ({ sku, quantity: 1 }));
    const known = { ...references, product: () => ({ sku, product_id: 1, distribution_center_id: 1 }) };
    return termsOf([{ sent: orderInputOf({ items }) }], known);
  };

  test("is stored as long as it fits its item together with its history and its picks", () => {
    expect(named(30)).toMatchObject([{ items: { length: maxItems } }]);
  });

  test("is rejected if it would not", () => {
    const message = `make the order larger than ${maxTermsBytes} bytes, including the components of kits`;
    expect(linesOf(problemOf(() => named(100)))).toEqual([`data.0.items ${message}`]);
  });
});

describe("the warehouse", () => {
  test.each([
    { order: ["TEE", "MUG"], warehouse: 1 },
    { order: ["MUG", "TEE"], warehouse: 2 },
  ])("of $order is the distribution center of the first", ({ order, warehouse }) => {
    const items = order.map((sku) => ({ sku, quantity: 1 }));

    expect(agreed({ items })?.warehouse_id).toBe(warehouse);
  });
});

describe("all orders of a call", () => {
  const resolve = (
    numbers: readonly string[],
    taken: readonly string[] = [],
    own: readonly Order[] = [],
    more: Partial<OrderInput> = {},
  ) =>
    termsOf(
      numbers.map((order_number, position) => {
        const before = own[position];
        return { sent: orderInputOf({ order_number, ...more }), ...(before && { before }) };
      }),
      { ...references, holderOf: (number) => [...taken.keys()].find((id) => taken[id] === number) },
    );

  const owners = [0, 1].map((order_id) => sampleOrder({ order_id }));

  test("may not take the number of another order, even of one in the call", () => {
    const problem = problemOf(() => resolve(["B", "A"], ["A", "B"], owners));

    expect(linesOf(problem)).toEqual([
      "data.0.order_number already exists (B)",
      "data.1.order_number already exists (A)",
    ]);
  });

  test("are refused together with everything that is wrong in any of them; the message names the first", () => {
    const more = { shipping_method: "FAST", cart: { id: 9 }, items: [{ sku: "NONE", quantity: 1 }] };

    const problem = problemOf(() => resolve(["A", "B"], ["B"], [], more));

    expect(problem.kind).toBe("invalid");
    expect(problem.message).toBe(
      "data.0.shipping_method is not a shipping method of the account (FAST); it has EXPRESS, GROUND",
    );
    expect(linesOf(problem)).toEqual([
      "data.0.shipping_method is not a shipping method of the account (FAST); it has EXPRESS, GROUND",
      "data.0.cart.id is not a store of the account (9); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      "data.0.items.0.sku is not a known SKU (NONE)",
      "data.1.order_number already exists (B)",
      "data.1.shipping_method is not a shipping method of the account (FAST); it has EXPRESS, GROUND",
      "data.1.cart.id is not a store of the account (9); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      "data.1.items.0.sku is not a known SKU (NONE)",
    ]);
  });
});

test("numbers and references that are shown in part only are refused, unless the order has them already", () => {
  const named = { order_number: "A\u3164", order_reference: "R\u2800" };
  const sent = orderInputOf(named);
  const paths = (before?: Order) =>
    problemOf(() => termsOf([{ sent, ...(before && { before }) }])).details.errors?.map(({ path }) => path);

  expect(paths()).toEqual(["data.0.order_number", "data.0.order_reference"]);
  expect(paths(sampleOrder({ order_reference: "R\u2800" }))).toEqual(["data.0.order_number"]);
  expect(termsOf([{ sent, before: sampleOrder(named) }])).toMatchObject([named]);
});
