import { describe, expect, test } from "vitest";
import { largestQuantity } from "../../../shared/domain/fields.ts";
import { mostItems } from "../../../shared/domain/order.ts";
import { type ItemReferences, resolveItems } from "../../../shared/domain/order-items.ts";
import type { FieldError } from "../../../shared/domain/problem.ts";
import { mostProducts } from "../../../shared/domain/stock.ts";

const resolvedOf = (sku: string, product_id: number) => ({ sku, product_id, distribution_center_id: 1 });
const tee = resolvedOf("TEE", 1);
const mug = resolvedOf("MUG", 2);
const cap = resolvedOf("CAP", 3);

const products = new Map([tee, mug, cap].map((product) => [product.sku, product]));
/** By channel and text. `CAP` is also a product, `SET` also a kit. */
const aliases = new Map([
  ["2 EXT-TEE", tee],
  ["2 CAP", tee],
  ["2 SET", mug],
]);
const kits = new Map([
  [
    "SET",
    [
      { ...tee, quantity: 1 },
      { ...mug, quantity: 2 },
    ],
  ],
  ["MUG", [{ ...tee, quantity: 1 }]],
  [
    "WIDE",
    Array.from({ length: mostProducts }, (_, id) => ({ ...resolvedOf(`P-${id}`, 100 + id), quantity: 1 })),
  ],
  ["HALVES", [{ ...tee, quantity: largestQuantity / 2 }]],
]);

const references: ItemReferences = {
  product: (sku) => products.get(sku),
  alias: (channelId, alias) => aliases.get(`${channelId} ${alias}`),
  kit: (name) => kits.get(name),
};

type Lines = Parameters<typeof resolveItems>[0];
const marketplace = { id: 2, name: "Demo Marketplace" };

function resolve(lines: Lines, channel: typeof marketplace | null = marketplace) {
  const errors: FieldError[] = [];
  const resolved = resolveItems(lines, channel, references, "data.0.items", errors);
  return { ...resolved, errors: errors.map(({ path, message }) => `${path} ${message}`) };
}

/** Which product a single line comes to, as `product of what was ordered`. */
const productsOf = (sku: string, channel: typeof marketplace | null = marketplace) =>
  resolve([{ sku, quantity: 1 }], channel).items.map((item) => `${item.sku} of ${item.ordered_as}`);

describe("a line", () => {
  test.each([
    { rule: "names a product by its SKU", sku: "TEE", names: ["TEE of TEE"] },
    { rule: "names a product by the channel's alias", sku: "EXT-TEE", names: ["TEE of EXT-TEE"] },
    { rule: "that is a SKU and an alias names the product", sku: "CAP", names: ["CAP of CAP"] },
    { rule: "that is a SKU and a kit names the product", sku: "MUG", names: ["MUG of MUG"] },
    { rule: "that is an alias and a kit names the alias's product", sku: "SET", names: ["MUG of SET"] },
  ])("$rule", ({ sku, names }) => {
    expect(productsOf(sku)).toEqual(names);
  });

  test.each([
    ["of another channel", { id: 1, name: "Demo Web Store" }],
    ["where the order has no channel", null],
  ])("with an alias %s is no known SKU", (_, channel) => {
    expect(resolve([{ sku: "EXT-TEE", quantity: 1 }], channel).errors).toEqual([
      "data.0.items.0.sku is not a known SKU (EXT-TEE)",
    ]);
  });
});

describe("a kit", () => {
  test("is replaced by its components, so many for each kit, and noted with its price", () => {
    const resolved = resolve(
      [
        { sku: "TEE", quantity: 1, sold_price: 9.5 },
        { sku: "SET", quantity: 3, sold_price: 25 },
      ],
      null,
    );

    expect(resolved).toEqual({
      items: [
        { ...tee, ordered_as: "TEE", quantity: 1, sold_price: 9.5, returned: 0 },
        { ...tee, ordered_as: "SET", quantity: 3, sold_price: null, returned: 0 },
        { ...mug, ordered_as: "SET", quantity: 6, sold_price: null, returned: 0 },
      ],
      kits: [{ synset: "SET", quantity: 3, sold_price: 25 }],
      errors: [],
    });
  });

  test("without a price has none", () => {
    expect(resolve([{ sku: "SET", quantity: 1 }], null).kits).toEqual([
      { synset: "SET", quantity: 1, sold_price: null },
    ]);
  });

  test("may come to the largest quantity of a component, and not to more", () => {
    const two = resolve([{ sku: "HALVES", quantity: 2 }]);
    const three = resolve([
      { sku: "TEE", quantity: 1 },
      { sku: "HALVES", quantity: 3 },
    ]);

    expect(two.items[0]?.quantity).toBe(largestQuantity);
    expect(three.errors).toEqual([
      `data.0.items.1.quantity comes to more than ${largestQuantity} units of a component`,
    ]);
  });

  test("counts with its components against the most products", () => {
    const lines = [
      { sku: "WIDE", quantity: 1 },
      { sku: "TEE", quantity: 1 },
    ];

    expect(resolve(lines.slice(0, 1)).errors).toEqual([]);
    expect(resolve(lines).errors).toEqual([
      `data.0.items must name at most ${mostProducts} different products`,
    ]);
  });

  test("counts with its components against the most items", () => {
    const wide = (count: number) => Array.from({ length: count }, () => ({ sku: "WIDE", quantity: 1 }));
    const fitting = Math.floor(mostItems / mostProducts);

    expect(resolve(wide(fitting)).errors).toEqual([]);
    expect(resolve(wide(fitting + 1)).errors).toEqual([
      `data.0.items must come to at most ${mostItems} items, the components of kits counted`,
    ]);
  });
});
