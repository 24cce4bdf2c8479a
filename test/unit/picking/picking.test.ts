import { describe, expect, test } from "vitest";
import type { Order, OrderPick } from "../../../shared/orders/order.ts";
import { maxOrderBytes } from "../../../shared/orders/order.ts";
import { isPicked } from "../../../shared/orders/order-status.ts";
import { type OrderDecision, revert } from "../../../shared/orders/order-transitions.ts";
import { presentPickLog } from "../../../shared/picking/pick-log-view.ts";
import { maxPicksAndSerials, pick } from "../../../shared/picking/picking.ts";
import { afterOf, itemOf, later, linesOf, pickOf, rejectionOf, sampleOrder } from "../samples.ts";

const pickBy = (userName: string, before: Order, picks: readonly OrderPick[]): OrderDecision =>
  pick(before, { userName, picks }, later);

describe("pick", () => {
  const processing = (more: Partial<Order> = {}) =>
    sampleOrder({ status: "Processing", picker: "manager", ...more });

  test("notes what was taken where, by whom and when, and changes nothing else", () => {
    const before = processing({ sub_status: "rush" });
    const picks = [pickOf({ quantity: 2, by: "manager" })];

    const after = afterOf(pickBy("manager", before, picks));

    expect(after).toEqual({ ...before, picks, updated_at: later, version: before.version + 1 });
  });

  test("out of a bin that was picked from before adds to what was taken there, and names the last picker", () => {
    const before = processing({
      picker: "bob",
      items: [itemOf({ quantity: 9 })],
      picks: [pickOf({ quantity: 2, by: "ann" }), pickOf({ bin_id: 2, quantity: 1, by: "ann" })],
    });

    const after = afterOf(pickBy("bob", before, [pickOf({ quantity: 3, by: "bob", at: later })]));

    expect(after.picks).toEqual([
      pickOf({ quantity: 5, by: "bob", at: later }),
      pickOf({ bin_id: 2, quantity: 1, by: "ann" }),
    ]);
  });

  test("names every wrong pick of a call, and one that is refused uses up nothing", () => {
    const picks = [pickOf({ quantity: 3 }), pickOf({ quantity: 2 }), pickOf({ product_id: 9, sku: "OTHER" })];

    const problem = rejectionOf(pickBy("manager", processing(), picks));

    expect(linesOf(problem)).toEqual([
      "picks.0.quantity is more than the order still needs of TEE from the center of A1 (2)",
      "picks.2.sku is not in the order (OTHER)",
    ]);
  });

  describe("of a product in two centers", () => {
    const items = [itemOf({ quantity: 2 }), itemOf({ quantity: 1, distribution_center_id: 2 })];
    const inEast = { bin_id: 9, location: "E1", distribution_center_id: 2 };

    test("takes from each center what its own lines need", () => {
      const problem = rejectionOf(pickBy("manager", processing({ items }), [pickOf({ quantity: 3 })]));
      const after = afterOf(
        pickBy("manager", processing({ items }), [
          pickOf({ quantity: 2 }),
          pickOf({ quantity: 1, ...inEast }),
        ]),
      );

      expect(linesOf(problem)).toEqual([
        "picks.0.quantity is more than the order still needs of TEE from the center of A1 (2)",
      ]);
      expect(isPicked(after)).toBe(true);
    });

    test("of which an earlier release took too many from one center is not picked until it is reverted", () => {
      const before = processing({ items, picks: [pickOf({ quantity: 3 })] });

      const after = afterOf(pickBy("manager", before, [pickOf({ quantity: 1, ...inEast })]));
      const problem = rejectionOf(pickBy("manager", after, [pickOf({ quantity: 1 })]));
      const reverted = afterOf(revert(after, { revertedBy: 7, last: null }, later));

      expect([before, after].map(isPicked)).toEqual([false, false]);
      expect(presentPickLog(before)).toMatchObject({
        fully_picked: false,
        items: [{ quantity: 3, picked: 2, remaining: 1 }],
      });
      expect(linesOf(problem)).toEqual([
        "picks.0.quantity is more than the order still needs of TEE from the center of A1 (0)",
      ]);
      expect(reverted.picks).toEqual([]);
    });
  });

  test(`takes from ${maxPicksAndSerials} places a call and not from one more, as often as goods are missing`, () => {
    const before = processing({ items: [itemOf({ quantity: 1000 })] });
    const from = (places: number, first = 0) =>
      Array.from({ length: places }, (_, index) => pickOf({ bin_id: first + index, quantity: 1 }));

    const most = afterOf(pickBy("manager", before, from(maxPicksAndSerials)));
    const again = afterOf(
      pickBy("manager", most, [...from(maxPicksAndSerials), ...from(maxPicksAndSerials)]),
    );
    const more = afterOf(pickBy("manager", again, from(maxPicksAndSerials, 1000)));
    const problem = rejectionOf(pickBy("manager", before, from(maxPicksAndSerials + 1)));

    expect([again.picks.length, more.picks.length]).toEqual([maxPicksAndSerials, 2 * maxPicksAndSerials]);
    expect(problem.message).toBe(
      `picks must come to at most ${maxPicksAndSerials} places, counting serials; pick the rest in another call`,
    );
  });

  const day = (received_on: string, quantity: number) => ({
    received_on,
    lot: "L1",
    expires_on: null,
    quantity,
  });

  test("keeps with a place which goods came out of it: lots and days of arrival made one, serials in a row", () => {
    const before = processing({
      items: [itemOf({ quantity: 9 })],
      picks: [pickOf({ quantity: 3, layers: [day("2026-01-02", 2)], serials: ["A", "B", "C"] })],
    });
    const more = pickOf({
      quantity: 4,
      layers: [day("2026-01-02", 1), day("2026-01-01", 3)],
      serials: ["D", "E", "F", "G"],
    });

    const after = afterOf(pickBy("manager", before, [more]));

    expect(after.picks).toEqual([
      pickOf({
        quantity: 7,
        layers: [day("2026-01-01", 3), day("2026-01-02", 3)],
        serials: ["A", "B", "C", "D", "E", "F", "G"],
      }),
    ]);
  });

  test(`counts serials towards the ${maxPicksAndSerials} places`, () => {
    const before = processing({ items: [itemOf({ quantity: 1000 })] });
    const serials = (count: number) => Array.from({ length: count }, (_, position) => String(position));
    const of = (count: number) => pickOf({ quantity: count, serials: serials(count) });

    const most = pickBy("manager", before, [of(maxPicksAndSerials - 1)]);
    const problem = rejectionOf(pickBy("manager", before, [of(maxPicksAndSerials)]));

    expect("after" in most).toBe(true);
    expect(problem.message).toBe(
      `picks must come to at most ${maxPicksAndSerials} places, counting serials; pick the rest in another call`,
    );
  });

  test("refuses goods with which the order would not fit an item", () => {
    const before = processing({ items: [itemOf({ quantity: 10_000 })] });
    const of = (count: number) =>
      pickOf({
        quantity: count,
        layers: Array.from({ length: count }, (_, lot) => ({ ...day("2026-01-01", 1), lot: `${lot}` })),
      });

    const most = pickBy("manager", before, [of(5000)]);
    const problem = rejectionOf(pickBy("manager", before, [of(6000)]));

    expect("after" in most).toBe(true);
    expect(problem.message).toBe(
      `Order 1001 can't be picked from more places: it would take more than ${maxOrderBytes} bytes`,
    );
  });
});

test("an order's progress is counted by product, over all of its lines", () => {
  const items = [
    itemOf({ quantity: 2 }),
    itemOf({ product_id: 2, sku: "MUG", quantity: 1 }),
    itemOf({ quantity: 3, ordered_as: "KIT" }),
  ];

  const progress = presentPickLog(sampleOrder({ items, picks: [pickOf({ quantity: 4 })] })).items;

  expect(progress).toEqual([
    { product_id: 1, sku: "TEE", quantity: 5, picked: 4, remaining: 1 },
    { product_id: 2, sku: "MUG", quantity: 1, picked: 0, remaining: 1 },
  ]);
});
