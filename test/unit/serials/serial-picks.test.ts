import { describe, expect, test } from "vitest";
import {
  pickedUnits,
  returnedSerialErrors,
  type SerialPick,
  serialErrors,
} from "../../../shared/serials/serial-picks.ts";
import { createdAt } from "../samples.ts";

/** Product 1 has the serials A, B and C, of which C is picked; product 2 has A; product 3 has none. */
const known = new Map([
  ["1 A", undefined],
  ["1 B", undefined],
  ["1 C", 1001],
  ["2 A", undefined],
]);

const references = {
  hasSerials: (productId: number) => productId < 3,
  find: (product_id: number, serial: string) => {
    const key = `${product_id} ${serial}`;
    if (!known.has(key)) return undefined;
    return { product_id, serial, created_at: createdAt, picked_for: known.get(key) };
  },
};

const pickOf = (
  product_id: number,
  serials: readonly string[] | undefined,
  quantity?: number,
): SerialPick => ({
  product_id,
  sku: `P${product_id}`,
  quantity: quantity ?? serials?.length ?? 1,
  serials,
});

const asMany = "must name as many serials as there are units";

const errorsOf = (...picks: readonly (SerialPick | undefined)[]) =>
  serialErrors(picks, references).map(({ path, message }) => `${path} ${message}`);

describe("serials of picks", () => {
  test("may be any that are registered and not picked, of one product or several", () => {
    const picks = [pickOf(1, ["A"]), undefined, pickOf(2, ["A"]), pickOf(3, undefined, 5), pickOf(1, ["B"])];

    expect(errorsOf(...picks)).toEqual([]);
  });

  test.each<[string, readonly (SerialPick | undefined)[], readonly string[]]>([
    ["missing", [pickOf(1, undefined)], ["picks.0.serials is required: P1 has serials"]],
    [
      "of a product that has none",
      [pickOf(3, ["A"])],
      ["picks.0.serials must be left out: P3 has no serials"],
    ],
    ["fewer than units", [pickOf(1, ["A"], 2)], [`picks.0.serials ${asMany} (2)`]],
    ["more than units", [pickOf(1, ["A", "B"], 1)], [`picks.0.serials ${asMany} (1)`]],
    ["unknown", [pickOf(1, ["A", "X"])], ["picks.0.serials.1 is not a serial of P1 (X)"]],
    ["another product's", [undefined, pickOf(2, ["B"])], ["picks.1.serials.0 is not a serial of P2 (B)"]],
    ["picked already", [pickOf(1, ["C"])], ["picks.0.serials.0 is picked for order 1001 already (C)"]],
    ["named twice in a pick", [pickOf(1, ["A", "A"])], ["picks.0.serials.1 is in this call twice (A)"]],
    [
      "named twice in a call",
      [pickOf(1, ["A"]), pickOf(2, ["A"]), pickOf(1, ["B", "A"])],
      ["picks.2.serials.1 is in this call twice (A)"],
    ],
  ])("are refused where they are %s", (_case, picks, errors) => {
    expect(errorsOf(...picks)).toEqual(errors);
  });
});

describe("serials of returned units of order 1001", () => {
  /** Three units with serials, of which A and B are not out any more, and two units without. */
  const picks = [
    { product_id: 1, quantity: 3, serials: ["A", "B", "C"] },
    { product_id: 1, quantity: 2, serials: [] },
    { product_id: 2, quantity: 9, serials: [] },
  ];
  const errorsOfReturn = (units: SerialPick) =>
    returnedSerialErrors(units, 1001, pickedUnits(picks, units.product_id), references.find).map(
      ({ path, message }) => `${path} ${message}`,
    );

  test.each<[string, SerialPick, readonly string[]]>([
    ["one for each unit", pickOf(1, ["C"]), []],
    ["one for some units, and the others were picked without", pickOf(1, ["C"], 3), []],
    ["none, as so many were picked without", pickOf(1, undefined, 2), []],
    [
      "none for more than were picked without",
      pickOf(1, undefined, 3),
      ["serials is required: P1 has serials"],
    ],
    ["too few for those that were picked without", pickOf(1, ["C"], 4), [`serials ${asMany} (4)`]],
    ["one that is not out", pickOf(1, ["A"]), ["serials.0 was not picked for order 1001 (A)"]],
    ["one twice", pickOf(1, ["C", "C"]), ["serials.1 is in this call twice (C)"]],
    ["none of a product that was picked without", pickOf(2, undefined, 9), []],
    [
      "one of a product that was picked without",
      pickOf(2, ["A"]),
      ["serials must be left out: P2 was picked for order 1001 without serials"],
    ],
  ])("%s", (_case, units, errors) => {
    expect(errorsOfReturn(units)).toEqual(errors);
  });
});
