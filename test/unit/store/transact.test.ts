import { describe, expect, test } from "vitest";
import { fitsTransaction, largestTransaction, transactionLimit } from "../../../shared/store/transact.ts";
import { stale, type Write } from "../../../shared/store/writes.ts";

/** So many items, which hold so many bytes in all. */
const items = (count: number, bytes: number): readonly Write[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: "insert",
    table: "orders",
    item: { pk: "p", sk: `${index}`, text: "x".repeat(bytes / count) },
    refusal: stale,
  }));

describe("a transaction", () => {
  test.each([
    [transactionLimit, 1_000, true],
    [transactionLimit + 1, 1_000, false],
    [20, largestTransaction - 10_000, true],
    [20, largestTransaction + 1, false],
  ])("of %i items with %i bytes is held by the database: %s", (count, bytes, fits) => {
    expect(fitsTransaction(items(count, bytes))).toBe(fits);
  });
});
