import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listPicks, pickLinesOf } from "../../../shared/picking/pick-list.ts";
import type { Stop } from "../../../shared/stock/bins/pick-sequence.ts";
import { maxParallelCalls } from "../../../shared/store/dynamodb/reads.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { itemOf, pickOf, sampleOrder } from "../samples.ts";

afterEach(() => vi.restoreAllMocks());

const stopOf = (bin: string, quantity: number): Stop => ({
  bin_id: Number(bin),
  location: "A1",
  bin,
  quantity,
  lot: null,
  expires_on: null,
});

/** Five in A1/01, then four in A1/02, of every product at center 1; nothing elsewhere. */
const stopsAt = ({ distribution_center_id: center }: { readonly distribution_center_id: number }) =>
  center === 1 ? [stopOf("01", 5), stopOf("02", 4)] : [];

/** `2 of 5: 01 3` for each line: what was picked, and what to take where. */
const textsOf = (orders: Parameters<typeof pickLinesOf>[0]): readonly (readonly string[])[] =>
  pickLinesOf(orders, stopsAt).map((lines) =>
    lines.map(({ picked, quantity, bins }) =>
      [`${picked} of ${quantity}:`, ...bins.map((stop) => `${stop.bin} ${stop.quantity}`)].join(" "),
    ),
  );

describe("a pick list", () => {
  test("tells for each line where to take what remains of it", () => {
    const order = sampleOrder({ items: [itemOf({ quantity: 7 }), itemOf({ product_id: 2, quantity: 1 })] });

    expect(textsOf([order])).toEqual([["0 of 7: 01 5 02 2", "0 of 1: 01 1"]]);
  });

  test("fills the first of several lines of a product first, and sends the next to what is left", () => {
    const items = [itemOf({ quantity: 2 }), itemOf({ quantity: 4 }), itemOf({ quantity: 3 })];
    const picks = [pickOf({ quantity: 2 }), pickOf({ bin_id: 2, quantity: 1 })];

    expect(textsOf([sampleOrder({ items, picks })])).toEqual([
      ["2 of 2:", "1 of 4: 01 3", "0 of 3: 01 2 02 1"],
    ]);
  });

  test("never sends a picker to another center than the line's, and counts no picks from there", () => {
    const items = [itemOf({ quantity: 2, distribution_center_id: 2 }), itemOf({ quantity: 3 })];

    expect(textsOf([sampleOrder({ items, picks: [pickOf({ quantity: 1 })] })])).toEqual([
      ["0 of 2:", "1 of 3: 01 2"],
    ]);
  });

  test("names fewer units than remain if stock is short", () => {
    expect(textsOf([sampleOrder({ items: [itemOf({ quantity: 20 })] })])).toEqual([["0 of 20: 01 5 02 4"]]);
  });

  test("of one order never names units that an order before it takes", () => {
    const orders = [
      sampleOrder({ items: [itemOf({ quantity: 4 })] }),
      sampleOrder({ items: [itemOf({ quantity: 3 })] }),
    ];

    expect(textsOf(orders)).toEqual([["0 of 4: 01 4"], ["0 of 3: 01 1 02 2"]]);
  });

  test("reads the bins of very many products by no more calls at once than there are connections", async () => {
    const { db } = faultyStore();
    let [running, most] = [0, 0];
    vi.spyOn(db.client, "send").mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      await nextTurn();
      running -= 1;
      return { Items: [], Responses: {} };
    });
    const items = Array.from({ length: 500 }, (_, id) => itemOf({ product_id: id + 1 }));

    await listPicks(db, [sampleOrder({ items })]);

    const batchesOfProducts = 5;
    expect(most).toBe(maxParallelCalls + batchesOfProducts);
  });

  test("keeps what the line says of itself", () => {
    const item = itemOf({ sku: "TEE", ordered_as: "KIT", quantity: 3 });

    const [lines] = pickLinesOf([sampleOrder({ items: [item], picks: [pickOf({ quantity: 1 })] })], stopsAt);

    expect(lines).toEqual([{ ...item, picked: 1, remaining: 2, bins: [stopOf("01", 2)] }]);
  });
});
