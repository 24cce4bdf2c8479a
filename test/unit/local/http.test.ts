import { describe, expect, test } from "vitest";
import { buildEvent, type IncomingCall, splitTarget } from "../../../infra/local/http/event.ts";
import { readAnswer } from "../../../infra/local/http/response.ts";

const call = (headers: Record<string, string[]>, body = ""): IncomingCall => ({
  method: "POST",
  target: "/a",
  headers,
  sourceIp: "127.0.0.1",
  body: Buffer.from(body),
  at: new Date("2026-03-12T19:03:58.123Z"),
});

const eventOf = (incoming: IncomingCall, query = "") =>
  buildEvent(incoming, "/a", query, { key: "POST /a", parameters: {} });

describe("the event of a request", () => {
  test("has no fields for what is not there", () => {
    const event = eventOf(call({}));

    for (const field of ["cookies", "queryStringParameters", "pathParameters", "body"]) {
      expect(event).not.toHaveProperty(field);
    }
    expect(event.isBase64Encoded).toBe(false);
  });

  test("joins several values of a header or parameter by commas", () => {
    const event = eventOf(call({ "x-many": ["1", "2"] }), "a=1&a=2&b=+%2B");

    expect(event.headers["x-many"]).toBe("1,2");
    expect(event.queryStringParameters).toEqual({ a: "1,2", b: " +" });
  });

  test("states the time as the common log format and in milliseconds", () => {
    expect(eventOf(call({})).requestContext).toMatchObject({
      time: "12/Mar/2026:19:03:58 +0000",
      timeEpoch: 1773342238123,
    });
  });

  test("puts a client's own X-Forwarded-For before the address it came from", () => {
    expect(eventOf(call({ "x-forwarded-for": ["10.0.0.1"] })).headers["x-forwarded-for"]).toBe(
      "10.0.0.1, 127.0.0.1",
    );
  });

  test.each([
    ["application/json; charset=utf-8", false],
    ["text/csv", false],
    ["application/problem+json", false],
    ["application/x-www-form-urlencoded", true],
    ["application/octet-stream", true],
  ])("hands a body of type %s on in base 64: %s", (type, encoded) => {
    const event = eventOf(call({ "content-type": [type] }, "hé"));

    expect(event).toMatchObject({ isBase64Encoded: encoded, body: encoded ? "aMOp" : "hé" });
  });
});

describe("the target of a request", () => {
  test("is decoded as its path, not in its query", () => {
    expect(splitTarget("/a%2Fb%20c?x=%20")).toEqual({ path: "/a/b c", query: "x=%20" });
  });

  test("ends its path at an encoded question mark, and what is behind it is lost", () => {
    expect(splitTarget("/a%3Fb/c?x=%3F")).toEqual({ path: "/a", query: "x=%3F" });
  });

  test("is refused if it is not validly encoded", () => {
    expect(splitTarget("/%E0%A4%A")).toBeUndefined();
  });
});

describe("the answer of a function", () => {
  test("is an internal error if it is malformed, or states no status", () => {
    expect(readAnswer('{"a":1}').status).toBe(500);
    expect(readAnswer("null").status).toBe(500);
    expect(readAnswer('{"statusCode":"none"}').status).toBe(500);
    expect(readAnswer('{"statusCode":200,"body":{"not":"text"}}').status).toBe(500);
  });
});
