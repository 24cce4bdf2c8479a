import * as crypto from "node:crypto";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";

vi.mock("node:crypto", async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, scrypt: vi.fn(real.scrypt) };
});
// Test files share their modules: this one needs the module with the mock, and leaves none of it behind.
vi.resetModules();
const { hashPassword, isPassword, newPassword } = await import("../../../shared/auth/passwords.ts");
afterAll(() => void vi.resetModules());
afterEach(() => vi.mocked(crypto.scrypt).mockClear());

const cheap = { N: 16, r: 1, p: 1 };

/** The length of each key that was derived, and what deriving it cost. */
const derived = () =>
  vi.mocked(crypto.scrypt).mock.calls.map(([, salt, length, { N, r, p } = {}]) => ({
    salt: Buffer.from(salt.toString()).length > 0,
    length,
    N,
    r,
    p,
  }));

describe("a password's hash", () => {
  test("holds what it costs to check it: as much as OWASP recommends", { timeout: 60_000 }, async () => {
    const hash = await hashPassword("secret");

    expect(hash).toEqual({
      N: 32_768,
      r: 8,
      p: 3,
      salt: expect.stringMatching(/^[\w-]{22}$/),
      hash: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("is scrypt (the first test vector of RFC 7914, shortened)", async () => {
    const vector = Buffer.from("77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442", "hex");
    const stored = { ...cheap, salt: "", hash: vector.toString("base64url") };

    expect(await isPassword("", stored)).toBe(true);
    expect(await isPassword("x", stored)).toBe(false);
  });

  test("differs each time, even for the same password", async () => {
    const [first, second] = [await hashPassword("secret", cheap), await hashPassword("secret", cheap)];

    expect(first.salt).not.toBe(second.salt);
    expect(first.hash).not.toBe(second.hash);
  });
});

describe("a sent password", () => {
  test.each(["secre", "secrets", "Secret", " secret", "secret ", ""])("%j is not secret", async (sent) => {
    expect(await isPassword(sent, await hashPassword("secret", cheap))).toBe(false);
  });

  test("is accepted by its hash, whatever parameters that was made with", async () => {
    for (const parameters of [cheap, { N: 1024, r: 8, p: 1 }, { N: 32, r: 2, p: 4 }]) {
      expect(await isPassword("secret", await hashPassword("secret", parameters))).toBe(true);
    }
  });

  test("costs the same CPU time to check if the user has no password, or no user has the name", {
    timeout: 60_000,
  }, async () => {
    const stored = await hashPassword("secret");
    vi.mocked(crypto.scrypt).mockClear();

    const wrong = await isPassword("wrong", stored);
    const unknown = await isPassword("wrong", undefined);

    expect([wrong, unknown]).toEqual([false, false]);
    expect(derived()).toHaveLength(2);
    expect(derived()[1]).toEqual(derived()[0]);
  });
});

test("a new password has 120 bits and is like no other", () => {
  expect(newPassword()).toMatch(/^[\w-]{20}$/);
  expect(new Set(Array.from({ length: 1000 }, newPassword)).size).toBe(1000);
});
