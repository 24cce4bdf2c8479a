/**
 * What holds the answers of all integration tests against the OpenAPI document (test/support/documented.ts).
 */
import { describe, expect, test } from "vitest";
import { type Answered, mustBeDocumented } from "../support/http/documented.ts";

const path = "/apirest/v4/oms/inventory/products/1/uom";
const unit = { uom: "EACH", quantity: 1 };
const failure = { response: { success: false, message: "There is no product with product_id 1" } };
const headers = { "content-type": "application/json", "x-request-id": "1" };

/** Compares an answer to a call for a product's units, or to another call. */
const compare = (status: number, body: unknown, more: Partial<Answered> = {}) => {
  const url = `http://127.0.0.1:1${path}?page=1`;
  const text = JSON.stringify(body);
  return () => mustBeDocumented({ method: "GET", url, status, headers: new Headers(headers), text, ...more });
};

const at = (changed: string) => ({ url: `http://127.0.0.1:1${changed}` });

describe("an answer passes", () => {
  test.each([
    ["as a success", compare(200, { data: [unit] })],
    ["as a failure", compare(404, failure)],
    [
      "as a failure of API Gateway",
      compare(
        503,
        { message: "Service Unavailable" },
        { headers: new Headers({ "content-type": "application/json" }) },
      ),
    ],
    ["of a path that nothing serves", compare(404, failure, at("/apirest/v4/oms/nothing"))],
    ["of a page, which no document describes", compare(200, "<html>", at("/apirest/v4/oms/docs"))],
  ])("%s", (_, call) => {
    expect(call).not.toThrow();
  });
});

describe("an answer fails its test", () => {
  test.each([
    [
      "with a field too many",
      compare(200, { data: [{ ...unit, secret: 1 }] }),
      'body/data/0 must NOT have additional properties {"additionalProperty":"secret"}',
    ],
    [
      "without a field",
      compare(200, { data: [{ uom: "EACH" }] }),
      "body/data/0 must have required property 'quantity'",
    ],
    [
      "with a value of another type",
      compare(200, { data: [{ ...unit, quantity: "1" }] }),
      "body/data/0/quantity must be number",
    ],
    [
      "with a status that the document does not name",
      compare(403, failure),
      "the document does not name the status",
    ],
    [
      "with a failure of another shape",
      compare(400, { message: "no" }),
      "body must have required property 'response'",
    ],
    [
      "without its request id",
      compare(200, { data: [unit] }, { headers: new Headers({ "content-type": "application/json" }) }),
      "the header x-request-id is missing",
    ],
    [
      "with a header of another kind",
      compare(429, failure, { headers: new Headers({ ...headers, "retry-after": "soon" }) }),
      "the header retry-after must not be soon",
    ],
    [
      "as another kind of text",
      compare(200, { data: [unit] }, { headers: new Headers({ ...headers, "content-type": "text/html" }) }),
      "it is not application/json",
    ],
    [
      "of a path that nothing serves, unless it is 404",
      compare(200, { data: [unit] }, { method: "PUT" }),
      "nothing serves it, so it must be 404",
    ],
  ])("%s", (_, call, fault) => {
    expect(call).toThrow(fault);
  });
});
