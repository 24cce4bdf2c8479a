import { describe, expect, test } from "vitest";
import { invalid, invalidAt, notFound, Problem } from "../../../shared/common/problem.ts";
import { failure, type HttpResponse, json, withinSizeLimit } from "../../../shared/http/responses.ts";
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

describe("the answer of a success", () => {
  const answerOf = (bytes: number) => json(200, { data: [{ order_id: 1, note: "x".repeat(bytes) }] });

  test.each([true, false])("may come close to 5 MB (a write: %s)", (writes) => {
    const response = answerOf(4_990_000);

    expect(withinSizeLimit(response, writes)).toBe(response);
  });

  const tooLarge: readonly (readonly [string, HttpResponse])[] = [
    ["as it is", answerOf(5_000_000)],
    ["once its quotes are escaped", json(200, { data: Array.from({ length: 900_000 }, () => "x") })],
    ["by its bytes, not its characters", json(200, { data: "é".repeat(2_500_000) })],
  ];

  test.each(tooLarge)("of a call that reads may not be larger: %s", (_case, response) => {
    const problem = problemOf(() => withinSizeLimit(response, false));

    expect(problem.kind).toBe("invalid");
    expect(problem.message).toContain("per_page");
  });

  test("of a write that would be larger has the numbers of its records", () => {
    const large = {
      order_id: 1,
      version: 2,
      is_last: true,
      note: "x".repeat(100_000),
      items: [{ sku: "A" }],
    };
    const warnings = [{ path: "data.0.colour", message: "was ignored" }];
    const response = json(200, { data: Array.from({ length: 100 }, () => large), warnings });

    const answer = withinSizeLimit(response, true);

    expect(answer).toMatchObject({ statusCode: 200, headers: response.headers });
    expect(bodyOf(answer)).toEqual({
      data: Array.from({ length: 100 }, () => ({ order_id: 1, version: 2, is_last: true })),
      warnings,
    });
    expect(
      bodyOf(withinSizeLimit(json(200, { data: { ...large, note: "x".repeat(5_000_000) } }), true)),
    ).toEqual({
      data: { order_id: 1, version: 2, is_last: true },
    });
  });
});

describe("a failure", () => {
  const errorsOf = (count: number, message = "is wrong") =>
    Array.from({ length: count }, (_, number) => ({ path: `data.${number}`, message }));
  const answerTo = (problem: Problem, ownBody?: (problem: Problem) => object) => {
    const { body = "" } = failure(problem, "request-1", ownBody);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_536);
    return JSON.parse(body);
  };

  test.each(kinds)("of the kind %s lists 100 errors, and says how many there are", (kind) => {
    const { response } = answerTo(new Problem(kind, "Wrong", { errors: errorsOf(101) }));

    expect(response).toEqual({
      success: false,
      message: "Wrong",
      errors: errorsOf(100),
      errors_total: 101,
    });
  });

  test("of which not all errors were kept says how many there were", () => {
    expect(answerTo(invalidAt(errorsOf(100), 50_000))).toMatchObject({ response: { errors_total: 50_000 } });
  });

  test("of exactly 100 errors has no total", () => {
    expect(answerTo(invalidAt(errorsOf(100))).response).not.toHaveProperty("errors_total");
  });

  test("lists as many errors as fit, if they are long", () => {
    const { response } = answerTo(invalidAt(errorsOf(100, "é".repeat(2000))));

    expect(response.errors).toEqual(errorsOf(4, "é".repeat(2000)));
    expect(response.errors_total).toBe(100);
  });

  test("has at most 64 KB, whatever its message and its errors", () => {
    expect(answerTo(invalidAt(errorsOf(1, "\u0001".repeat(100_000))))).toMatchObject({
      response: { success: false, message: expect.stringMatching(/^data\.0 /), errors: [], errors_total: 1 },
    });
  });

  test("of a call that was stored in part keeps the outcome and the numbers of each record", () => {
    const data = Array.from({ length: 100 }, (_, number) =>
      number < 50
        ? { success: true, order_id: number, items: [{ sku: "x".repeat(4000) }] }
        : { success: false, message: "m".repeat(5000) },
    );

    expect(answerTo(new Problem("invalid", "50 of 100 failed", { data })).data).toEqual([
      ...Array.from({ length: 50 }, (_, order_id) => ({ success: true, order_id })),
      ...Array.from({ length: 50 }, () => ({ success: false, message: "m".repeat(100) })),
    ]);
  });

  test("with its own body has at most 64 KB as well", () => {
    const data = Array.from({ length: 100 }, (_, number) => ({ account_id: number, sku: "x".repeat(1000) }));

    const answer = answerTo(new Problem("invalid", "No", { data }), ({ message, details }) => ({
      message,
      result: details.data,
    }));

    expect(answer.result).toEqual(data.map(({ account_id }) => ({ account_id })));
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
});
