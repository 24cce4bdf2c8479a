import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpEvent } from "../../../shared/http/http-handler.ts";
import { jsonBody, maxBodyBytes, rawBody } from "../../../shared/http/request/body.ts";
import { parameters, queryOf } from "../../../shared/http/request/parameters.ts";
import { eventOf, problemOf } from "../samples.ts";

const typed = (type: string | undefined, body = "{}"): HttpEvent =>
  eventOf({ headers: type === undefined ? {} : { "content-type": type }, body });

const encoded = (text: string): HttpEvent =>
  eventOf({ body: Buffer.from(text).toString("base64"), isBase64Encoded: true });

function rejectionOf(event: HttpEvent, kind = "invalid"): string {
  const problem = problemOf(() => jsonBody(event));
  expect(problem.kind).toBe(kind);
  return problem.message;
}

const packed = (bytes: Buffer, encoding = "gzip"): HttpEvent =>
  eventOf({
    headers: { "content-encoding": encoding },
    body: bytes.toString("base64"),
    isBase64Encoded: true,
  });

/** A JSON text of exactly so many bytes. */
const sized = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));

describe("the content type", () => {
  test.each([
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "text/plain;charset=UTF8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "nonsense",
    "",
    undefined,
  ])("may be %s", (type) => {
    expect(jsonBody(typed(type))).toEqual({});
  });

  test.each(["application/json; charset=iso-8859-1", "text/plain;CHARSET=utf-16"])(
    "may not state another charset than UTF-8: %j",
    (type) => {
      expect(rejectionOf(typed(type))).toBe("The charset of the Content-Type must be UTF-8");
    },
  );
});

describe("bytes that are not UTF-8", () => {
  test.each([queryOf, ({ queryStringParameters }: HttpEvent) => parameters(queryStringParameters)])(
    "are refused in a parameter, which is named",
    (read) => {
      const problem = problemOf(() => read(eventOf({ queryStringParameters: { page: "1", sku: "\ufffd" } })));

      expect(problem.message).toBe("sku must be UTF-8, percent-encoded");
    },
  );
});

describe("parameters", () => {
  test.each([null, undefined])("are none where a call has none, whether a gateway sends %s", (none) => {
    expect(parameters(none)).toEqual({});
  });
});

describe("a query parameter", () => {
  test("that is blank counts as not sent", () => {
    expect(queryOf(eventOf({ queryStringParameters: { page: "", sku: "  ", per_page: "5" } }))).toEqual({
      per_page: "5",
    });
  });
});

describe("the body", () => {
  test("is what was sent, for any JSON, encoded or not", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "grapheme" }), (text) => {
        fc.pre(!/__proto__|constructor|\uFFFD/.test(text));

        expect(jsonBody(eventOf({ body: text }))).toEqual(JSON.parse(text));
        expect(jsonBody(encoded(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([undefined, "", " ", "\r\n\t"])("may not be empty: %j", (body) => {
    expect(rejectionOf(eventOf(body === undefined ? {} : { body }))).toBe(
      "The body must be JSON; it is empty",
    );
  });

  test.each(["{", "{'a':1}", "{a:1}", "[1,]", "a=1&b=2", "undefined", "NaN", "{} {}", '{"a":01}'])(
    "may not be malformed: %s",
    (body) => {
      expect(rejectionOf(eventOf({ body }))).toBe("The body is not valid JSON");
    },
  );

  test("is refused for its depth only if it is malformed", () => {
    const depth = 100_000;

    expect(rejectionOf(eventOf({ body: "[".repeat(depth) }))).toBe("The body is not valid JSON");
    expect(() => jsonBody(eventOf({ body: "[".repeat(depth) + "]".repeat(depth) }))).not.toThrow();
  });
});

describe("a key that could reach a prototype", () => {
  test.each([
    '{"__proto__":{"admin":true}}',
    '{"data":[{"a":{"__proto__":null}}]}',
    '{"__proto__":1}',
    String.raw`{"\u005f_proto__":{}}`,
    '{"constructor":{"prototype":{"admin":true}}}',
    '[{"constructor":{"prototype":1}}]',
    String.raw`{"con\u0073tructor":{"prototype":{}}}`,
  ])("is refused: %s", (body) => {
    expect(rejectionOf(eventOf({ body }))).toBe(
      "The body holds a forbidden key (__proto__ or constructor.prototype)",
    );
  });

  test.each(['{"constructor":"Acme"}', '{"prototype":1}', '{"note":"__proto__"}'])(
    "is not just any that reads like one: %s",
    (body) => {
      expect(jsonBody(eventOf({ body }))).toEqual(JSON.parse(body));
    },
  );
});

describe("a body in another form", () => {
  test.each([
    [
      "application/x-www-form-urlencoded",
      "order_id=1",
      "must be JSON; it is a form (application/x-www-form-urlencoded)",
    ],
    ["Multipart/Form-Data; boundary=x", "--x\r\n", "must be JSON; it is a form (multipart/form-data)"],
    ["application/xml", "<order/>", "must be JSON; it is XML or HTML"],
    [undefined, "\n<?xml?><order/>", "must be JSON; it is XML or HTML"],
    ["application/x-www-form-urlencoded", '{"a":1', "is not valid JSON"],
  ])("is named: %s %j", (type, body, message) => {
    expect(rejectionOf(typed(type, body))).toBe(`The body ${message}`);
  });
});

const tooLarge = "The body must have at most 1048576 bytes";

describe("a packed body", () => {
  test.each(["gzip", " GZIP ", "x-gzip"])("is taken if it is %j", (encoding) => {
    const sku = "ü".repeat(1000);

    expect(jsonBody(packed(gzipSync(JSON.stringify({ sku })), encoding))).toEqual({ sku });
  });

  test("may be said not to be packed", () => {
    expect(jsonBody(packed(Buffer.from("{}"), "identity"))).toEqual({});
  });

  test("is refused if it is packed otherwise", () => {
    for (const encoding of ["br", "deflate", "gzip, gzip"])
      expect(rejectionOf(packed(deflateSync("{}"), encoding), "unsupported")).toBe(
        "The Content-Encoding must be gzip, or left out",
      );
    expect(rejectionOf(packed(gzipSync("{}").subarray(0, -1)))).toMatch(/not valid gzip/);
    expect(rejectionOf(packed(Buffer.from("{}")))).toMatch(/not valid gzip/);
  });

  test("has its limit as it is unpacked, before all of it is", () => {
    expect(jsonBody(packed(gzipSync(sized(maxBodyBytes))))).toHaveLength(maxBodyBytes - 2);
    expect(rejectionOf(packed(gzipSync(sized(maxBodyBytes + 1))), "too_large")).toBe(tooLarge);
    expect(rejectionOf(packed(gzipSync(Buffer.alloc(20_000_000))), "too_large")).toBe(tooLarge);
  });
});

describe("the size of the body", () => {
  test.each([maxBodyBytes + 1, 2 * 1024 * 1024])("may not be %i bytes", (bytes) => {
    expect(rejectionOf(eventOf({ body: sized(bytes) }), "too_large")).toBe(tooLarge);
  });

  test("is that of what was encoded, not of its encoding", () => {
    expect(rawBody(encoded(sized(maxBodyBytes)))).toHaveLength(maxBodyBytes);
    expect(rejectionOf(encoded(sized(maxBodyBytes + 1)), "too_large")).toBe(tooLarge);
  });

  test("is counted in bytes, not in characters", () => {
    const body = JSON.stringify("é".repeat(maxBodyBytes / 2));

    expect(body.length).toBeLessThan(maxBodyBytes);
    expect(rejectionOf(eventOf({ body }), "too_large")).toBe(tooLarge);
  });

  test("is looked at before the content", () => {
    expect(rejectionOf(eventOf({ body: "{".repeat(maxBodyBytes + 1) }), "too_large")).toContain("at most");
  });
});
