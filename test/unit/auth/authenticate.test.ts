import { describe, expect, test } from "vitest";
import { authenticators, type SessionlessArea } from "../../../shared/auth/authenticate.ts";
import type { Headers } from "../../../shared/auth/headers.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";

/** It knows no table, so asking it anything is an error other than a Problem. */
const db = connect({}, { region: "eu-west-1" });

/** A call with these headers. */
const receivedWith = (headers: Headers) => ({ headers, source: "192.0.2.1", weight: 1 });

async function rejectionOf(area: SessionlessArea, headers: Headers): Promise<Problem> {
  const rejection: unknown = await authenticators[area](db, receivedWith(headers)).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (rejection instanceof Problem) return rejection;
  throw new Error("the caller was not refused by a problem", { cause: rejection });
}

describe.each(["oms", "v2"] as const)("a call of the area %s", (area) => {
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
  test("with a name longer than any user's is unauthorized before any table is asked", async () => {
    const problem = await rejectionOf("wms", { username: "x".repeat(101), key: "k" });

    expect(problem.kind).toBe("unauthorized");
    expect(problem.message).toBe("Header value invalid; user does not exist or has no permissions");
  });
});

describe("a call to sign in", () => {
  const headers = { "device-id": "d", app: "a", "app-version": "1", "system-version": "2" };

  test("is made by a device, in its own words", async () => {
    expect(await authenticators["sign-in"](db, receivedWith(headers))).toEqual({
      caller: {
        device: { device_id: "d", app: "a", app_version: "1", system_version: "2" },
        source: "192.0.2.1",
      },
      scope: "write",
      actor: "device",
    });
  });
});
