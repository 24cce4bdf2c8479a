import { describe, expect, test } from "vitest";
import { sizeOfItem } from "../../../../infra/local/proxy/capacity/item-size.ts";

/** The value's bytes. The attribute's name takes one more. */
const sizeOfValue = (value: object): number => sizeOfItem({ a: value }) - 1;

describe("an item's size", () => {
  test("is that of its attributes' names and values", () => {
    const item = { pk: { S: "order#1" }, created_at: { S: "2025-01-01" } };

    expect(sizeOfItem(item)).toBe(2 + 7 + 10 + 10);
    expect(sizeOfItem({})).toBe(0);
    expect(sizeOfItem(undefined)).toBe(0);
  });

  test("counts text in UTF-8, names too", () => {
    expect(sizeOfItem({ größe: { S: "€" } })).toBe(7 + 3);
  });

  test.each([
    ["0", 1],
    ["7", 2],
    ["42", 2],
    ["123", 3],
    ["1000000", 2],
    ["0.0025", 2],
    ["-42", 3],
    ["2.50", 2],
    ["12345678901234567890123456789012345678", 20],
  ])("counts of the number %s a byte for two significant digits, and one more", (N, bytes) => {
    expect(sizeOfValue({ N })).toBe(bytes);
  });

  test("counts the raw bytes of a binary value", () => {
    expect(sizeOfValue({ B: Buffer.from("12345").toString("base64") })).toBe(5);
  });

  test("counts a byte for a Boolean and for null", () => {
    expect([sizeOfValue({ BOOL: false }), sizeOfValue({ NULL: true })]).toEqual([1, 1]);
  });

  test("counts three bytes for a list or a map, and one for each element", () => {
    expect([sizeOfValue({ L: [] }), sizeOfValue({ M: {} })]).toEqual([3, 3]);
    expect(sizeOfValue({ L: [{ S: "ab" }, { N: "7" }] })).toBe(3 + (1 + 2) + (1 + 2));
    expect(sizeOfValue({ M: { qty: { N: "7" }, tags: { L: [{ S: "x" }] } } })).toBe(
      3 + (1 + 3 + 2) + (1 + 4 + (3 + 1 + 1)),
    );
  });

  test("counts a set's elements", () => {
    expect([sizeOfValue({ SS: ["ab", "c"] }), sizeOfValue({ NS: ["1", "-2"] })]).toEqual([3, 5]);
  });

  test("is not guessed for an unknown type", () => {
    expect(() => sizeOfValue({ X: "?" })).toThrow("DynamoDB has no attribute type X");
  });
});
