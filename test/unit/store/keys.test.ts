import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joined, padded, textOf } from "../../../shared/store/dynamodb/keys.ts";

const largest = 10 ** 12 - 1;
const ids = fc.oneof(
  fc.integer({ min: 0, max: 5000 }),
  fc.maxSafeInteger().map((id) => Math.abs(id) % (largest + 1)),
);

/** Compares as DynamoDB compares strings: by their UTF-8 bytes. */
const byText = (left: string, right: string) =>
  Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));

describe("an id as a sort key", () => {
  test.each([
    [0, "000000000000"],
    [7, "000000000007"],
    [1001, "000000001001"],
    [largest, "999999999999"],
  ])("of %i is %s", (id, key) => {
    expect(padded(id)).toBe(key);
  });

  test("sorts as the number does", () => {
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        expect(byText(padded(left), padded(right))).toBe(Math.sign(left - right));
      }),
    );
  });

  test("sorts before its own suffixes, and those before the next id's", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: largest - 1 }),
        fc.integer({ min: 0, max: 9999 }),
        (id, suffix) => {
          const suffixed = joined(padded(id), padded(suffix));

          expect(byText(padded(id), suffixed)).toBe(-1);
          expect(byText(suffixed, padded(id + 1))).toBe(-1);
        },
      ),
    );
  });
});

describe("a joined key", () => {
  test("has its parts in their order", () => {
    expect(joined("order-number", 100, "A-1")).toBe("order-number#100#A-1");
  });

  test("tells accounts apart whatever text their clients send", () => {
    const account = fc.integer({ min: 1, max: 9999 });
    const text = fc.oneof(fc.string(), fc.constantFrom("1#2", "#", "101#A", "100#A"));
    fc.assert(
      fc.property(account, account, text, text, (left, right, first, second) => {
        const same = left === right && first === second;

        expect(joined("sku", left, first) === joined("sku", right, second)).toBe(same);
      }),
    );
  });
});

test("another item has another text, whatever its keys hold", () => {
  const items = [
    { table: "orders", pk: "a", sk: "bc" },
    { table: "orders", pk: "ab", sk: "c" },
    { table: "orders", pk: "a 2", sk: "bc" },
    { table: "orders", pk: "", sk: "2 abc" },
    { table: "directory", pk: "a", sk: "bc" },
  ];

  expect(new Set(items.map(({ table, ...key }) => textOf(table, key))).size).toBe(items.length);
});
