import { describe, expect, test } from "vitest";
import { authenticate, requireWrite, type SessionlessArea } from "../../../shared/auth/authenticate.ts";
import type { Headers } from "../../../shared/auth/headers.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { problemOf } from "../samples.ts";

/** It knows no table, so asking it anything is an error other than a Problem. */
const db = connect({}, { region: "eu-west-1" });

/** A call with these headers. */
const receivedWith = (headers: Headers) => ({ headers, source: "192.0.2.1", weight: 1 });

async function rejectionOf(area: SessionlessArea, headers: Headers): Promise<Problem> {
  const rejection: unknown = await authenticate(area, db, receivedWith(headers)).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (rejection instanceof Problem) return rejection;
  throw new Error("the caller was not refused by a problem", { cause: rejection });
}

describe.each(["oms", "v2"] as const)("a call of the area %s", (area) => {
  test.each([{}, { key: "k" }, { accountid: "", key: "k" }, { accountid: "", authorization: "k" }])(
    "without an AccountID is unauthorized in the interface's words: %j",
    async (headers) => {
      const problem = await rejectionOf(area, headers);

      expect(problem.kind).toBe("unauthorized");
      expect(problem.message).toBe("Header value invalid; AccountID is missing or empty");
    },
  );

  test.each(["abc", "0", "-100", "0100", "100.0", "1e2", " 100", "100 ", "100#1", "1".repeat(16)])(
    "with the AccountID %j, which is none, is unauthorized before any table is asked",
    async (accountid) => {
      const problem = await rejectionOf(area, { accountid, key: "k" });

      expect(problem.kind).toBe("unauthorized");
      expect(problem.message).toBe("Header value invalid; AccountID does not exist");
    },
  );
});

describe("a WMS call", () => {
  test.each([{}, { key: "k" }, { username: "", key: "k" }])(
    "without a userName is unauthorized in the interface's words: %j",
    async (headers) => {
      const problem = await rejectionOf("wms", headers);

      expect(problem.kind).toBe("unauthorized");
      expect(problem.message).toBe("Header value invalid; UserName is missing or empty");
    },
  );

  test("with a name longer than any user's is unauthorized before any table is asked", async () => {
    const problem = await rejectionOf("wms", { username: "x".repeat(101), key: "k" });

    expect(problem.kind).toBe("unauthorized");
    expect(problem.message).toBe("Header value invalid; user does not exist or has no permissions");
  });
});

describe("a call to sign in", () => {
  const headers = { "device-id": "d", app: "a", "app-version": "1", "system-version": "2" };

  test("is made by a device, in its own words", async () => {
    expect(await authenticate("sign-in", db, receivedWith(headers))).toEqual({
      caller: {
        device: { device_id: "d", app: "a", app_version: "1", system_version: "2" },
        source: "192.0.2.1",
      },
      scope: "write",
      actor: "device",
    });
  });

  test.each([
    ["Device-Id", "device-id"],
    ["App", "app"],
    ["App-Version", "app-version"],
    ["System-Version", "system-version"],
  ])("without %s, or with one too long, is unauthorized", async (name, key) => {
    const [missing, long] = [
      await rejectionOf("sign-in", { ...headers, [key]: "" }),
      await rejectionOf("sign-in", { ...headers, [key]: "x".repeat(256) }),
    ];

    expect([missing.kind, long.kind]).toEqual(["unauthorized", "unauthorized"]);
    expect(missing.message).toBe(`Header value invalid; ${name} is missing or empty`);
    expect(long.message).toBe(`Header value invalid; ${name} has more than 255 characters`);
  });
});

describe("a write", () => {
  test("is allowed to a key that writes", () => {
    expect(() => requireWrite({ scope: "write" })).not.toThrow();
  });

  test("is forbidden to a key that only reads, with the Key message", () => {
    const problem = problemOf(() => requireWrite({ scope: "read" }));

    expect(problem.kind).toBe("forbidden");
    expect(problem.message).toBe("The Key is invalid or does not have access to this API resource");
  });
});
