import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf, daysOf, weekOf } from "../../../shared/domain/days.ts";

describe("the day", () => {
  test.each([
    ["1970-01-01", 0],
    ["1970-01-02", 1],
    ["1970-01-01T23:59:59.999Z", 0],
    ["1970-01-02T00:00:00.000Z", 1],
    ["1969-12-31T23:59:59.999Z", -1],
    ["2024-02-29", 19_782],
    ["2026-01-31T08:00:00.000Z", 20_484],
  ])("of %s is number %i", (timestamp, day) => {
    expect(dayOf(timestamp)).toBe(day);
  });

  test("of a date is that of every moment of the day in UTC, and of no other", () => {
    const day = dayOf("2026-01-31");

    expect(dayOf("2026-01-31T00:00:00.000Z")).toBe(day);
    expect(dayOf("2026-01-31T23:59:59.999Z")).toBe(day);
    expect(dayOf("2026-02-01T00:00:00.000Z")).toBe(day + 1);
  });

  test("is counted in UTC, not in the zone of the timestamp", () => {
    expect(dayOf("2026-02-01T00:30:00+02:00")).toBe(dayOf("2026-01-31"));
  });
});

describe("the week", () => {
  test.each([
    ["1970-01-01", 0],
    ["1970-01-07", 0],
    ["1970-01-08", 1],
    ["1969-12-31", -1],
    ["2026-01-28", 2925],
    ["2026-01-29", 2926],
    ["2026-02-04", 2926],
    ["2026-02-05", 2927],
  ])("of %s, a Thursday to a Wednesday, is number %i", (date, week) => {
    expect(weekOf(dayOf(date))).toBe(week);
  });

  test("has seven days, from the first to the last, and they follow those of the week before", () => {
    expect([daysOf(0), daysOf(1)]).toEqual([
      [0, 6],
      [7, 13],
    ]);
  });

  test("of any day is the one that has it among its days", () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (day) => {
        const [first, last] = daysOf(weekOf(day));

        expect(first <= day && day <= last).toBe(true);
      }),
    );
  });
});
