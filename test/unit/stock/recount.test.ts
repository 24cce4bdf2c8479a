import { describe, expect, test } from "vitest";
import {
  type AskedChange,
  decideCorrections,
  neededFirst,
  type RecountChange,
} from "../../../shared/stock/recount/recount.ts";

const by = (quantity: number): RecountChange => ({ kind: "relative", quantity });
const to = (quantity: number): RecountChange => ({ kind: "absolute", quantity });

const asked = (...changes: readonly RecountChange[]): readonly AskedChange[] =>
  changes.map((change) => ({ change }));

describe("the corrections of a bin", () => {
  test("are decided each on those before it, a count as the difference to what the bin will hold", () => {
    expect(decideCorrections(3, asked(by(1), to(40), by(-10), to(0), to(0)))).toEqual([
      { difference: 1, new_quantity: 4 },
      { difference: 36, new_quantity: 40 },
      { difference: -10, new_quantity: 30 },
      { difference: -30, new_quantity: 0 },
      { difference: 0, new_quantity: 0 },
    ]);
  });

  test("that would take the bin below zero are refused with what it will hold, and those behind them decided without them", () => {
    expect(decideCorrections(3, asked(by(-4), by(-2), by(-2), by(2)))).toEqual([
      { message: "quantity not valid: the bin will hold 3, so a change by -4 would leave it below zero" },
      { difference: -2, new_quantity: 1 },
      { message: "quantity not valid: the bin will hold 1, so a change by -2 would leave it below zero" },
      { difference: 2, new_quantity: 3 },
    ]);
  });

  test("that expect another quantity than the bin will have before them are refused, and those behind them decided without them", () => {
    const changes = [
      { change: by(1), expected_quantity: 3 },
      { change: to(40), expected_quantity: 3 },
      { change: to(40), expected_quantity: 4 },
      { change: by(-1) },
    ];

    expect(decideCorrections(3, changes)).toEqual([
      { difference: 1, new_quantity: 4 },
      { message: "expected_quantity is 3, but the bin will hold 4" },
      { difference: 36, new_quantity: 40 },
      { difference: -1, new_quantity: 39 },
    ]);
  });

  test("are decided on a bin that goods left below what it was to hold", () => {
    expect(decideCorrections(-2, asked(by(1), to(5)))).toEqual([
      {
        message:
          "quantity not valid: queued corrections already remove more than the bin holds, because goods have left it; retry the change by 1 when they are done",
      },
      { difference: 7, new_quantity: 5 },
    ]);
  });
});

describe("the corrections that one which takes units needs before it", () => {
  const waiting = [
    { job_id: 7, difference: 5 },
    { job_id: 4, difference: 2 },
    { job_id: 5, difference: -1 },
    { job_id: 3, difference: 2 },
    { job_id: 8, difference: -6 },
    { job_id: 9, difference: 50 },
  ];

  test.each([
    { quantity: 6, needed: [] },
    { quantity: 5, needed: [3] },
    { quantity: 4, needed: [3] },
    { quantity: 3, needed: [3, 4] },
    { quantity: 0, needed: [3, 4, 7] },
    { quantity: -9, needed: [3, 4, 7, 9] },
  ])("are the oldest that bring what a bin of $quantity lacks: $needed", ({ quantity, needed }) => {
    expect(neededFirst(quantity, -6, waiting)).toEqual(needed);
  });

  test("are empty if none helps", () => {
    expect(
      neededFirst(0, -6, [
        { job_id: 8, difference: -6 },
        { job_id: 9, difference: 0 },
      ]),
    ).toEqual([]);
  });
});
