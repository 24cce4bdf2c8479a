import { describe, expect, test } from "vitest";
import { authenticate, type Headers, requireWrite } from "../../../shared/auth/authenticate.ts";
import type { Area } from "../../../shared/contract.ts";
import { connect } from "../../../shared/data/database.ts";
import { Problem } from "../../../shared/domain/problem.ts";
import { problemOf } from "../samples.ts";

/** It knows no table, so asking it anything is an error other than a Problem. */
const db = connect({}, { region: "eu-west-1" });

async function refusalOf(area: Area, headers: Headers): Promise<Problem> {
  const refusal: unknown = await authenticate(area, db, headers).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refusal instanceof Problem) return refusal;
  throw new Error("the caller was not refused by a problem", { cause: refusal });
}

describe("an OMS call", () => {
  test.each([{}, { key: "k" }, { accountid: "", key: "k" }])(
    "without an AccountID is unauthorized in the interface's words: %j",
    async (headers) => {
      const problem = await refusalOf("oms", headers);

      expect(problem.kind).toBe("unauthorized");
      expect(problem.message).toBe("Header value invalid; AccountID is missing or empty");
    },
  );

  test.each(["abc", "0", "-100", "0100", "100.0", "1e2", " 100", "100 ", "100#1", "1".repeat(16)])(
    "with the AccountID %j, which is none, is unauthorized before any table is asked",
    async (accountid) => {
      const problem = await refusalOf("oms", { accountid, key: "k" });

      expect(problem.kind).toBe("unauthorized");
      expect(problem.message).toBe("Header value invalid; AccountID does not exist");
    },
  );
});

describe("a WMS call", () => {
  test.each([{}, { key: "k" }, { username: "", key: "k" }])(
    "without a userName is unauthorized in the interface's words: %j",
    async (headers) => {
      const problem = await refusalOf("wms", headers);

      expect(problem.kind).toBe("unauthorized");
      expect(problem.message).toBe("Header value invalid; UserName is missing or empty");
    },
  );

  test("with a name longer than any user's is unauthorized before any table is asked", async () => {
    const problem = await refusalOf("wms", { username: "x".repeat(101), key: "k" });

    expect(problem.kind).toBe("unauthorized");
    expect(problem.message).toBe("Header value invalid; user does not exist or has no permissions");
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
