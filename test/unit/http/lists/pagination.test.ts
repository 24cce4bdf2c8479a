import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  listBody,
  listOf,
  orderDirection,
  pageOfAll,
  pageQuery,
  queryBody,
} from "../../../../shared/http/lists/pagination.ts";
import { parseRequest } from "../../../../shared/http/request/validation.ts";
import { linesOf, problemOf } from "../../samples.ts";

const parse = (query: object, schema = pageQuery()) =>
  parseRequest(z.object({ query: z.object(schema) }), { query }).query;

const rejectionOf = (query: object, schema = pageQuery()) => linesOf(problemOf(() => parse(query, schema)));

const notPositive = ["0", "-1", "1.5", "abc", "", " ", " 1", "1 ", "1e2", "+1", "0x10", "１", "NaN", "1,2"];

describe("the query of a list", () => {
  test("is page 1 with 20 records if nothing is sent", () => {
    expect(parse({})).toEqual({ page: 1, per_page: 20 });
  });

  test("has no last page", () => {
    expect(parse({ page: "999999999999999" }).page).toBe(999_999_999_999_999);
  });

  test.each(notPositive)("has no page %j", (page) => {
    expect(rejectionOf({ page })).toEqual(["page must be a whole number of at least 1"]);
  });

  test.each(["9".repeat(16), "9".repeat(400)])("has no page of so many digits: %j", (page) => {
    expect(rejectionOf({ page })).toEqual(["page must be a whole number of at most 15 digits"]);
  });

  test.each([...notPositive, "101", "999999999999999", "9".repeat(400)])(
    "has no %j records a page",
    (per_page) => {
      expect(rejectionOf({ per_page })).toEqual(["per_page must be a whole number from 1 to 100"]);
    },
  );

  test("can have its own default and maximum", () => {
    const stock = pageQuery(1000, 1000);

    expect(parse({}, stock).per_page).toBe(1000);
    expect(rejectionOf({ per_page: "1001" }, stock)).toEqual([
      "per_page must be a whole number from 1 to 1000",
    ]);
  });
});

describe("the query of a list in a body", () => {
  const query = z.object({ ...pageQuery(), name: z.optional(z.string().check(z.maxLength(3))) });
  const parseBody = (body: unknown) => parseRequest(z.object({ body: queryBody(query) }), { body }).body;
  const rejectionOfBody = (body: unknown) => linesOf(problemOf(() => parseBody(body)));

  test.each([
    [undefined, { page: 1, per_page: 20 }],
    [{}, { page: 1, per_page: 20 }],
    [
      { page: 2, per_page: "3" },
      { page: 2, per_page: 3 },
    ],
    [{ name: 12 }, { page: 1, per_page: 20, name: "12" }],
    [
      { page: null, per_page: " ", name: "" },
      { page: 1, per_page: 20 },
    ],
    [
      { name: "ann", unknown: [] },
      { page: 1, per_page: 20, name: "ann" },
    ],
  ])("%j is %j", (body, expected) => {
    expect(parseBody(body)).toEqual(expected);
  });

  test.each([
    [[], "body must be an object"],
    [null, "body is required"],
    ["page=1", "body must be an object"],
    [{ page: 0 }, "page must be a whole number of at least 1"],
    [{ page: 1.5 }, "page must be a whole number of at least 1"],
    [{ page: true }, "page must be a whole number of at least 1"],
    [{ name: 1234 }, "name must have at most 3 characters"],
    [{ name: {} }, "name must be a string"],
  ])("%j is refused", (body, message) => {
    expect(rejectionOfBody(body)).toEqual([message]);
  });
});

describe("the direction", () => {
  const schema = z.object({ query: z.object({ order_direction: orderDirection }) });

  test("is desc if none is sent", () => {
    expect(parseRequest(schema, { query: {} }).query.order_direction).toBe("desc");
  });

  test.each(["asc", "desc", "ASC", "Desc"])("can be %s", (order_direction) => {
    expect(parseRequest(schema, { query: { order_direction } }).query).toEqual({
      order_direction: order_direction.toLowerCase(),
    });
  });

  test.each(["up", "ascending"])("cannot be %j; the accepted ones are named", (order_direction) => {
    const problem = problemOf(() => parseRequest(schema, { query: { order_direction } }));

    expect(linesOf(problem)).toEqual(["order_direction must be one of asc, desc"]);
  });
});

describe("a page of a list that is read at once", () => {
  test.each([
    [{ page: 1, per_page: 2 }, ["a", "b"]],
    [{ page: 3, per_page: 2 }, ["e"]],
    [{ page: 4, per_page: 2 }, []],
    [{ page: 1, per_page: 100 }, ["a", "b", "c", "d", "e"]],
  ])("holds the records of its page, and counts all of them: %j", (query, data) => {
    expect(pageOfAll(["a", "b", "c", "d", "e"], query)).toEqual({ records: data, total: 5 });
  });
});

describe("the body of a list", () => {
  test("serves both descriptions of the pagination block", () => {
    expect(listBody({ records: ["a", "b"], total: 12 }, { page: 2, per_page: 5 })).toEqual({
      data: ["a", "b"],
      metadata: { page: 2, per_page: 5, total_records: 12, total_pages: 3, total_current_page: 2 },
      pagination: { current_page: 2, per_page: 5, total: 12, total_pages: 3 },
    });
  });

  test("says of every page of any list what that page holds", () => {
    const size = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), size, (total, per_page) => {
        const all = Array.from({ length: total }, (_, position) => position);
        const pages = listBody({ records: [], total }, { page: 1, per_page }).metadata.total_pages;

        const bodies = Array.from({ length: pages }, (_, index) =>
          listBody(pageOfAll(all, { page: index + 1, per_page }), { page: index + 1, per_page }),
        );

        expect(bodies.flatMap(({ data }) => data)).toEqual(all);
        expect(bodies.every(({ data, metadata }) => data.length === metadata.total_current_page)).toBe(true);
        expect(bodies.every(({ data }) => data.length > 0)).toBe(true);
      }),
    );
  });

  test("has the shape that lists state as their response", () => {
    const body = listBody({ records: [1], total: 1 }, { page: 1, per_page: 20 });

    expect(z.parse(listOf(z.int()), body)).toEqual(body);
  });
});
