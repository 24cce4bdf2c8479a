import { expect, test } from "vitest";
import * as z from "zod/mini";
import { Problem } from "../../../shared/common/problem.ts";
import { bulkAnswer } from "../../../shared/http/bulk/bulk-call.ts";
import { problemOf } from "../samples.ts";

const record = z.object({ sku: z.string() });
const refused = (kind: Problem["kind"]) => ({ problem: new Problem(kind, "data.0 is refused") });

test.each(["outdated", "conflict"] as const)(
  "the only record of a call that is refused as it is stored answers what refuses it: %s",
  (kind) => {
    const outcome = refused(kind);

    expect(problemOf(() => bulkAnswer([outcome], record))).toBe(outcome.problem);
  },
);

test("a record that is refused beside stored ones makes the call invalid, and each is told its outcome", () => {
  const problem = problemOf(() => bulkAnswer([{ result: { sku: "A" } }, refused("conflict")], record));

  expect(problem).toMatchObject({
    kind: "invalid",
    message: "1 of 2 records were not stored: data.0 is refused",
    details: {
      data: [
        { success: true, sku: "A" },
        { success: false, message: "data.0 is refused" },
      ],
    },
  });
});
