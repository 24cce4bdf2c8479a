import { describe, expect, test } from "vitest";
import { maxQuantity } from "../../../shared/common/fields.ts";
import type { FieldError } from "../../../shared/common/problem.ts";
import { maxItems } from "../../../shared/orders/order.ts";
import { type ItemReferences, resolveItems } from "../../../shared/orders/order-items.ts";
import type { Component, OrderGoods } from "../../../shared/orders/order-kits.ts";
import { itemOf } from "../samples.ts";

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

/** Channel 2 knows the tee as `EXT`, and the mug as `TEE`. */
const aliases = new Map([
  ["EXT", tee],
  ["TEE", mug],
]);
const references: ItemReferences = {
  product,
  alias: (channelId, alias) => (channelId === 2 ? aliases.get(alias) : undefined),
  kit: (synset) => kits.get(synset),
};

const webStore = { id: 1, name: "Web" };
const marketplace = { id: 2, name: "Marketplace" };

type Lines = Parameters<typeof resolveItems>[0]["items"];
type Addressee = Parameters<typeof resolveItems>[1];

function resolveSent(sent: Parameters<typeof resolveItems>[0], to: Addressee) {
  const errors: FieldError[] = [];
  const resolved = resolveItems(sent, to, references, "data.0", errors);
  return { ...resolved, errors: errors.map(({ path, message }) => `${path} ${message}`) };
}

const resolve = (items: Lines, channel: Addressee["channel"] = null) => resolveSent({ items }, { channel });

const line = (sku: string, quantity = 1) => ({ sku, quantity });

test("a line that names a product means it even if a kit and an alias have its SKU as their name", () => {
  const { items, kits: ordered } = resolve([line("TEE")], marketplace);

  expect(items).toMatchObject([{ sku: "TEE", ordered_as: "TEE" }]);
  expect(ordered).toEqual([]);
});

test.each([
  ["in another channel", webStore],
  ["without a channel", null],
])("a line that names an alias means the kit of that name %s", (_case, channel) => {
  const { items, kits: ordered } = resolve([line("EXT")], channel);

  expect(items.map(({ sku }) => sku)).toEqual(["P-0", "P-1", "P-2"]);
  expect(ordered).toMatchObject([{ synset: "EXT" }]);
});

describe("a line that names a kit", () => {
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
    const { items, errors } = resolve([line("HEAVY", maxQuantity / 1000)]);

    expect(errors).toEqual([]);
    expect(items[0]?.quantity).toBe(maxQuantity);
  });

  test("may not come to more of a component", () => {
    const { errors } = resolve([line("TEE"), line("HEAVY", maxQuantity / 1000 + 1)]);

    expect(errors).toEqual([
      `data.0.items.1.quantity comes to more than ${maxQuantity} units of a component`,
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
  const tooMany = `data.0.items must come to at most ${maxItems} items, counting the components of kits`;

  test.each<[string, Lines, readonly string[]]>([
    [`${maxItems} items out of kits`, times(5, "KIT-100"), []],
    ["more items out of kits", [...times(5, "KIT-100"), line("P-0")], [tooMany]],
    ["more items, the last of them a kit's", [...times(maxItems - 1, "P-0"), line("KIT-20")], [tooMany]],
    [`${maxItems} products`, times(maxItems, "P-0"), []],
    [`${maxItems} different products`, Array.from({ length: maxItems }, (_, n) => line(`P-${n}`)), []],
  ])("of %s", (_case, lines, expected) => {
    expect(resolve(lines).errors).toEqual(expected);
  });

  test("that is far too large is refused without being built", () => {
    const { items, errors } = resolve(times(maxItems, "KIT-100"));

    expect(errors).toEqual([tooMany]);
    expect(items.length).toBeLessThanOrEqual(maxItems + 100);
  });

  test("that is too large still names the lines with unknown products", () => {
    const { errors } = resolve([...times(26, "KIT-20"), line("NONE")]);

    expect(errors).toEqual(["data.0.items.26.sku is not a known SKU (NONE)", tooMany]);
  });
});

/** A line as the answer of an order shows it. */
const shown = (sku: string, ordered_as: string, quantity = 1): Lines[number] => ({
  sku,
  ordered_as,
  quantity,
});
const stored = (product: typeof tee, ordered_as: string, quantity = 1) =>
  itemOf({ ...product, ordered_as, quantity });
/** The order's kit had another mug less when it was placed, and its tee was kept elsewhere. */
const teeThen = { ...tee, distribution_center_id: 7 };
const before: OrderGoods = {
  items: [stored(teeThen, "KIT", 2), stored(mug, "KIT", 2), stored(tee, "OLD"), stored(teeThen, "TEE", 4)],
  kits: [{ synset: "KIT", quantity: 2, sold_price: 9 }],
};
const asRead = {
  items: before.items.map(({ sku, ordered_as, quantity }) => shown(sku, ordered_as, quantity)),
  kits: [{ synset: "KIT", quantity: 2, sold_price: 9 }],
};
const replace = (sent: Parameters<typeof resolveItems>[0]) =>
  resolveSent(sent, { channel: marketplace, before });

describe("the items and kits that an order's answer shows", () => {
  test("are the same items and kits when they are sent, whatever their names mean by now", () => {
    const { items, kits: ordered, errors } = replace(asRead);

    expect(errors).toEqual([]);
    expect({ items, kits: ordered }).toEqual(before);
  });

  test("are the same of an order of release 1.0.0 with an alias that has the name of its kit", () => {
    const aliased = { ...stored(product("P-1") ?? tee, "KIT", 3), sold_price: 5 };
    const ambiguous = { ...before, items: [...before.items, aliased] };
    const sent = { ...asRead, items: [...asRead.items, { ...shown("P-1", "KIT", 3), sold_price: 5 }] };

    const { items, kits: ordered, errors } = resolveSent(sent, { channel: marketplace, before: ambiguous });

    expect(errors).toEqual([]);
    expect({ items, kits: ordered }).toEqual(ambiguous);
  });

  test("say in other quantities the same components, in the centers where they are reserved", () => {
    const { items, errors } = replace({
      items: [shown("TEE", "KIT", 3), shown("MUG", "KIT", 3)],
      kits: [{ synset: "KIT", quantity: 3 }],
    });

    expect(errors).toEqual([]);
    expect(items.map((item) => [item.sku, item.distribution_center_id])).toEqual([
      ["TEE", 7],
      ["MUG", 2],
    ]);
  });

  test("may be what the kit is built from by now", () => {
    const { items, errors } = replace({
      items: [shown("TEE", "KIT"), shown("MUG", "KIT", 2)],
      kits: [{ synset: "KIT", quantity: 1 }],
    });

    expect(errors).toEqual([]);
    expect(items.map(({ quantity }) => quantity)).toEqual([1, 2]);
  });

  test("may be sent with more of the kit, which is built like those", () => {
    const { items, kits: ordered } = replace({ ...asRead, items: [...asRead.items, line("KIT", 5)] });

    expect(ordered.map(({ quantity }) => quantity)).toEqual([2, 5]);
    expect(items.slice(-2).map(({ sku, quantity }) => [sku, quantity])).toEqual([
      ["TEE", 5],
      ["MUG", 5],
    ]);
  });

  test("may be sent with more lines of a name that means nothing by now, in the product's center of today", () => {
    const { items, errors } = replace({
      items: [shown("TEE", "TEE"), shown("TEE", "OLD"), shown("TEE", "OLD")],
    });

    expect(errors).toEqual([]);
    expect(items.map((item) => [item.ordered_as, item.distribution_center_id])).toEqual([
      ["TEE", 7],
      ["OLD", 1],
      ["OLD", 1],
    ]);
  });

  test("are looked up again without ordered_as, in the product's center of today", () => {
    const then: OrderGoods = { items: [stored(teeThen, "TEE", 4)], kits: [] };

    const { items } = resolveSent({ items: [line("TEE", 4)] }, { channel: marketplace, before: then });

    expect(items).toEqual([stored(tee, "TEE", 4)]);
  });

  test("are a new order's items and kits as well", () => {
    const items = [shown("TEE", "EXT"), shown("TEE", "KIT"), shown("MUG", "KIT", 2)];
    const sent = { items, kits: [{ synset: "KIT", quantity: 1 }] };

    const resolved = resolveSent(sent, { channel: marketplace });

    expect(resolved.errors).toEqual([]);
    expect(resolved.items.map((item) => item.ordered_as)).toEqual(["EXT", "KIT", "KIT"]);
    expect(resolved.kits).toEqual([{ synset: "KIT", quantity: 1, sold_price: null }]);
  });

  test.each<[string, Parameters<typeof resolveItems>[0], string]>([
    [
      "a kit without a unit of a component",
      { ...asRead, items: asRead.items.with(1, shown("MUG", "KIT", 1)) },
      "data.0.kits.0 does not add up: 2 of KIT take 2 of MUG, but the items come to 1",
    ],
    [
      "a kit with a product that is none of its components",
      { ...asRead, items: [...asRead.items, shown("P-1", "KIT", 3)] },
      "data.0.kits.0 does not add up: 2 of KIT take 0 of P-1, but the items come to 3",
    ],
    [
      "a kit of another number",
      { ...asRead, kits: [{ synset: "KIT", quantity: 3 }] },
      "data.0.kits.0 does not add up: 3 of KIT take 3 of TEE, but the items come to 2",
    ],
    [
      "a kit without items",
      { ...asRead, kits: [...asRead.kits, { synset: "HEAVY", quantity: 1 }] },
      "data.0.kits.1 does not add up: 1 of HEAVY take 1000 of P-0, but the items come to 0",
    ],
    [
      "a kit that there is not",
      { ...asRead, kits: [...asRead.kits, { synset: "NONE", quantity: 1 }] },
      "data.0.kits.1.synset is not a known synset (NONE)",
    ],
    [
      "components without their kit",
      { items: [line("MUG"), shown("TEE", "KIT", 2)] },
      "data.0.items.1.ordered_as must be the SKU, an alias of it for the order's channel, or a synset of kits (KIT), or be left out",
    ],
    [
      "a name that never was the product's",
      { ...asRead, items: [...asRead.items, shown("MUG", "EXT")] },
      "data.0.items.4.ordered_as must be the SKU, an alias of it for the order's channel, or a synset of kits (EXT), or be left out",
    ],
    [
      "an unknown product",
      { ...asRead, items: [...asRead.items, shown("NONE", "EXT")] },
      "data.0.items.4.sku is not a known SKU (NONE)",
    ],
    [
      "a price of a component",
      { ...asRead, items: asRead.items.with(1, { ...shown("MUG", "KIT", 2), sold_price: 0 }) },
      "data.0.items.1.sold_price must be left out: the price of KIT stands in kits",
    ],
  ])("are refused with %s", (_case, sent, error) => {
    expect(replace(sent).errors[0]).toBe(error);
  });
});
