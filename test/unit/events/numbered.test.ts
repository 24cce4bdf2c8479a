import { describe, expect, test } from "vitest";
import type { PendingEvents, StockLevelChanged } from "../../../shared/events/kind.ts";
import { sequenced } from "../../../shared/publishing/numbered.ts";

const place = { product_id: 7, distribution_center_id: 1, sku: "TEE", distribution_center: "MAIN" };

const changeEvents = (source: string, happened: PendingEvents["happened"]): PendingEvents => ({
  source,
  version: "2026-11-22",
  account_id: 100,
  occurred_at: "2026-11-22T10:00:00.000Z",
  by: null,
  subject: { kind: "product", id: "7" },
  happened,
});

const moved = (on_hand: number, reserved = 0, of = place): StockLevelChanged => ({
  type: "stock.changed",
  place: of,
  units: { on_hand, reserved, incoming: 0 },
  why: { reason: "recount" },
});

const created = { type: "product.created", data: {}, previous: null };

const published = { levelAt: () => ({ on_hand: 10, reserved: 2, incoming: 0 }) };

describe("events", () => {
  test("are sequenced on from the feed's end, in the order of what happened", () => {
    const told = [
      changeEvents("a", [created, { ...created, type: "product.updated" }]),
      changeEvents("b", [created]),
    ];

    const { events } = sequenced(told, published, 57);

    expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
      [58, "product.created"],
      [59, "product.updated"],
      [60, "product.created"],
    ]);
  });

  test("have an id that is the change's and the type's alone, and so the same in every delivery", () => {
    const told = [
      changeEvents("a", [created, { ...created, type: "product.updated" }]),
      changeEvents("b", [created]),
    ];

    const first = sequenced(told, published, 0).events.map(({ id }) => id);
    const again = sequenced(told, published, 99).events.map(({ id }) => id);

    expect(new Set(first).size).toBe(3);
    expect(again).toEqual(first);
    expect(first.every((id) => /^evt_[\w-]{24}$/.test(id))).toBe(true);
  });

  test("of stock go on from the level that was published last, each from the one before", () => {
    const told = [changeEvents("a", [moved(5)]), changeEvents("b", [moved(-3, 1)])];

    const { events, levels } = sequenced(told, published, 0);

    expect(events.map(({ data, previous }) => [data?.["on_hand"], data?.["available"], previous])).toEqual([
      [15, 13, { on_hand: 10, available: 8 }],
      [12, 9, { on_hand: 15, reserved: 2, available: 13 }],
    ]);
    expect(levels).toEqual([[place, { on_hand: 12, reserved: 3, incoming: 0 }]]);
  });

  test("of stock keep the levels of distribution centers apart", () => {
    const east = { ...place, distribution_center_id: 2, distribution_center: "EAST" };

    const { levels } = sequenced([changeEvents("a", [moved(5), moved(1, 0, east)])], published, 0);

    expect(levels.map(([, { on_hand }]) => on_hand)).toEqual([15, 11]);
  });
});
