import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { invalidAt, Problem } from "../../../shared/common/problem.ts";
import { bulkAnswer, onlyOne } from "../../../shared/http/bulk/bulk-answer.ts";
import { problemOf } from "../samples.ts";

const record = z.object({ order_id: z.int() });
/** As stored records do, it carries what is nobody's business. */
const present = (id: number) => ({ order_id: id, account_id: 100 });
const taken = (position: number) =>
  invalidAt([{ path: `data.${position}.order_number`, message: "already exists" }]);

describe("a bulk call", () => {
  test("that stored every record answers them in their order", () => {
    expect(bulkAnswer([{ result: present(2) }, { result: present(1) }], record)).toEqual({
      data: [present(2), present(1)],
    });
  });

  test("that stored some says for each record, in the request's order, whether it was stored", () => {
    const outcomes = [
      { result: present(1) },
      { problem: taken(1) },
      { result: present(3) },
      { problem: taken(3) },
    ];

    const problem = problemOf(() => bulkAnswer(outcomes, record));

    expect(problem.kind).toBe("invalid");
    expect(problem.message).toBe("2 of 4 records were not stored: data.1.order_number already exists");
    expect(problem.details.data).toEqual([
      { success: true, order_id: 1 },
      { success: false, message: "data.1.order_number already exists" },
      { success: true, order_id: 3 },
      { success: false, message: "data.3.order_number already exists" },
    ]);
    expect(problem.details.errors).toEqual([
      { path: "data.1.order_number", message: "already exists" },
      { path: "data.3.order_number", message: "already exists" },
    ]);
  });

  test("that stored none still answers for every record", () => {
    const problem = problemOf(() => bulkAnswer([{ problem: taken(0) }], record));

    expect(problem.details.data).toHaveLength(1);
  });
});

describe("a call for one record", () => {
  test("answers the record itself", () => {
    expect(onlyOne([{ result: present(1) }])).toEqual({ data: present(1) });
  });

  test("raises the very problem that it met", () => {
    const missing = new Problem("not_found", "There is no order");

    expect(problemOf(() => onlyOne([{ problem: missing }]))).toBe(missing);
  });

  test("without an outcome is a fault of the service, not of the caller", () => {
    expect(() => onlyOne([])).toThrow("has no outcome");
  });
});
