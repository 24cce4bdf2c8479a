import { expect, test } from "vitest";
import { pointsOf } from "../../../infra/documents/console/browser/stock/points.ts";

test("computes the stock after each movement backwards from today's", () => {
  const movements = [
    { at: "2026-01-02T00:00:00.000Z", on_hand: -3, reserved: -2 },
    { at: "2026-01-01T00:00:00.000Z", on_hand: 10, reserved: 2 },
  ];

  const points = pointsOf({ on_hand: 7, reserved: 1 }, movements);

  expect(points).toEqual([
    { at: Date.UTC(2026, 0, 1), on_hand: 10, available: 7 },
    { at: Date.UTC(2026, 0, 2), on_hand: 7, available: 6 },
    { at: expect.closeTo(Date.now(), -4), on_hand: 7, available: 6 },
  ]);
});
