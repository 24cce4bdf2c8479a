import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashKey, hmac, isKey, newKey, sameText } from "../../../shared/auth/secrets.ts";

/** Published SHA-256 test vectors. */
const ofAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

describe("a new key", () => {
  test("has 256 bits, in characters that a header can carry", () => {
    const key = newKey();

    expect(key).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(key, "base64url")).toHaveLength(32);
  });

  test("is like no other", () => {
    expect(new Set(Array.from({ length: 1000 }, newKey)).size).toBe(1000);
  });
});

describe("the hash", () => {
  test("is SHA-256, hexadecimal", () => {
    expect(hashKey("abc")).toBe(ofAbc);
    expect(hashKey("")).toBe(ofNothing);
  });
});

describe("a sent key", () => {
  test.each(["abd", "ABC", "ab", "abcd", " abc", "abc ", ""])("%j is not the key abc", (sent) => {
    expect(isKey(sent, ofAbc)).toBe(false);
  });

  test.each([
    ["is empty", ""],
    ["is cut", ofAbc.slice(0, 62)],
    ["is cut within a byte", ofAbc.slice(0, 63)],
    ["is too long", `${ofAbc}00`],
    ["is not hexadecimal", "not a hash"],
    ["is the key itself", "abc"],
  ])("is refused without an error if the stored hash %s", (_, hash) => {
    expect(isKey("abc", hash)).toBe(false);
  });

  test("is accepted if and only if it is the key", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (sent, key) => {
        expect(isKey(key, hashKey(key))).toBe(true);
        expect(isKey(sent, hashKey(key))).toBe(sent === key);
      }),
    );
  });
});

describe("two texts", () => {
  test("are the same if and only if they are, of whatever length", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(sameText(left, left)).toBe(true);
        expect(sameText(left, right)).toBe(left === right);
      }),
    );
  });
});

test("the HMAC is that of RFC 4231 (test case 2), base64url", () => {
  const vector = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

  expect(hmac("Jefe", "what do ya want for nothing?")).toBe(Buffer.from(vector, "hex").toString("base64url"));
});
