import { describe, expect, test } from "vitest";
import { faultsOfFilter } from "../../../infra/operator/smoke/observability.ts";
import { faultsOf } from "../../../infra/operator/smoke/permissions.ts";
import { NotChecked, Report, Stopped } from "../../../infra/operator/smoke/steps.ts";
import { verbs } from "../../../shared/store/access.ts";
import type { ProbedCall } from "../../../shared/store/permission-probe.ts";

describe("probed permissions", () => {
  const right: readonly ProbedCall[] = verbs.flatMap((verb) => [
    { verb, call: "Call", keys: "allowed", outcome: "done" },
    { verb, call: "Call", keys: "refused", outcome: "refused" },
    { verb, call: "Call", keys: "both", outcome: "refused" },
  ]);

  test("have no fault if each verb is done where it is allowed, and refused elsewhere", () => {
    expect(faultsOf(right)).toEqual([]);
  });

  test.each([
    ["allowed", "refused", "expected done but found refused"],
    ["allowed", "ValidationException", "expected done but found ValidationException"],
    ["refused", "done", "expected refused but found done"],
    ["both", "done", "expected refused but found done"],
    ["refused", "ThrottlingException", "expected refused but found ThrottlingException"],
  ] as const)("have a fault if a key that is %s has the outcome %s", (keys, outcome, text) => {
    const call = { verb: "change", call: "TransactWriteItems", keys, outcome } as const;

    expect(faultsOf([...right, call])).toEqual([expect.stringContaining(text)]);
  });

  test("have a fault for each verb that was not tried", () => {
    expect(faultsOf([])).toHaveLength(verbs.length);
  });
});

test("a metric filter has a fault for each line that it finds wrongly, and that it does not find", () => {
  const samples = [
    { line: "wrong", isFound: true },
    { line: "right", isFound: false },
  ];

  expect(faultsOfFilter(samples, new Set([1]))).toEqual([]);
  expect(faultsOfFilter(samples, new Set([2]))).toEqual([
    "expected it to find wrong",
    "expected it not to find right",
  ]);
});

describe("a report of steps", () => {
  const failing = async () => {
    throw new Error("it is broken");
  };

  test("stops what builds on a step that failed, and says of later steps why they were not reached", async () => {
    const report = new Report(new Set(), () => undefined);

    await expect(report.take("product", failing)).rejects.toThrow(Stopped);
    const steps = report.finished();

    expect(steps.find(({ step }) => step === "product")).toMatchObject({
      state: "failed",
      detail: "it is broken",
      what_to_do: expect.stringContaining("create-products"),
    });
    expect(steps.find(({ step }) => step === "order")).toMatchObject({
      state: "not_checked",
      detail: "not reached, because the step product failed",
    });
  });

  test("goes on after a step on which no other builds, and takes none that is skipped", async () => {
    const lines: string[] = [];
    const report = new Report(new Set(["metrics"]), (line) => lines.push(line));

    await report.check("alarms", failing);
    await report.check("metrics", failing);
    await report.check("schedules", async () => {
      throw new NotChecked("not here");
    });

    expect(lines.map((line) => line.split("\n")[0])).toEqual([
      "FAILED      alarms: it is broken",
      "not checked metrics: skipped by --skip",
      "not checked schedules: not here",
    ]);
  });
});
