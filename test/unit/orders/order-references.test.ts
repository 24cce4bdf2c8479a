import { describe, expect, test } from "vitest";
import { largestTerms, maxItems, type Order, type OrderTerms } from "../../../shared/orders/order.ts";
import type { OrderInput } from "../../../shared/orders/order-input.ts";
import {
  type OrderReferences,
  resolveOrders,
  resolveTerms,
} from "../../../shared/orders/order-references.ts";
import { accepted, customerInput, linesOf, orderInputOf, orderOf, problemOf } from "../samples.ts";

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
  hasShippingMethod: (code) => code === "GROUND",
  holderOf: () => undefined,
  storeNamed: (name) => stores.find((store) => store.name === name),
  storeWithId: (id) => stores.find((store) => store.id === id),
  product: (sku) => {
    const id = /^P-(\d+)$/.exec(sku)?.[1];
    if (id !== undefined) return { sku, product_id: Number(id) + 1000, distribution_center_id: 1 };
    return products.get(sku);
  },
  alias: () => undefined,
  kit: () => undefined,
  accepted,
};

function agreed(more: Partial<OrderInput>): OrderTerms {
  const resolved = resolveTerms(orderInputOf(more), references, "data.0");
  if ("errors" in resolved) throw new Error(JSON.stringify(resolved.errors));
  return resolved.terms;
}

function wrong(more: Partial<OrderInput>): readonly string[] {
  const resolved = resolveTerms(orderInputOf(more), references, "data.0");
  if ("terms" in resolved) throw new Error("nothing was wrong");
  return resolved.errors.map((error) => `${error.path} ${error.message}`);
}

describe("the shipping method", () => {
  test("is kept if the account has it", () => {
    expect(agreed({}).shipping_method).toBe("GROUND");
  });

  test.each(["ground", "EXPRESS"])("%s, which the account has not, is refused by name", (code) => {
    expect(wrong({ shipping_method: code })).toEqual([
      `data.0.shipping_method is not a shipping method of the account (${code}); it has EXPRESS, GROUND`,
    ]);
  });
});

describe("the store", () => {
  test.each([
    { rule: "is none without a cart", cart: undefined, store: null },
    { rule: "is none with a cart that names none", cart: {}, store: null },
    { rule: "is found by its name", cart: { store_name: "Demo Web Store" }, store: webStore },
    { rule: "is found by its id", cart: { id: 2 }, store: marketplace },
    {
      rule: "is the one named where name and id differ",
      cart: { store_name: "Demo Web Store", id: 2 },
      store: webStore,
    },
    {
      rule: "is the one named where the id is unknown",
      cart: { store_name: "Demo Web Store", id: 99 },
      store: webStore,
    },
    {
      rule: "is the one with the id where the name matches none exactly",
      cart: { store_name: "demo web store", id: 2 },
      store: marketplace,
    },
  ])("$rule", ({ cart, store }) => {
    expect(agreed(cart === undefined ? {} : { cart }).store).toEqual(store);
  });

  test.each([
    {
      rule: "an unknown name is refused",
      cart: { store_name: "Nowhere" },
      errors: [
        "data.0.cart.store_name is not a store of the account (Nowhere); it has Demo Marketplace, Demo Web Store",
      ],
    },
    {
      rule: "an unknown id is refused",
      cart: { id: 0 },
      errors: [
        "data.0.cart.id is not a store of the account (0); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
    },
    {
      rule: "an unknown name with an unknown id is refused for both",
      cart: { store_name: "Nowhere", id: 9 },
      errors: [
        "data.0.cart.store_name is not a store of the account (Nowhere); it has Demo Marketplace, Demo Web Store",
        "data.0.cart.id is not a store of the account (9); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
    },
  ])("$rule", ({ cart, errors }) => {
    expect(wrong({ cart })).toEqual(errors);
  });
});

describe("items", () => {
  // What else becomes of items is tested with `resolveItems`.
  test("keep a price of nothing, which is not no price", () => {
    expect(agreed({ items: [{ sku: "TEE", quantity: 1, sold_price: 0 }] }).items[0]?.sold_price).toBe(0);
  });
});

describe("an order of many items with long names", () => {
  const named = (letters: number) => {
    const sku = "é".repeat(letters);
    const items = Array.from({ length: maxItems }, () => ({ sku, quantity: 1 }));
    const known = { ...references, product: () => ({ sku, product_id: 1, distribution_center_id: 1 }) };
    return resolveTerms(orderInputOf({ items }), known, "data.0");
  };

  test("is stored as long as it fits its item together with its history and its picks", () => {
    expect(named(30)).toHaveProperty("terms");
  });

  test("is rejected if it would not", () => {
    const message = `come to more than ${largestTerms} bytes with their names, the components of kits counted`;
    expect(named(100)).toEqual({ errors: [{ path: "data.0.items", message }] });
  });
});

describe("what is not sent", () => {
  test("has its default", () => {
    expect(agreed({})).toMatchObject({
      order_type_id: 1,
      order_reference: null,
      store: null,
      customer: { lastname: null, email: null, phone: null },
    });
  });

  test("is not put in place of what is", () => {
    const customer = { ...customerInput, lastname: "Case", email: "a@example.com", phone: "1" };

    expect(agreed({ order_type_id: 3, order_reference: "PO-7", customer })).toMatchObject({
      order_type_id: 3,
      order_reference: "PO-7",
      customer,
    });
  });
});

describe("the warehouse", () => {
  test.each([
    { order: ["TEE", "MUG"], warehouse: 1 },
    { order: ["MUG", "TEE"], warehouse: 2 },
  ])("of $order is the distribution center of the first", ({ order, warehouse }) => {
    const items = order.map((sku) => ({ sku, quantity: 1 }));

    expect(agreed({ items }).warehouse_id).toBe(warehouse);
  });
});

describe("the postal code", () => {
  test.each([
    ["00501", "00501"],
    ["K1A 0B1", "K1A 0B1"],
    [501, "501"],
    [0, "0"],
  ])("%j is kept as the string %j", (zip, kept) => {
    expect(agreed({ customer: { ...customerInput, zip } }).customer.zip).toBe(kept);
  });
});

describe("all orders of a call", () => {
  const resolve = (
    numbers: readonly string[],
    taken: readonly string[] = [],
    own: readonly Order[] = [],
    more: Partial<OrderInput> = {},
  ) =>
    resolveOrders(
      numbers.map((order_number) => orderInputOf({ order_number, ...more })),
      { ...references, holderOf: (number) => [...taken.keys()].find((id) => taken[id] === number) },
      own,
    );

  const owners = [0, 1].map((order_id) => orderOf({ order_id }));

  test("are resolved in their order", () => {
    const numbers = resolve(["B", "A", "C"]).map(({ order_number }) => order_number);

    expect(numbers).toEqual(["B", "A", "C"]);
  });

  test("may not repeat a number, and the first of them is not blamed", () => {
    const problem = problemOf(() => resolve(["A", "B", "A", "A"]));

    expect(linesOf(problem)).toEqual([
      "data.2.order_number is in this call twice (A)",
      "data.3.order_number is in this call twice (A)",
    ]);
  });

  test("tell numbers apart by case", () => {
    expect(resolve(["a", "A"])).toHaveLength(2);
  });

  test("may not have a number that the account has given", () => {
    const problem = problemOf(() => resolve(["A", "B"], ["B"]));

    expect(linesOf(problem)).toEqual(["data.1.order_number already exists (B)"]);
  });

  test("may keep the numbers that they have", () => {
    expect(resolve(["A", "B"], ["A", "B"], owners)).toHaveLength(2);
  });

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
  const inputs = [orderInputOf(named)];
  const paths = (before?: Order) =>
    problemOf(() => resolveOrders(inputs, references, before && [before])).details.errors?.map(
      ({ path }) => path,
    );

  expect(paths()).toEqual(["data.0.order_number", "data.0.order_reference"]);
  expect(paths(orderOf({ order_reference: "R\u2800" }))).toEqual(["data.0.order_number"]);
  expect(resolveOrders(inputs, references, [orderOf(named)])).toMatchObject([named]);
});
