import { beforeAll, describe, expect, test } from "vitest";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { operations } from "../../support/http/random.ts";
import { expectRefusedAt } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { customer, orderOf, unique } from "../../support/records/records.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

let service: Service;
beforeAll(async () => {
  service = await sharedService({ demoData: true });
});

/** What an order that was stored after all would change. */
const stored = async () => ({
  orders: numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records"),
  stock: at((await service.oms.get("/inventory/stock")).body, "data"),
});

const create = (...data: readonly unknown[]): Promise<Answer> => service.oms.post("/orders", { data });

/** A valid order with the value at a dotted path replaced; `undefined` leaves the field out. */
function orderWith(path: string, value: unknown): unknown {
  const replace = (place: unknown, [step = "", ...rest]: readonly string[]): unknown => {
    const next = rest.length === 0 ? value : replace(at(place, step), rest);
    if (Array.isArray(place)) return place.map((entry, index) => (String(index) === step ? next : entry));
    return { ...(typeof place === "object" ? place : {}), [step]: next };
  };
  return replace(orderOf([{ sku: "DEMO-MUG", quantity: 1, sold_price: 9.5 }]), path.split("."));
}

describe("a wrong order is 400 and stores nothing", () => {
  test("what is required is missing", async () => {
    const paths = [
      "order_number",
      "shipping_method",
      "customer",
      "customer.firstname",
      "customer.address1",
      "customer.city",
      "customer.state",
      "customer.zip",
      "customer.country",
      "items",
      "items.0.sku",
      "items.0.quantity",
    ];

    const answer = await create(...paths.map((path) => orderWith(path, undefined)));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      response: {
        success: false,
        message: "data.0.order_number is required",
        errors: paths.map((path, record) => ({ path: `data.${record}.${path}`, message: "is required" })),
      },
    });
  });

  test("what must not be empty is so", async () => {
    const paths = [
      "order_number",
      "shipping_method",
      "customer.firstname",
      "customer.address1",
      "customer.city",
      "customer.country",
      "items",
      "items.0.sku",
    ];

    const answer = await create(...paths.map((path) => orderWith(path, path === "items" ? [] : "")));

    expectRefusedAt(
      answer,
      paths.map((path, record) => `data.${record}.${path}`),
    );
  });

  // Null leaves an optional field out, so it is wrong only where a field is required.
  const noText = [12, true, ["a"], { a: 1 }];
  const noWholeNumber = ["1", 1.5, true, [1], { a: 1 }, 0, -1];
  test.each<[string, readonly unknown[]]>([
    ["order_number", [...noText, null]],
    ["order_reference", noText],
    ["shipping_method", [...noText, null]],
    ["order_type_id", noWholeNumber],
    ["cart", ["Demo Web Store", 1, true, [1]]],
    ["cart.store_name", noText],
    ["cart.id", ["1", 1.5, true, [1], { a: 1 }]],
    ["customer", ["Ada", 1, true, ["a"], null]],
    ["customer.firstname", [...noText, null]],
    ["customer.lastname", noText],
    ["customer.email", [...noText, "nobody", "a@", "@b.example", "a b@c.example"]],
    ["customer.phone", noText],
    ["customer.address1", [...noText, null]],
    ["customer.city", [...noText, null]],
    ["customer.state", [...noText, null]],
    ["customer.zip", [true, ["a"], { a: 1 }, null, 1.5, -1]],
    ["customer.country", [...noText, null]],
    ["items", ["DEMO-MUG", 1, true, { sku: "DEMO-MUG", quantity: 1 }, null]],
    ["items.0", ["DEMO-MUG", 1, true, ["a"], null]],
    ["items.0.sku", [...noText, null]],
    ["items.0.quantity", [...noWholeNumber, null, -0.5, 1e30]],
    ["items.0.sold_price", ["1", true, [1], { a: 1 }, -1e30]],
  ])("%s must have its type", async (path, values) => {
    const answer = await create(...values.map((value) => orderWith(path, value)));

    expectRefusedAt(
      answer,
      values.map((_, record) => `data.${record}.${path}`),
    );
  });

  test("quantities are refused in plain words", async () => {
    const cases = [
      [0, "must be at least 1"],
      [-1, "must be at least 1"],
      [1.5, "must be a whole number"],
      ["1", "must be a number"],
    ] as const;

    const answer = await create(...cases.map(([quantity]) => orderWith("items.0.quantity", quantity)));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      response: {
        success: false,
        message: "data.0.items.0.quantity must be at least 1",
        errors: cases.map(([, message], record) => ({
          path: `data.${record}.items.0.quantity`,
          message,
        })),
      },
    });
  });

  test("what names nothing of the account's, each case of it told", async () => {
    const cases: readonly (readonly [string, string, unknown, string])[] = [
      ["an unknown SKU", "items.0.sku", "NO-SUCH", "is not a known SKU (NO-SUCH)"],
      ["a SKU in other letters", "items.0.sku", "demo-mug", "is not a known SKU (demo-mug)"],
      [
        "an unknown shipping method",
        "shipping_method",
        "PIGEON",
        "is not a shipping method of the account (PIGEON); it has EXPRESS, GROUND",
      ],
      [
        "a shipping method in other letters",
        "shipping_method",
        "ground",
        "is not a shipping method of the account (ground); it has EXPRESS, GROUND",
      ],
      [
        "an unknown store name",
        "cart.store_name",
        "No Such Store",
        "is not a store of the account (No Such Store); it has Demo Marketplace, Demo Web Store",
      ],
      [
        "a store name in other letters",
        "cart.store_name",
        "demo web store",
        "is not a store of the account (demo web store); it has Demo Marketplace, Demo Web Store",
      ],
      [
        "an unknown channel id",
        "cart.id",
        99,
        "is not a store of the account (99); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
      [
        "another account's channel id",
        "cart.id",
        3,
        "is not a store of the account (3); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
      [
        "a channel id of 0",
        "cart.id",
        0,
        "is not a store of the account (0); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
      [
        "a negative channel id",
        "cart.id",
        -1,
        "is not a store of the account (-1); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
      [
        "a huge channel id",
        "cart.id",
        9_007_199_254_740_991,
        "is not a store of the account (9007199254740991); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
      ],
    ];

    const answer = await create(...cases.map(([, path, value]) => orderWith(path, value)));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors")).toEqual(
      cases.map(([, path, , message], record) => ({ path: `data.${record}.${path}`, message })),
    );
  });

  test("an unknown store name with an unknown channel id", async () => {
    const answer = await create(orderOf(undefined, { cart: { store_name: "No Such Store", id: 99 } }));

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors").map((error) => at(error, "path"))).toEqual([
      "data.0.cart.store_name",
      "data.0.cart.id",
    ]);
  });

  test("an order number that exists", async () => {
    const answer = await create(orderOf(undefined, { order_number: "DEMO-1" }));

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      response: {
        success: false,
        message: "data.0.order_number already exists (DEMO-1)",
        errors: [{ path: "data.0.order_number", message: "already exists (DEMO-1)" }],
      },
    });
  });

  test("an order number twice in a call", async () => {
    const order_number = unique("TWICE");

    const answer = await create(
      orderOf(undefined, { order_number }),
      orderOf(),
      orderOf(undefined, { order_number }),
    );

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors")).toEqual([
      { path: "data.2.order_number", message: `is in this call twice (${order_number})` },
    ]);
  });

  test.each([0, 101])("a call of %i records", async (count) => {
    const answer = await create(...Array.from({ length: count }, () => orderOf()));

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "response.errors")).toEqual([
      { path: "data", message: expect.stringMatching(/^must hold at (least 1 element|most 100 elements)$/) },
    ]);
  });

  test.each<[string, unknown]>([
    ["of the wrong type", orderWith("items.0.quantity", "1")],
    ["with an unknown SKU", orderWith("items.0.sku", "NO-SUCH")],
    ["with a taken number", orderWith("order_number", "DEMO-1")],
    ["that is no object", null],
  ])("one bad record %s among good ones", async (_case, bad) => {
    const good = Array.from({ length: 4 }, () => orderOf());

    const answer = await create(...good.slice(0, 3), bad, ...good.slice(3));
    const found = await Promise.all(
      good.map(({ order_number }) => service.oms.get(`/orders/${order_number}?identify_by=order_number`)),
    );

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toMatch(/^data\.3/);
    expect(at(answer.body, "data")).toBeUndefined();
    expect(found.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test("texts must not be endless", async () => {
    const paths = [
      "order_number",
      "order_reference",
      "shipping_method",
      "cart.store_name",
      "customer.firstname",
      "customer.lastname",
      "customer.email",
      "customer.phone",
      "customer.address1",
      "customer.city",
      "customer.state",
      "customer.zip",
      "customer.country",
      "items.0.sku",
    ];

    const answer = await create(...paths.map((path) => orderWith(path, "x".repeat(10_000))));

    expectRefusedAt(
      answer,
      paths.map((path, record) => `data.${record}.${path}`),
    );
  });

  test("a sold_price that is too small to be kept", async () => {
    const answer = await create(orderWith("items.0.sold_price", -1e-200));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors")).toEqual([
      { path: "data.0.items.0.sold_price", message: "must be 0, or at least 1e-9 from it" },
    ]);
  });

  test("texts that are not well-formed Unicode, which could not be kept as they are", async () => {
    const paths = ["order_number", "order_reference", "customer.city", "items.0.sku"];

    const answer = await create(...paths.map((path) => orderWith(path, `${unique("X")}\ud800`)));

    expectRefusedAt(
      answer,
      paths.map((path, record) => `data.${record}.${path}`),
    );
  });

  test("501 items", async () => {
    const answer = await create(
      orderOf(Array.from({ length: 501 }, () => ({ sku: "DEMO-MUG", quantity: 1 }))),
    );

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.items");
  });

  test("one bad item among good ones", async () => {
    const answer = await create(
      orderOf([
        { sku: "DEMO-MUG", quantity: 1 },
        { sku: "DEMO-TEE", quantity: 0 },
        { sku: "DEMO-CAP", quantity: 1 },
      ]),
    );

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.errors.0.path")).toBe("data.0.items.1.quantity");
  });

  changeNothing(stored);
});

describe("what looks wrong and is not", () => {
  test("one SKU in many lines, and reserved in sum", async () => {
    const answer = await create(
      orderOf(Array.from({ length: 200 }, () => ({ sku: "DEMO-CAP", quantity: 2 }))),
    );
    const stock = await service.oms.get("/inventory/stock?sku=DEMO-CAP");
    await service.oms.post("/orders/cancel", { order_id: numberAt(answer.body, "data.0.order_id") });
    const after = await service.oms.get("/inventory/stock?sku=DEMO-CAP");

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "data.0.items")).toHaveLength(200);
    expect(at(stock.body, "data.0.reserved")).toBe(400);
    expect(at(after.body, "data.0.reserved")).toBe(0);
  });

  test("a SKU and a shipping method with blanks around them", async () => {
    const answer = await create(orderOf([{ sku: " DEMO-MUG", quantity: 1 }], { shipping_method: "GROUND " }));

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.items.0")).toMatchObject({ sku: "DEMO-MUG", ordered_as: "DEMO-MUG" });
    expect(at(answer.body, "data.0.shipping_method")).toBe("GROUND");
  });

  test.each([
    ["a string", "00501", "00501"],
    ["an integer", 62701, "62701"],
  ])("a zip may be %s and is kept as a string", async (_case, zip, kept) => {
    const answer = await create(orderOf(undefined, { customer: { ...customer, zip } }));

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.customer.zip")).toBe(kept);
  });

  test.each<[string, object, object]>([
    ["a store name", { store_name: "Demo Marketplace" }, { id: 2, store_name: "Demo Marketplace" }],
    ["a channel id", { id: 1 }, { id: 1, store_name: "Demo Web Store" }],
    [
      "an unknown name with a channel id",
      { store_name: "?", id: 2 },
      { id: 2, store_name: "Demo Marketplace" },
    ],
    [
      "a name that disagrees with the id: the name wins",
      { store_name: "Demo Web Store", id: 2 },
      { id: 1, store_name: "Demo Web Store" },
    ],
  ])("a cart finds its store by %s", async (_case, cart, found) => {
    const answer = await create(orderOf(undefined, { cart }));

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.cart")).toEqual(found);
  });

  test("more than is there makes a backorder, not an error", async () => {
    const answer = await create(orderOf([{ sku: "DEMO-CAP", quantity: 1000 }]));
    const stock = await service.oms.get("/inventory/stock?sku=DEMO-CAP");
    await service.oms.post("/orders/cancel", { order_id: numberAt(answer.body, "data.0.order_id") });

    expect(answer.status).toBe(200);
    expect(at(stock.body, "data.0")).toMatchObject({ on_hand: 10, reserved: 1000, available: -990 });
  });

  test("100 records in one call are stored in their order", async () => {
    const sent = Array.from({ length: 100 }, () => orderOf([{ sku: "DEMO-TEE", quantity: 1 }]));

    const answer = await create(...sent);

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "data").map((order) => at(order, "order_number"))).toEqual(
      sent.map(({ order_number }) => order_number),
    );
  });
});

describe("an order number that is taken in between", () => {
  test("two calls at once store it exactly once, and the other is told", async () => {
    let before = await stored();
    for (let round = 0; round < operations(3, 10); round += 1) {
      const order_number = unique("RACE");
      const order = orderOf([{ sku: "DEMO-TEE", quantity: 1 }], { order_number });

      const answers = await timesAtOnce(service, 2, () => create(order));
      const after = await stored();
      const found = await service.oms.get(`/orders/${order_number}?identify_by=order_number`);

      const winner = answers.find(({ status }) => status === 200);
      const loser = answers.find(({ status }) => status === 400);
      expect(after.orders).toBe(before.orders + 1);
      expect(at(found.body, "data.order_id")).toBe(at(winner?.body, "data.0.order_id"));
      expect(loser?.body).toMatchObject({
        response: {
          success: false,
          message: expect.stringContaining(`already exists (${order_number})`),
          errors: [{ path: "data.0.order_number", message: `already exists (${order_number})` }],
        },
      });
      const data = at(loser?.body, "data");
      if (data !== undefined) expect(data).toEqual([{ success: false, message: expect.any(String) }]);
      before = after;
    }
  });
});
