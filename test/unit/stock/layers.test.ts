import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Layer } from "../../../shared/stock/bins/goods.ts";
import {
  type BinGoods,
  mergeLayers,
  noGoods,
  recountGoods,
  takeGoods,
  unitsIn,
  withAdded,
} from "../../../shared/stock/bins/layers.ts";
import { layerOf } from "../samples.ts";

const [oldest, middle, newest] = [
  layerOf({ received_on: "2026-01-01", quantity: 3 }),
  layerOf({ received_on: "2026-01-02", quantity: 2 }),
  layerOf({ received_on: "2026-01-03", quantity: 4 }),
];

/** Nine units in layers, and two of which nothing is known. */
const goods: BinGoods = { quantity: 11, layers: [oldest, middle, newest] };

const asTheyAre = (layers: readonly Layer[]) => layers;
const newestFirst = (layers: readonly Layer[]) => layers.toReversed();

describe("layers", () => {
  test("of one day, lot and expiry are one, and all others stay apart", () => {
    const same = { lot: "L1", expires_on: "2027-01-01" };
    const layers = [
      layerOf({ ...same, quantity: 2 }),
      layerOf({ ...same, lot: "L2" }),
      layerOf({ ...same, lot: null }),
      layerOf({ ...same, lot: "null" }),
      layerOf({ ...same, expires_on: null }),
      layerOf({ ...same, received_on: "2026-01-02" }),
      layerOf({ ...same, quantity: 5 }),
    ];

    const made = mergeLayers(layers);

    expect(made).toHaveLength(6);
    expect(made).toContainEqual(layerOf({ ...same, quantity: 7 }));
  });

  test("lie the oldest first, and are gone once they are empty", () => {
    expect(mergeLayers([newest, layerOf({ lot: "none", quantity: 0 }), oldest, middle])).toEqual([
      oldest,
      middle,
      newest,
    ]);
  });
});

describe("adding goods", () => {
  test("of known arrival makes a layer, or adds to that of their day", () => {
    const after = withAdded(goods, 5, [
      { ...middle, quantity: 1 },
      layerOf({ received_on: "2026-01-09", quantity: 4 }),
    ]);

    expect(after).toEqual({
      quantity: 16,
      layers: [
        oldest,
        { ...middle, quantity: 3 },
        newest,
        layerOf({ received_on: "2026-01-09", quantity: 4 }),
      ],
    });
  });

  test("of which nothing is known leaves the layers as they are", () => {
    expect(withAdded(goods, 5, [])).toEqual({ ...goods, quantity: 16 });
  });
});

describe("taking goods", () => {
  test.each([
    [
      "the first layer",
      2,
      { left: [{ ...oldest, quantity: 1 }, middle, newest], taken: [{ ...oldest, quantity: 2 }] },
    ],
    [
      "several layers",
      4,
      { left: [{ ...middle, quantity: 1 }, newest], taken: [oldest, { ...middle, quantity: 1 }] },
    ],
    ["all layers and no more", 9, { left: [], taken: [oldest, middle, newest] }],
    ["layers and then the rest", 10, { left: [], taken: [oldest, middle, newest] }],
    ["everything", 11, { left: [], taken: [oldest, middle, newest] }],
    ["nothing", 0, { left: [oldest, middle, newest], taken: [] }],
  ])("takes %s (%i units)", (_what, quantity, { left, taken }) => {
    expect(takeGoods(goods, quantity, asTheyAre)).toEqual({
      left: { quantity: 11 - quantity, layers: left },
      taken: { quantity, layers: taken },
    });
  });

  test("takes the layers in the order that is asked for", () => {
    const { left, taken } = takeGoods(goods, 5, newestFirst);

    expect(left.layers).toEqual([oldest, { ...middle, quantity: 1 }]);
    expect(taken.layers).toEqual([{ ...middle, quantity: 1 }, newest]);
  });
});

describe("counting goods", () => {
  test.each([
    ["more: of what was found nothing is known", 20, [oldest, middle, newest]],
    ["the same: nothing changes", 11, [oldest, middle, newest]],
    ["fewer: first those are missing of which nothing was known", 9, [oldest, middle, newest]],
    ["fewer still: then the oldest", 8, [{ ...oldest, quantity: 2 }, middle, newest]],
    ["far fewer: the oldest, one after another", 5, [{ ...middle, quantity: 1 }, newest]],
    ["none: nothing is left", 0, []],
  ])("%s (%i units)", (_rule, quantity, layers) => {
    expect(recountGoods(goods, quantity)).toEqual({ quantity, layers });
  });
});

const dates = fc.constantFrom("2026-01-01", "2026-01-02", "2026-01-03");
const layers = fc.record({
  received_on: dates,
  lot: fc.constantFrom(null, "L1", "L2"),
  expires_on: fc.option(dates),
  quantity: fc.integer({ min: 1, max: 9 }),
});

test("what is taken and given back leaves a bin as it was, whatever lay in it", () => {
  fc.assert(
    fc.property(fc.array(layers, { maxLength: 8 }), fc.nat(9), fc.nat(90), (put, more, wanted) => {
      const before = withAdded(noGoods, unitsIn(put) + more, put);
      const { left, taken } = takeGoods(before, Math.min(wanted, before.quantity), newestFirst);

      expect(withAdded(left, taken.quantity, taken.layers)).toEqual(before);
    }),
  );
});
