import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Session } from "../../../shared/accounts/session-repository.ts";
import { readJwt, readJwtOf, signJwt } from "../../../shared/auth/jwt.ts";

const secret = "s".repeat(64);
const now = Date.parse("2026-01-31T08:00:00.000Z");

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => vi.useRealTimers());

const session: Session = {
  session_id: "7c0e1c9a-6a0c-4f4e-9a25-6f5d1b1c9f11",
  user_id: 7,
  user_name: "ann",
  generation: 1,
  device_id: "device-1",
  app: "Warehouse",
  app_version: "1.0",
  system_version: "1",
  created_at: new Date(now).toISOString(),
  expires_at: now / 1000 + 60,
};

const payload = { sub: "7", jti: session.session_id, user_name: "ann", device_id: "device-1" };
const complete = {
  ...payload,
  iss: "order-inventory-warehouse",
  aud: "mobile",
  iat: now / 1000,
  exp: now / 1000 + 60,
};

const made = (payload: Record<string, unknown>, alg = "HS256", key = secret): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));

const partsOf = (jwt: string): readonly unknown[] =>
  jwt
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));

/** What a JWT says to the mobile application's calls. */
const read = (by: string, jwt: string) => readJwt(by, jwt, "mobile");

describe("a session's JWT", () => {
  test("states its user, its device and its lifetime, and nothing more", async () => {
    expect(partsOf(await signJwt(secret, session, "mobile"))).toEqual([{ alg: "HS256" }, complete]);
  });

  test("is read with its secret until its last second is over", async () => {
    const jwt = await signJwt(secret, session, "mobile");
    const before = await read(secret, jwt);
    vi.setSystemTime(now + 59_999);
    const late = await read(secret, jwt);
    vi.setSystemTime(now + 60_000);
    const after = await read(secret, jwt);

    expect(before).toEqual(payload);
    expect(late).toEqual(payload);
    expect(after).toBeUndefined();
  });
});

describe("a JWT is refused", () => {
  test("unless it is complete and signed by the secret", async () => {
    expect(await read(secret, await made(complete))).toEqual(payload);
  });

  test.each(["sub", "jti", "user_name", "device_id", "iss", "aud", "iat", "exp"])(
    "without %s",
    async (name) => {
      const others = Object.entries(complete).filter(([claim]) => claim !== name);

      expect(others).toHaveLength(7);
      expect(await read(secret, await made(Object.fromEntries(others)))).toBeUndefined();
    },
  );

  test.each([
    { iss: "someone" },
    { aud: "docs" },
    { aud: "documentation" },
    { exp: now / 1000 },
    { exp: "never" },
    { nbf: now / 1000 + 10 },
    { sub: 7 },
  ])("with %j", async (change) => {
    expect(await read(secret, await made({ ...complete, ...change }))).toBeUndefined();
  });

  test.each([
    ["another secret", "HS256", "t".repeat(64)],
    ["HS384", "HS384", secret],
    ["HS512", "HS512", secret],
  ])("if it is signed by %s", async (_case, alg, key) => {
    expect(await read(secret, await made(complete, alg, key))).toBeUndefined();
  });

  test.each(["", ".", "..", "a.b.c", "x".repeat(5000), "e30.e30.", "ey.ey.ey"])(
    "if it is the text %j",
    async (text) => {
      expect(await read(secret, text)).toBeUndefined();
    },
  );
});

test("a JWT of an earlier secret is read while that secret is accepted, and tells which it was", async () => {
  const [older, newer] = ["o".repeat(64), "n".repeat(64)];
  const jwt = await signJwt(older, session, "mobile");

  expect(await readJwtOf([newer, older], jwt, "mobile")).toEqual({ payload, secret: older });
  expect(await readJwtOf([newer], jwt, "mobile")).toBeUndefined();
});
