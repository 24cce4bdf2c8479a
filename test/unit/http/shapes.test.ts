/**
 * What holds for the shape of every request. The conformance suite sends bodies of other shapes over HTTP,
 * and `wrong-bodies.test.ts` reads those of calls about one record.
 */
import { expect, test } from "vitest";
import * as z from "zod";
import { functions } from "../../../functions/index.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { linesOf, orderInputOf, problemOf } from "../samples.ts";

const refused = (body: unknown) => problemOf(() => parseRequest(updateOrders.request, { body }));

test.each([[[]], ["text"], [12], [true], [null], [{}]])("PUT /orders refuses the body %j", (body) => {
  expect(refused(body).kind).toBe("invalid");
});

test.each([[{}], ["text"], [[]], [[1]], [["a"]], [[null]], [[[]]]])(
  "PUT /orders refuses as data %j",
  (data) => {
    expect(refused({ data }).details.errors?.[0]?.path).toMatch(/^data/);
  },
);

test("PUT /orders refuses 101 orders", () => {
  const data = Array.from({ length: 101 }, () => orderInputOf());

  expect(linesOf(refused({ data }))).toEqual(["data must hold at most 100 elements"]);
});

type Schema = z.core.JSONSchema.BaseSchema;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The paths of lists that may have any number of elements. */
function boundless(schema: Schema, path: string): readonly string[] {
  const { type, items, maxItems, properties = {}, anyOf = [] } = schema;
  const within: readonly (readonly [string, unknown])[] = [
    ...Object.entries(properties).map(([name, field]) => [`${path}.${name}`, field] as const),
    ...anyOf.map((choice) => [path, choice] as const),
    [`${path}[]`, items],
  ];
  return [
    ...(type === "array" && maxItems === undefined ? [path] : []),
    ...within.flatMap(([at, one]) => (isSchema(one) ? boundless(one, at) : [])),
  ];
}

test("every list of a request has a limit, so that its elements can be checked in no time", () => {
  const found = Object.entries(functions).flatMap(([key, contract]) =>
    contract.type === "endpoint"
      ? boundless(z.toJSONSchema(contract.request, { io: "input", unrepresentable: "any" }), key)
      : [],
  );

  // A recount is read entry by entry, up to its limit.
  expect(found.filter((path) => !path.startsWith("wms/recount."))).toEqual([]);
});
