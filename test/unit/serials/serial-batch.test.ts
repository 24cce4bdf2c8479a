import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placed } from "../../../shared/common/placed.ts";
import type { Serial } from "../../../shared/serials/serial.ts";
import {
  attributesOf,
  madeAfter,
  resolveBatches,
  type SerialBatch,
  type SerialBatchInput,
  tooManyCovered,
} from "../../../shared/serials/serial-batch.ts";
import { linesOf, problemOf } from "../samples.ts";

const clock = (moment: number): string => new Date(Date.UTC(2026, 0, 1) + moment).toISOString();

const serialOf = (serial: string, moment = 0): Serial => ({
  product_id: 2001,
  serial,
  created_at: clock(moment),
});

const batchOf = (
  serial_start: string,
  serial_end: string,
  attributes: Readonly<Record<string, string>>,
  moment = 1,
): SerialBatch => ({
  product_id: 2001,
  serial_start,
  serial_end,
  attributes: Object.entries(attributes).map(([attribute, value]) => ({ attribute, value })),
  created_at: clock(moment),
});

describe("a serial's attributes", () => {
  /** Serials of one to three characters, a few of them told apart only by UTF-8's order. */
  const text = fc
    .array(fc.constantFrom("A", "B", "a", "1", "\uff21", "\u{1f600}"), { minLength: 1, maxLength: 3 })
    .map((characters) => characters.join(""));
  const attributes = fc.dictionary(fc.constantFrom("x", "y", "z"), fc.constantFrom("1", "2", ""), {
    minKeys: 1,
  });
  const step = fc.oneof(fc.record({ serial: text }), fc.record({ bounds: fc.tuple(text, text), attributes }));

  test("are those of a map in which every batch is written to every serial that it covers", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model = new Map<string, Map<string, string>>();
        const serials = new Map<string, Serial>();
        const batches: SerialBatch[] = [];
        steps.forEach((one, moment) => {
          if ("serial" in one) {
            if (serials.has(one.serial)) return;
            serials.set(one.serial, serialOf(one.serial, moment));
            model.set(one.serial, new Map());
            return;
          }
          const [start = "", end = ""] = [...one.bounds].sort((left, right) =>
            Buffer.compare(Buffer.from(left), Buffer.from(right)),
          );
          if (start.length !== end.length) return;
          batches.push(batchOf(start, end, one.attributes, moment));
          for (const [serial, values] of model) {
            const bytes = Buffer.from(serial);
            const inside = Buffer.from(start).compare(bytes) <= 0 && bytes.compare(Buffer.from(end)) <= 0;
            if (serial.length !== start.length || !inside) continue;
            for (const [name, value] of Object.entries(one.attributes)) values.set(name, value);
          }
        });

        for (const [serial, found] of serials) {
          const overlay = attributesOf(found, batches).map(
            ({ attribute, value }) => [attribute, value] as const,
          );
          expect(new Map(overlay)).toEqual(model.get(serial));
        }
      }),
    );
  });
});

describe("batches of a call", () => {
  const inputOf = (more: Partial<SerialBatchInput> = {}): SerialBatchInput => ({
    sku: "TEE",
    serial_start: "A1",
    serial_end: "A9",
    attributes: [{ attribute: "color", value: "red" }],
    ...more,
  });
  const resolve = (...inputs: readonly SerialBatchInput[]) =>
    resolveBatches(placed(inputs), (sku) => (sku === "TEE" ? 2001 : undefined));
  const wrong = (...inputs: readonly SerialBatchInput[]) => linesOf(problemOf(() => resolve(...inputs)));

  test.each([
    [1001, "covers 1001 serials; it may cover at most 1000"],
    [9999, "covers 9999 serials; it may cover at most 1000"],
    [10_000, "covers 10000 or more serials; it may cover at most 1000"],
  ])("that cover %i serials say so, as far as they are counted", (count, message) => {
    expect(tooManyCovered(count)).toBe(message);
  });

  test("are refused with everything that is wrong", () => {
    const twice = ["a", "a"].map((attribute) => ({ attribute, value: "" }));

    expect(
      wrong(inputOf({ sku: "CAP", attributes: twice }), inputOf({ serial_start: "B1", attributes: twice })),
    ).toEqual([
      "data.0.sku is not a known SKU (CAP)",
      "data.0.attributes.1.attribute is in this record twice (a)",
      "data.1.serial_end must not come before serial_start",
      "data.1.attributes.1.attribute is in this record twice (a)",
    ]);
  });
});

describe("what must come after others", () => {
  test.each<[string, readonly string[], string]>([
    ["nothing", [], clock(100)],
    ["nothing that has a time", [""], clock(100)],
    ["what is earlier", [clock(98), clock(99)], clock(100)],
    ["what was made just now", [clock(100)], clock(101)],
    [
      "what a clock that is ahead says, the latest of all",
      [clock(5_000), clock(1), clock(300)],
      clock(5_001),
    ],
  ])("is made after %s", (_case, others, expected) => {
    expect(madeAfter(clock(100), others)).toBe(expected);
  });
});
