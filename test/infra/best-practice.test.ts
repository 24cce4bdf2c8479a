import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { buildApp } from "../../infra/app.ts";
import { cfnLint, exceptions, hasCfnLint, isOf, unexplained, violationsOf } from "./best-practice.ts";

const outdir = mkdtempSync(join(tmpdir(), "best-practice-test-"));
afterAll(() => rmSync(outdir, { recursive: true }));

describe("cdk-nag", () => {
  const found = violationsOf(buildApp({ outdir }));

  test("finds nothing but what does not fit, with a reason for each", () => {
    expect(found.length).toBeGreaterThan(0);
    expect(unexplained(found)).toEqual([]);
  });

  test.each(exceptions.filter(({ setting }) => setting === undefined))(
    "still finds what $rule is excepted for",
    (exception) => {
      expect(found.some((one) => isOf(exception, one))).toBe(true);
    },
  );
});

test.skipIf(!hasCfnLint)("cfn-lint finds nothing in the templates", { timeout: 240_000 }, () => {
  expect(cfnLint(inject("assembly"))).toBe("");
});
