import { describe, expect, test } from "vitest";
import { largestQuantity } from "../../../../shared/domain/fields.ts";
import { mostItems } from "../../../../shared/domain/orders/order.ts";
import {
  type Component,
  type ItemReferences,
  resolveItems,
} from "../../../../shared/domain/orders/order-items.ts";
import type { FieldError } from "../../../../shared/domain/problem.ts";

const tee = { sku: "TEE", product_id: 1, distribution_center_id: 1 };
const mug = { sku: "MUG", product_id: 2, distribution_center_id: 2 };
const products = new Map([tee, mug].map((product) => [product.sku, product]));

/** `P-7` and the like are products, too. */
function product(sku: string) {
  const id = /^P-(\d+)$/.exec(sku)?.[1];
  return id === undefined
    ? products.get(sku)
    : { sku, product_id: 1000 + Number(id), distribution_center_id: 1 };
}

/** So many products, the first of them `P-<from>`, as a kit's components. */
const componentsOf = (count: number, from = 0, quantity = 1): readonly Component[] =>
  Array.from({ length: count }, (_, index) => ({
    sku: `P-${from + index}`,
    product_id: 1000 + from + index,
    distribution_center_id: 1,
    quantity,
  }));

const kits = new Map<string, readonly Component[]>([
  [
    "KIT",
    [
      { ...tee, quantity: 1 },
      { ...mug, quantity: 2 },
    ],
  ],
  ["KIT-20", componentsOf(20)],
  ["KIT-100", componentsOf(100)],
  ["HEAVY", componentsOf(1, 0, 1000)],
  ["TEE", componentsOf(3)],
  ["EXT", componentsOf(3)],
]);

/** Channel 2 knows the tee as `EXT`, and the mug as `TEE`. Every channel, and who has none, knows the mug as `ALL`. */
const aliases = new Map([
  ["EXT", tee],
  ["TEE", mug],
]);
const references: ItemReferences = {
  product,
  alias: (channelId, alias) => (alias === "ALL" ? mug : channelId === 2 ? aliases.get(alias) : undefined),
  kit: (synset) => kits.get(synset),
};

const webStore = { id: 1, name: "Web" };
const marketplace = { id: 2, name: "Marketplace" };

function resolve(
  lines: Parameters<typeof resolveItems>[0],
  channel: Parameters<typeof resolveItems>[1] = null,
) {
  const errors: FieldError[] = [];
  const resolved = resolveItems(lines, channel, references, "data.0.items", errors);
  return { ...resolved, errors: errors.map(({ path, message }) => `${path} ${message}`) };
}

const line = (sku: string, quantity = 1) => ({ sku, quantity });

describe("a line that names a product", () => {
  test("becomes that product at its center, with its price", () => {
    const { items, kits: ordered, errors } = resolve([{ sku: "MUG", quantity: 3, sold_price: 9.5 }]);

    expect(errors).toEqual([]);
    expect(items).toEqual([{ ...mug, ordered_as: "MUG", quantity: 3, sold_price: 9.5, returned: 0 }]);
    expect(ordered).toEqual([]);
  });

  test("means the product also where a kit and an alias have its SKU for a name", () => {
    const { items, kits: ordered } = resolve([line("TEE")], marketplace);

    expect(items).toMatchObject([{ sku: "TEE", ordered_as: "TEE" }]);
    expect(ordered).toEqual([]);
  });
});

describe("a line that names an alias", () => {
  test("becomes what it stands for in the order's channel, and keeps what was ordered", () => {
    const { items, kits: ordered } = resolve([{ sku: "EXT", quantity: 2, sold_price: 5 }], marketplace);

    expect(items).toEqual([{ ...tee, ordered_as: "EXT", quantity: 2, sold_price: 5, returned: 0 }]);
    expect(ordered).toEqual([]);
  });

  test("becomes what it stands for in every channel where the order has none", () => {
    const { items } = resolve([line("ALL", 2)]);

    expect(items).toMatchObject([{ sku: "MUG", ordered_as: "ALL", quantity: 2 }]);
  });

  test.each([
    ["in another channel", webStore],
    ["without a channel", null],
  ])("means the kit of that name %s", (_case, channel) => {
    const { items, kits: ordered } = resolve([line("EXT")], channel);

    expect(items.map(({ sku }) => sku)).toEqual(["P-0", "P-1", "P-2"]);
    expect(ordered).toMatchObject([{ synset: "EXT" }]);
  });
});

describe("a line that names a kit", () => {
  test("becomes its components, so many of each; the price stays the kit's", () => {
    const { items, kits: ordered, errors } = resolve([{ sku: "KIT", quantity: 5, sold_price: 19.95 }]);

    expect(errors).toEqual([]);
    expect(items).toEqual([
      { ...tee, ordered_as: "KIT", quantity: 5, sold_price: null, returned: 0 },
      { ...mug, ordered_as: "KIT", quantity: 10, sold_price: null, returned: 0 },
    ]);
    expect(ordered).toEqual([{ synset: "KIT", quantity: 5, sold_price: 19.95 }]);
  });

  test("without a price has none, which is not a price of nothing", () => {
    const ordered = resolve([line("KIT"), { ...line("KIT"), sold_price: 0 }]).kits;

    expect(ordered.map(({ sold_price }) => sold_price)).toEqual([null, 0]);
  });

  test("stands in its place among the others, as often as it is named", () => {
    const { items, kits: ordered } = resolve([line("MUG"), line("KIT"), line("TEE"), line("KIT", 2)]);

    expect(items.map(({ sku, ordered_as, quantity }) => [sku, ordered_as, quantity])).toEqual([
      ["MUG", "MUG", 1],
      ["TEE", "KIT", 1],
      ["MUG", "KIT", 2],
      ["TEE", "TEE", 1],
      ["TEE", "KIT", 2],
      ["MUG", "KIT", 4],
    ]);
    expect(ordered.map(({ quantity }) => quantity)).toEqual([1, 2]);
  });

  test("may come to the largest quantity of a component", () => {
    const { items, errors } = resolve([line("HEAVY", largestQuantity / 1000)]);

    expect(errors).toEqual([]);
    expect(items[0]?.quantity).toBe(largestQuantity);
  });

  test("may not come to more of a component", () => {
    const { errors } = resolve([line("TEE"), line("HEAVY", largestQuantity / 1000 + 1)]);

    expect(errors).toEqual([
      `data.0.items.1.quantity comes to more than ${largestQuantity} units of a component`,
    ]);
  });
});

test("a line that names nothing is refused at its place, in any letters", () => {
  const { errors } = resolve([line("KIT"), line("kit"), line("NONE")], marketplace);

  expect(errors).toEqual([
    "data.0.items.1.sku is not a known SKU (kit)",
    "data.0.items.2.sku is not a known SKU (NONE)",
  ]);
});

describe("an order", () => {
  const times = (count: number, sku: string) => Array.from({ length: count }, () => line(sku));
  const tooMany = `data.0.items must come to at most ${mostItems} items, the components of kits counted`;

  test.each<[string, Parameters<typeof resolveItems>[0], readonly string[]]>([
    [`${mostItems} items out of kits`, times(5, "KIT-100"), []],
    ["more items out of kits", [...times(5, "KIT-100"), line("P-0")], [tooMany]],
    ["more items, the last of them a kit's", [...times(mostItems - 1, "P-0"), line("KIT-20")], [tooMany]],
    [`${mostItems} products`, times(mostItems, "P-0"), []],
    [`${mostItems} different products`, Array.from({ length: mostItems }, (_, n) => line(`P-${n}`)), []],
  ])("of %s", (_case, lines, expected) => {
    expect(resolve(lines).errors).toEqual(expected);
  });

  test("that is far too large is refused without being built", () => {
    const { items, errors } = resolve(times(mostItems, "KIT-100"));

    expect(errors).toEqual([tooMany]);
    expect(items.length).toBeLessThanOrEqual(mostItems + 100);
  });

  test("that is too large is still told which of its lines name nothing", () => {
    const { errors } = resolve([...times(26, "KIT-20"), line("NONE")]);

    expect(errors).toEqual(["data.0.items.26.sku is not a known SKU (NONE)", tooMany]);
  });
});
