import { describe, expect, test } from "vitest";
import {
  fitsTransaction,
  maxTransactionBytes,
  sizeOf,
  transactionLimit,
} from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";

/** So many items, which hold so many bytes in all. */
const items = (count: number, bytes: number): readonly Write[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: "insert",
    table: "orders",
    item: { pk: "p", sk: `${index}`, text: "x".repeat(bytes / count) },
  }));

const key = { pk: "p", sk: "s" };

describe("a transaction", () => {
  test("counts what is stored as bytes by these bytes, and all else as at least what DynamoDB does", () => {
    const item = { pk: "pé", sk: "s", content: new Uint8Array(1_000), levels: [1, { lot: null }] };
    const one: readonly Write[] = [{ kind: "insert", table: "orders", item }];

    const [sized, empty] = [sizeOf(one), sizeOf([{ kind: "insert", table: "orders", item: key }])];

    // A list or a map takes 3 bytes, each of its parts another one, a number up to 21.
    const lists = "levels".length + 3 + 1 + 21 + 1 + 3 + 1 + "lot".length + 1;
    const stored = Buffer.byteLength("é") + "content".length + 1_000 + lists;
    expect(sized - empty).toBeGreaterThanOrEqual(stored);
    expect(sized - empty).toBeLessThan(stored + 50);
  });

  test.each([
    [transactionLimit, 1_000, true],
    [transactionLimit + 1, 1_000, false],
    [20, maxTransactionBytes - 10_000, true],
    [20, maxTransactionBytes + 1, false],
  ])("of %i items with %i bytes is held by the database: %s", (count, bytes, fits) => {
    expect(fitsTransaction(items(count, bytes))).toBe(fits);
  });
});
