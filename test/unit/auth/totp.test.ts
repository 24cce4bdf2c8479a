import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { newTotpSecret, stepOfCode, totpUri } from "../../../shared/auth/totp.ts";

/** The secret of RFC 6238's test vectors: the text 12345678901234567890. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** The moment 1111111109 s of the vectors, which lies in this step; its code there has two digits more. */
const moment = 1_111_111_109_000;
const step = 37_037_036;
const code = "081804";

const codeOf = (timestamp: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });

describe("a code", () => {
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("is that of RFC 6238 at %i s", (seconds, expected) => {
    expect(stepOfCode(secret, expected, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test.each([
    ["at the first moment of its half minute", step * 30_000],
    ["at the last", step * 30_000 + 29_999],
    ["a half minute early", (step - 1) * 30_000],
    ["a half minute late", (step + 1) * 30_000 + 29_999],
  ])("is accepted %s", (_case, timestamp) => {
    expect(stepOfCode(secret, code, timestamp)).toBe(step);
  });

  test.each([
    ["earlier", (step - 1) * 30_000 - 1],
    ["later", (step + 2) * 30_000],
  ])("is refused if it is a half minute %s than that", (_case, timestamp) => {
    expect(stepOfCode(secret, code, timestamp)).toBeUndefined();
  });

  test("of another secret is refused", () => {
    expect(stepOfCode(newTotpSecret(), code, moment)).toBeUndefined();
  });

  test.each(["", "81804", "0818040", "000000"])("is refused if it is %j", (wrong) => {
    expect(codeOf(moment)).toBe(code);
    expect(stepOfCode(secret, wrong, moment)).toBeUndefined();
  });
});

test("a new secret has 160 bits and is like no other", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(new Set(Array.from({ length: 1000 }, newTotpSecret)).size).toBe(1000);
});

test("the address for authenticator applications states the user, the secret and how codes are made", () => {
  const uri = new URL(totpUri("ann & bob", secret));

  expect(uri.protocol).toBe("otpauth:");
  expect(uri.host).toBe("totp");
  expect(decodeURIComponent(uri.pathname)).toBe("/Order Inventory Warehouse:ann & bob");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: "Order Inventory Warehouse",
    secret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
