import { afterEach, describe, expect, test } from "vitest";
import { running } from "./fixture/fixture.ts";
import { stepsHandler } from "./fixture/handlers.ts";
import { codeOf, takeSteps } from "./steps.ts";

const { runtime, direct, steps } = await running({
  writer: {
    code: stepsHandler,
    tableActions: ["PutItem", "GetItem", "Query"],
    queueActions: ["SendMessage"],
  },
  reader: { code: stepsHandler, tableActions: ["GetItem"] },
});

afterEach(() => runtime.faults.clear());

describe("faults", () => {
  test("strike as often as asked, after those let pass", async () => {
    const fault = runtime.faults.add({ effect: "throttle", operation: "PutItem", skip: 1, times: 2 });

    const results = await takeSteps(runtime, "writer", ["a", "b", "c", "d"].map(steps.put));

    expect(results.map(codeOf)).toEqual([undefined, "ThrottlingException", "ThrottlingException", undefined]);
    await fault.exhausted;
    expect(fault.hits).toBe(2);
  });

  test("hit only the function and the table they name", async () => {
    runtime.faults.add({ effect: "error", function: "reader", table: "TABLE_THINGS", times: 9 });

    const [others] = await takeSteps(runtime, "writer", [steps.get("x")]);
    const [named] = await takeSteps(runtime, "reader", [steps.get("x")]);

    expect([codeOf(others), codeOf(named)]).toEqual([undefined, "InternalServerError"]);
  });

  test("conflict: cancels a transaction with one reason for each item", async () => {
    runtime.faults.add({ effect: "conflict", operation: "TransactWriteItems" });

    const [result] = await takeSteps(runtime, "writer", [
      steps.transact(["Put", "Put", "Put"], "conflicting"),
    ]);

    expect(codeOf(result)).toBe("TransactionCanceledException");
    expect(result?.body["CancellationReasons"]).toMatchObject([
      { Code: "TransactionConflict" },
      { Code: "None" },
      { Code: "None" },
    ]);
  });

  test("conflict: refuses a single write", async () => {
    runtime.faults.add({ effect: "conflict" });

    const [result] = await takeSteps(runtime, "writer", [steps.put("conflicting")]);

    expect(codeOf(result)).toBe("TransactionConflictException");
  });

  test.each([
    { effect: "lose-response", carriedOut: true },
    { effect: "drop", carriedOut: false },
  ] as const)("$effect: nothing is answered; carried out: $carriedOut", async ({ effect, carriedOut }) => {
    runtime.faults.add({ effect, operation: "PutItem" });

    const [result] = await takeSteps(runtime, "writer", [steps.put(effect)]);

    expect(result?.status).toBe(0);
    expect(await direct.exists(effect)).toBe(carriedOut);
  });

  test.each([
    { effect: "kill-before", carriedOut: false },
    { effect: "kill-after", carriedOut: true },
  ] as const)("$effect: the instance dies, and another takes its place", async ({ effect, carriedOut }) => {
    runtime.faults.add({ effect, operation: "PutItem" });

    await expect(takeSteps(runtime, "writer", [steps.put(effect)])).rejects.toMatchObject({
      reason: "crash",
    });

    expect(await direct.exists(effect)).toBe(carriedOut);
    expect(codeOf((await takeSteps(runtime, "writer", [steps.put("next")]))[0])).toBeUndefined();
  });

  test("kill-during: the instance dies, and what it had sent is carried out all the same", async () => {
    runtime.faults.add({ effect: "kill-during", operation: "PutItem" });

    await expect(takeSteps(runtime, "writer", [steps.put("under-way")])).rejects.toMatchObject({
      reason: "crash",
    });

    await expect.poll(() => direct.exists("under-way")).toBe(true);
  });
});
