import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Headers } from "../../../shared/auth/headers.ts";
import { authenticateMobile, newSession, tokenOf } from "../../../shared/auth/mobile.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";

/** They know no table and no secret: asking for one is an error other than a Problem. */
const db = connect({}, { region: "eu-west-1" });
beforeAll(() => vi.stubEnv("SECRET_SIGNING", undefined));
afterAll(() => vi.unstubAllEnvs());

const headers = {
  authorization: "jwt",
  token: "token",
  "user-id": "1",
  "device-id": "device",
  app: "app",
  "app-version": "1",
  "system-version": "1",
};

/** A call with these headers. */
const received = (sent: Headers) => ({ headers: sent, source: "192.0.2.1", weight: 1 });

describe("a call of the mobile application", () => {
  test("fails, and is not refused, if the function may not read the secret", async () => {
    await expect(authenticateMobile(db, received(headers))).rejects.toThrow(
      "does not state that the function reads",
    );
  });
});

describe("the Token", () => {
  /** echo -n 'id:device' | openssl dgst -sha256 -hmac secret -binary | basenc --base64url */
  const expected = "3c3bEzJ-jQ42ky5MHrxkuwqUJtkuHIRDxOD-NNj5Ncg";

  test("is the HMAC-SHA256 of the JWT's id and the device", () => {
    expect(tokenOf("secret", "id", "device")).toBe(expected);
  });

  test.each([
    ["secret", ["secret2", "id", "device"]],
    ["session", ["secret", "id2", "device"]],
    ["device", ["secret", "id", "device2"]],
  ] as const)("differs for another %s", (_case, [secret, id, device]) => {
    expect(tokenOf(secret, id, device)).not.toBe(expected);
  });
});

test("a new session lasts twelve hours and begins in the user's present generation", () => {
  const user = { user_id: 7, user_name: "ann", activated: true, wms: true, session_generation: 3 };
  const device = { device_id: "d", app: "a", app_version: "1", system_version: "2" };

  const [first, second] = [
    newSession(user, device, "2026-01-31T08:00:00.500Z"),
    newSession(user, device, "2026-01-31T08:00:00.500Z"),
  ];

  expect(first).toEqual({
    ...device,
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    user_id: 7,
    user_name: "ann",
    generation: 3,
    created_at: "2026-01-31T08:00:00.500Z",
    expires_at: Date.parse("2026-01-31T20:00:00Z") / 1000,
  });
  expect(first.session_id).not.toBe(second.session_id);
});
