import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type StockChange, stockChanges } from "../../../shared/stock/stock.ts";

interface Line {
  readonly product_id: number;
  readonly distribution_center_id: number;
  readonly quantity: number;
}

const effectOf =
  (on_hand: number, reserved: number) =>
  ({ quantity, ...place }: Line): StockChange => ({
    ...place,
    on_hand: on_hand * quantity,
    reserved: reserved * quantity,
  });
const promised = effectOf(0, 1);
const departed = effectOf(-1, 0);

const reserving = (before: readonly Line[], after: readonly Line[]): readonly StockChange[] =>
  stockChanges(before.map(promised), after.map(promised));

const lineOf = (product_id: number, quantity: number, distribution_center_id = 1): Line => ({
  product_id,
  distribution_center_id,
  quantity,
});

/** Few products and centers, so that lines meet at the same place. */
const lines = fc.array(
  fc.record({
    product_id: fc.integer({ min: 1, max: 4 }),
    distribution_center_id: fc.integer({ min: 1, max: 2 }),
    quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
  }),
  { maxLength: 12 },
);

const placeOf = (line: Omit<Line, "quantity">) => `${line.product_id}@${line.distribution_center_id}`;

/** Units by place, the plain way. */
function totals(reserved: readonly Line[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of reserved) sums.set(placeOf(line), (sums.get(placeOf(line)) ?? 0) + line.quantity);
  return sums;
}

const byPlace = (changes: readonly StockChange[]): Map<string, number> =>
  new Map(changes.map((change) => [placeOf(change), change.reserved]));

const allPlaces = [1, 2, 3, 4].flatMap((product_id) =>
  [1, 2].map((distribution_center_id) => placeOf({ product_id, distribution_center_id })),
);

describe("reserving", () => {
  test("ids that read alike when joined are kept apart", () => {
    expect(reserving([], [lineOf(1, 1, 11), lineOf(11, 1, 1)])).toHaveLength(2);
  });
});

describe("shipping", () => {
  test("takes each of an order's items from on-hand and from reserved, lines of one product together", () => {
    const items = [lineOf(1, 2), lineOf(2, 1), lineOf(1, 5)];

    const changes = stockChanges(items.map(promised), items.map(departed));

    expect(changes).toEqual([
      { product_id: 1, distribution_center_id: 1, on_hand: -7, reserved: -7 },
      { product_id: 2, distribution_center_id: 1, on_hand: -1, reserved: -1 },
    ]);
  });

  test("is undone by its reverse, and nothing moves if nothing changes", () => {
    const [open, left] = [[promised(lineOf(1, 2))], [departed(lineOf(1, 2))]];

    expect(stockChanges(left, open)).toEqual([
      { product_id: 1, distribution_center_id: 1, on_hand: 2, reserved: 2 },
    ]);
    expect(stockChanges(left, left)).toEqual([]);
  });
});

describe("reserving, for any lines", () => {
  test("adds exactly what is reserved after and was not before, at each place", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changed = byPlace(reserving(before, after));

        const [was, is] = [totals(before), totals(after)];
        for (const place of allPlaces) {
          expect((was.get(place) ?? 0) + (changed.get(place) ?? 0)).toBe(is.get(place) ?? 0);
        }
      }),
    );
  });

  test("never touches what is on hand, nor names a place twice or one that stays as it is", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = reserving(before, after);

        expect(changes.filter(({ on_hand, reserved }) => on_hand !== 0 || reserved === 0)).toEqual([]);
        expect(new Set(changes.map(placeOf)).size).toBe(changes.length);
      }),
    );
  });
});
