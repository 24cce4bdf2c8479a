import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { covers, rangeError, stretchesOf } from "../../../shared/serials/serial-range.ts";

const rangeOf = (serial_start: string, serial_end: string) => ({ serial_start, serial_end });

describe("a range of texts", () => {
  const range = { serial_start: "B05", serial_end: "B20" };

  test.each(["B05", "B06", "B1z", "B20"])("covers %s", (serial) => {
    expect(covers(range, serial)).toBe(true);
  });

  test.each(["B04", "B21", "A10", "b10", "B1", "B100", "B", ""])("does not cover %j", (serial) => {
    expect(covers(range, serial)).toBe(false);
  });
});

describe("a range of numbers", () => {
  test.each([
    ["SN9", "SN10", ["SN9", "SN10"], ["SN8", "SN11", "SN09", "SN9X", "SN1", "sn9", "SN", "TN9", "SN010"]],
    ["9", "101", ["9", "10", "99", "100", "101"], ["8", "09", "102", "1A", "1000"]],
    ["A1-8", "A1-12", ["A1-8", "A1-9", "A1-10", "A1-12"], ["A1-7", "A1-1A", "A2-9", "A1-013"]],
    ["SN0", "SN99", ["SN0", "SN5", "SN10", "SN1".padEnd(4, "9")], ["SN00", "SN1A", "SN1X", "SN100"]],
  ])("from %s to %s covers %j, and not %j", (start, end, within, outside) => {
    const covered = [...within, ...outside].filter((serial) => covers(rangeOf(start, end), serial));

    expect(rangeError(rangeOf(start, end))).toBeUndefined();
    expect(covered).toEqual(within);
  });

  test("covers exactly the numbers from the first to the last, and all of them lie in its stretches", () => {
    const number = fc.integer({ min: 0, max: 1200 });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 0, max: 1300 }), (one, other, tried) => {
        const [first, last] = one < other ? [one, other] : [other, one];
        fc.pre(String(first).length < String(last).length);
        const [range, serial] = [rangeOf(`P${first}`, `P${last}`), `P${tried}`];
        const stretches = stretchesOf(range).filter(
          ([from, to]) => serial.length === from.length && from <= serial && serial <= to,
        );

        expect(covers(range, serial)).toBe(first <= tried && tried <= last);
        expect(stretches.length).toBe(covers(range, serial) ? 1 : 0);
      }),
    );
  });

  test("of more digits than a number holds is exact", () => {
    const range = rangeOf(`S${"9".repeat(20)}`, `S1${"0".repeat(19)}1`);
    const numbers = ["0", "1", "2"].map((last) => `S1${"0".repeat(19)}${last}`);

    expect(numbers.map((serial) => covers(range, serial))).toEqual([true, true, false]);
  });
});

describe("the end of a range", () => {
  const unlike =
    "must be as long as serial_start, or differ only in the number at its end, which has no leading zeros (SN9 to SN10)";
  const before = "must not come before serial_start";

  test.each([
    ["SN9", "SN10", undefined],
    ["SN09", "SN10", undefined],
    ["SN9", "SN9", undefined],
    ["A9", "B1", undefined],
    ["SN09", "SN100", unlike],
    ["SN9", "TN10", unlike],
    ["SN9", "SN1X", unlike],
    ["SN9", "SN1", before],
    ["SN9", "SN10X", unlike],
    ["A", "AB", unlike],
    ["SN10", "SN9", before],
    ["B1", "A9", before],
  ])("%s to %s: %s", (start, end, message) => {
    expect(rangeError(rangeOf(start, end))).toBe(message);
  });
});
