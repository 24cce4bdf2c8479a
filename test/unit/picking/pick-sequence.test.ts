import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pickStyles } from "../../../shared/catalog/products/product.ts";
import type { Layer } from "../../../shared/stock/bins/goods.ts";
import {
  inPickSequence,
  type PickStyle,
  type StockedBin,
  type Stop,
  stopsOf,
  takeFrom,
} from "../../../shared/stock/bins/pick-sequence.ts";
import { layerOf } from "../samples.ts";

const binOf = (
  location: string,
  bin: string,
  quantity: number,
  layers: readonly Layer[] = [],
): StockedBin => ({
  bin_id: Number.parseInt(`${location}${bin}`, 36),
  location,
  bin,
  quantity,
  layers,
});

/** `A1/02 4 L3` */
const textOf = ({ location, bin, quantity, lot }: Stop): string =>
  [`${location}/${bin}`, quantity, ...(lot === null ? [] : [lot])].join(" ");

const unitsOf = (stops: readonly { readonly quantity: number }[]): number =>
  stops.reduce((sum, { quantity }) => sum + quantity, 0);

/** Two of the five in A1/01 were counted in; the bins are in no order. */
const bins = [
  binOf("B1", "01", 2, [layerOf({ received_on: "2026-01-02", expires_on: "2026-05-01", quantity: 2 })]),
  binOf("A1", "02", 9, [
    layerOf({ received_on: "2026-01-05", lot: "L1", quantity: 5 }),
    layerOf({ received_on: "2026-01-01", lot: "L3", expires_on: "2026-09-01", quantity: 4 }),
  ]),
  binOf("A1", "01", 5, [
    layerOf({ received_on: "2026-01-03", lot: "L2", expires_on: "2026-06-01", quantity: 3 }),
  ]),
];

const styles = [...pickStyles, null] as const;

const aLayer = fc.record({
  received_on: fc.constantFrom("2026-01-01", "2026-01-02", "2026-01-03"),
  lot: fc.constantFrom("A", "B", null),
  expires_on: fc.constantFrom("2026-06-01", "2026-07-01", null),
  quantity: fc.integer({ min: 1, max: 5 }),
});
const aBin = fc
  .record({ layers: fc.array(aLayer, { maxLength: 4 }), unknown: fc.integer({ min: 0, max: 5 }) })
  .map(({ layers, unknown }) => ({ layers, quantity: unitsOf(layers) + unknown }));
const someBins = fc
  .array(aBin, { maxLength: 5 })
  .map((contents) =>
    contents.map(({ quantity, layers }, place) => binOf("A1", `0${place}`, quantity, layers)),
  );
const aStyle = fc.constantFrom(...styles);

describe("the pick style", () => {
  test.each<[PickStyle, string, readonly string[]]>([
    ["FIFO", "what came first", ["A1/02 4 L3", "B1/01 2", "A1/01 3 L2", "A1/02 5 L1", "A1/01 2"]],
    ["LIFO", "what came last", ["A1/02 5 L1", "A1/01 3 L2", "B1/01 2", "A1/02 4 L3", "A1/01 2"]],
    ["FEFO", "what expires first", ["B1/01 2", "A1/01 3 L2", "A1/02 4 L3", "A1/01 2", "A1/02 5 L1"]],
    ["FLFO", "the lowest lot", ["A1/02 5 L1", "A1/01 3 L2", "A1/02 4 L3", "A1/01 2", "B1/01 2"]],
    ["LLFO", "the highest lot", ["A1/02 4 L3", "A1/01 3 L2", "A1/02 5 L1", "A1/01 2", "B1/01 2"]],
    ["BIN_ASC", "the first bin", ["A1/01 3 L2", "A1/01 2", "A1/02 4 L3", "A1/02 5 L1", "B1/01 2"]],
    ["BIN_DESC", "the last bin", ["B1/01 2", "A1/02 4 L3", "A1/02 5 L1", "A1/01 3 L2", "A1/01 2"]],
    ["SAVE_SPACE", "the bin with least", ["B1/01 2", "A1/01 3 L2", "A1/01 2", "A1/02 4 L3", "A1/02 5 L1"]],
    ["STANDARD", "the bin with most", ["A1/02 4 L3", "A1/02 5 L1", "A1/01 3 L2", "A1/01 2", "B1/01 2"]],
    [null, "the bin with most", ["A1/02 4 L3", "A1/02 5 L1", "A1/01 3 L2", "A1/01 2", "B1/01 2"]],
  ])("%s begins with %s", (style, _what, expected) => {
    expect(stopsOf(bins, style).map(textOf)).toEqual(expected);
  });

  test.each(styles.filter((style) => style !== "BIN_DESC"))(
    "%s sorts by location, then bin, if nothing else distinguishes them",
    (style) => {
      const alike = [
        ["B1", "01"],
        ["A10", "01"],
        ["A2", "02"],
        ["A2", "01"],
      ] as const;
      const layers = [layerOf({ lot: "L1", expires_on: "2026-06-01", quantity: 3 })];

      const stops = stopsOf(
        alike.map(([location, bin]) => binOf(location, bin, 3, layers)),
        style,
      );

      expect(stops.map(textOf)).toEqual(["A10/01 3 L1", "A2/01 3 L1", "A2/02 3 L1", "B1/01 3 L1"]);
    },
  );

  test("takes a bin's layers in the order that it sends pickers to them", () => {
    fc.assert(
      fc.property(aBin, aStyle, ({ quantity, layers }, style) => {
        const stops = stopsOf([binOf("A1", "01", quantity, layers)], style);

        const expected = inPickSequence(layers, style).map(({ lot, expires_on }) => ({ lot, expires_on }));
        const found = stops.map(({ lot, expires_on }) => ({ lot, expires_on }));
        expect(found.slice(0, layers.length)).toEqual(expected);
      }),
    );
  });

  test("leaves nothing out and adds nothing, whatever lies there", () => {
    fc.assert(
      fc.property(someBins, aStyle, (all, style) => {
        const stops = stopsOf(all, style);

        for (const { bin_id, quantity } of all) {
          expect(unitsOf(stops.filter((stop) => stop.bin_id === bin_id))).toBe(quantity);
        }
        expect(stops.every(({ quantity }) => quantity > 0)).toBe(true);
      }),
    );
  });

  test("goes to no bin that is empty", () => {
    expect(stopsOf([binOf("A1", "01", 0)], "BIN_ASC")).toEqual([]);
  });
});

describe("taking a quantity", () => {
  test.each([
    [4, ["A1/02 4 L3"], ["B1/01 2", "A1/01 3 L2", "A1/02 5 L1", "A1/01 2"]],
    [5, ["A1/02 4 L3", "B1/01 1"], ["B1/01 1", "A1/01 3 L2", "A1/02 5 L1", "A1/01 2"]],
    [0, [], ["A1/02 4 L3", "B1/01 2", "A1/01 3 L2", "A1/02 5 L1", "A1/01 2"]],
    [99, ["A1/02 4 L3", "B1/01 2", "A1/01 3 L2", "A1/02 5 L1", "A1/01 2"], []],
  ])("of %i takes %j and leaves %j", (quantity, expected, rest) => {
    const { taken, left } = takeFrom(stopsOf(bins, "FIFO"), quantity);

    expect(taken.map(textOf)).toEqual(expected);
    expect(left.map(textOf)).toEqual(rest);
  });

  test("makes one stop of what differs in its age only", () => {
    const layers = [
      layerOf({ received_on: "2026-01-01", lot: "L1", quantity: 2 }),
      layerOf({ received_on: "2026-01-02", lot: "L1", quantity: 3 }),
      layerOf({ received_on: "2026-01-03", lot: "L2", quantity: 4 }),
    ];

    const { taken } = takeFrom(stopsOf([binOf("A1", "01", 9, layers)], "FIFO"), 6);

    expect(taken.map(textOf)).toEqual(["A1/01 5 L1", "A1/01 1 L2"]);
  });

  test("takes as much as is wanted or there, and loses nothing", () => {
    fc.assert(
      fc.property(someBins, aStyle, fc.nat({ max: 60 }), (all, style, quantity) => {
        const stops = stopsOf(all, style);

        const { taken, left } = takeFrom(stops, quantity);

        expect(unitsOf(taken)).toBe(Math.min(quantity, unitsOf(stops)));
        for (const { bin_id, quantity: there } of all) {
          expect(unitsOf([...taken, ...left].filter((stop) => stop.bin_id === bin_id))).toBe(there);
        }
        expect([...taken, ...left].every((stop) => stop.quantity > 0)).toBe(true);
      }),
    );
  });
});
