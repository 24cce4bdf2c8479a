import { describe, expect, test } from "vitest";
import { invalid, invalidAt, notFound, Problem } from "../../../shared/common/problem.ts";
import { failure, type HttpResponse, handedOut, json } from "../../../shared/http/responses.ts";
import { problemOf } from "../samples.ts";

const bodyOf = ({ body = "" }: HttpResponse): unknown => JSON.parse(body);

const own = ({ message }: Problem) => ({ success: false, code: 400, message });

const kinds = [
  ["invalid", 400],
  ["unauthorized", 401],
  ["forbidden", 403],
  ["not_found", 404],
  ["too_many", 429],
] as const;

describe("a JSON response", () => {
  test("is JSON by its type and is kept in no cache", () => {
    expect(json(200, { data: [] })).toEqual({
      statusCode: 200,
      headers: {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
      body: '{"data":[]}',
    });
  });

  test("can have more headers", () => {
    expect(json(200, {}, { "idempotent-replayed": "true" }).headers).toMatchObject({
      "content-type": "application/json",
      "idempotent-replayed": "true",
    });
  });
});

describe("a response that is handed out", () => {
  const responseOf = (bytes: number) => json(200, { data: "x".repeat(bytes) });

  test("may come close to the 6 MB that Lambda takes", () => {
    const response = responseOf(6_200_000);

    expect(handedOut(response)).toBe(response);
  });

  test.each([
    ["as it is", () => responseOf(6_300_000)],
    ["once its quotes are escaped", () => json(200, { data: Array.from({ length: 1_000_000 }, () => "xx") })],
    ["by its bytes, not its characters", () => json(200, { data: "é".repeat(3_200_000) })],
  ])("may not be larger: %s", (_case, response) => {
    const problem = problemOf(() => handedOut(response()));

    expect(problem.kind).toBe("invalid");
    expect(problem.message).toContain("per_page");
  });
});

describe("a problem", () => {
  test.each(kinds)("of the kind %s is answered %i in the failure envelope", (kind, status) => {
    const response = failure(new Problem(kind, "What is wrong"), "request-1");

    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject({ "content-type": "application/json" });
    expect(bodyOf(response)).toEqual({ response: { success: false, message: "What is wrong" } });
  });

  test("of validation names every wrong place, and the first in its message", () => {
    const errors = [
      { path: "data.0.items.1.sku", message: "is required" },
      { path: "data.1", message: "must be an object" },
    ];

    expect(bodyOf(failure(invalidAt(errors), "request-1"))).toEqual({
      response: { success: false, message: "data.0.items.1.sku is required", errors },
    });
  });

  test("without wrong places has no errors, not an empty list", () => {
    expect(bodyOf(failure(invalidAt([]), "request-1"))).toEqual({
      response: { success: false, message: "The request is invalid" },
    });
  });

  test("of a call that took effect in part says beside the envelope what was stored", () => {
    const data = [
      { success: true, order_id: 1001 },
      { success: false, message: "already exists" },
    ];

    expect(bodyOf(failure(new Problem("invalid", "One failed", { data }), "request-1"))).toEqual({
      response: { success: false, message: "One failed" },
      data,
    });
  });

  test("that passes says when to try again", () => {
    const response = failure(new Problem("too_many", "Later", { retryAfterSeconds: 1 }), "request-1");

    expect(response.headers).toMatchObject({ "retry-after": "1" });
  });

  test("that does not pass says nothing of trying again", () => {
    expect(failure(invalid("Wrong"), "request-1").headers).not.toHaveProperty("retry-after");
  });
});

describe("an operation's own body", () => {
  test("stands in place of the envelope for a 400", () => {
    const response = failure(invalid("quantity not valid"), "request-1", own);

    expect(response.statusCode).toBe(400);
    expect(bodyOf(response)).toEqual({ success: false, code: 400, message: "quantity not valid" });
  });

  test.each(kinds.filter(([kind]) => kind !== "invalid"))("does not for the kind %s", (kind) => {
    expect(bodyOf(failure(new Problem(kind, "No"), "request-1", own))).toEqual({
      response: { success: false, message: "No" },
    });
  });

  test("does not for an error that is masked", () => {
    expect(bodyOf(failure(new Error("secret"), "request-1", own))).toHaveProperty("response");
  });
});

describe("any other error", () => {
  const masked = {
    response: {
      success: false,
      message: "The service failed to answer; nothing is known to be wrong with the request (request-1)",
    },
  };

  test.each([
    ["an error", new Error("table Orders-1X not found", { cause: notFound("hidden") })],
    [
      "an error that calls itself a Problem",
      Object.assign(new Error("hidden"), { name: "Problem", kind: "invalid" }),
    ],
    ["an object", { message: "hidden", statusCode: 400 }],
    ["a text", "hidden"],
    ["nothing", undefined],
  ])("is a 500 that shows the request id and nothing else: %s", (_, error) => {
    const response = failure(error, "request-1");

    expect(response.statusCode).toBe(500);
    expect(bodyOf(response)).toEqual(masked);
  });

  test("shows neither its message nor its stack", () => {
    const error = new Error("AccessDeniedException for Orders-1X");

    const text = JSON.stringify(failure(error, "request-1"));

    expect(text).not.toContain("AccessDenied");
    expect(text).not.toContain("Orders-1X");
    expect(text).not.toContain("responses.test.ts");
  });
});
