import { describe, expect, test } from "vitest";
import { maxPending, planBin } from "../../../shared/stock/recount/accept-recount.ts";
import { problemOf } from "../samples.ts";

const place = {
  account_id: 100,
  product_id: 1001,
  sku: "TEE",
  bin_id: 1,
  location: "A1",
  bin: "01",
  distribution_center_id: 1,
};

const entryOf = (quantity: number) => ({
  ...place,
  distribution_center: "MAIN",
  change: { kind: "relative" as const, quantity },
  description: "counted",
  position: 7,
});

/** A bin of five units, for which so many corrections of a unit each are queued. */
const binWith = (waiting: number) => ({
  ...place,
  quantity: 5,
  expected: 5 + waiting,
  ...Object.fromEntries(Array.from({ length: waiting }, (_, id) => [`queued:${1000 + id}`, 1])),
});

describe("the entries of a bin", () => {
  test("are decided on what it will hold, not on what it holds", () => {
    const { corrections, failures } = planBin(binWith(3), [entryOf(-8)]);

    expect(failures).toEqual([]);
    expect(corrections).toMatchObject([{ position: 7, payload: { difference: -8, new_quantity: 0 } }]);
  });

  test("that are wrong are named with their place in the call", () => {
    expect(planBin(undefined, [entryOf(-1)])).toMatchObject({
      corrections: [],
      failures: [{ position: 7, sku: "TEE", location: "A1", bin: "01" }],
    });
  });

  test("are accepted up to the limit of queued entries, and rejected for a retry beyond", () => {
    expect(planBin(binWith(maxPending - 1), [entryOf(1)]).corrections).toHaveLength(1);

    const problem = problemOf(() => planBin(binWith(maxPending), [entryOf(1)]));
    expect(problem).toMatchObject({ kind: "too_many", details: { retryAfterSeconds: 60 } });
    expect(problem.message).toBe(
      "At most 1000 corrections of one bin may be queued; send this one again later",
    );
  });
});
