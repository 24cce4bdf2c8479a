import { describe, expect, test } from "vitest";
import { running } from "./fixture/fixture.ts";
import { stepsHandler } from "./fixture/handlers.ts";
import { codeOf, takeSteps } from "./steps.ts";

const { runtime, direct, steps } = await running({
  writer: {
    code: stepsHandler,
    tableActions: ["PutItem", "GetItem", "Query"],
    queueActions: ["SendMessage"],
    secretActions: ["GetSecretValue", "PutSecretValue"],
  },
  reader: { code: stepsHandler, tableActions: ["GetItem"] },
  clerk: {
    code: stepsHandler,
    tableActions: ["PutItem", "GetItem", "BatchGetItem", "Query"],
    tableKeys: ["letter#*", "drawer"],
  },
});

describe("permissions", () => {
  test("lets a function do what its role grants", async () => {
    const results = await takeSteps(runtime, "writer", [
      steps.put("granted"),
      steps.get("granted"),
      steps.send("x"),
    ]);

    expect(results.map(codeOf)).toEqual([undefined, undefined, undefined]);
  });

  test("denies what the role does not grant, and carries nothing out", async () => {
    const [result] = await takeSteps(runtime, "reader", [steps.put("denied")]);

    expect(codeOf(result)).toBe("AccessDeniedException");
    expect(String(result?.body["Message"])).toContain(
      "not authorized to perform: dynamodb:PutItem on resource: arn:",
    );
    expect(await direct.exists("denied")).toBe(false);
  });

  test("denies a queue that the role does not name", async () => {
    const [result] = await takeSteps(runtime, "reader", [steps.send("denied")]);

    expect(codeOf(result)).toBe("AccessDeniedException");
  });

  test("gives a secret's value to a function that may read it, by its ARN or its name", async () => {
    const value = runtime.secrets["SECRET_SEAL"];
    const arn = "arn:aws:secretsmanager:us-east-1:000000000000:secret:fixture-data-seal";

    const results = await takeSteps(runtime, "writer", [
      steps.secret(arn),
      steps.secret("fixture-data-seal"),
    ]);

    expect(value).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(results.map(({ body }) => [body["ARN"], body["SecretString"]])).toEqual([
      [arn, value],
      [arn, value],
    ]);
  });

  test("keeps a secret from a function that may not read it, and does nothing else with one", async () => {
    const [denied] = await takeSteps(runtime, "reader", [steps.secret("fixture-data-seal")]);
    const [other, unknown] = await takeSteps(runtime, "writer", [
      steps.secret("another"),
      steps.secret("fixture-data-seal", "PutSecretValue"),
    ]);

    expect(codeOf(denied)).toBe("AccessDeniedException");
    expect(JSON.stringify(denied)).not.toContain(runtime.secrets["SECRET_SEAL"]);
    expect([codeOf(other), codeOf(unknown)]).toEqual(["AccessDeniedException", "UnknownOperationException"]);
  });
});

describe("a role that is bound to kinds of items", () => {
  const batch = (...keys: readonly string[]) =>
    steps.dynamodb("BatchGetItem", {
      TableName: undefined,
      RequestItems: {
        [runtime.dynamodb.tables["TABLE_THINGS"] ?? ""]: {
          Keys: keys.map((pk) => ({ pk: { S: pk }, sk: { S: "count" } })),
        },
      },
    });

  test("lets a function reach these, one by one, together and by queries", async () => {
    const results = await takeSteps(runtime, "clerk", [
      steps.put("letter#1"),
      steps.get("drawer"),
      batch("letter#1", "drawer"),
      steps.query("letter#1"),
      steps.transact(["Put", "Put"], "letter#2"),
    ]);

    expect(results.map(codeOf)).toEqual(results.map(() => undefined));
  });

  test("keeps it from all others, and carries nothing out", async () => {
    const results = await takeSteps(runtime, "clerk", [
      steps.put("stamp#1"),
      steps.get("drawers"),
      batch("letter#1", "stamp#1"),
      steps.query("stamp#1"),
      steps.transact(["Put"], "stamp#1"),
    ]);

    expect(results.map(codeOf)).toEqual(results.map(() => "AccessDeniedException"));
    expect(await direct.exists("stamp#1")).toBe(false);
  });

  test("reports which of its permissions were needed", () => {
    const ofClerk = runtime.permissions().filter((allowance) => allowance.function === "clerk");
    const used = (action: string) =>
      ofClerk
        .filter((allowance) => allowance.action === `dynamodb:${action}` && allowance.used)
        .map(({ leadingKeys, resource }) => [leadingKeys, resource.endsWith("/index/*")]);

    expect(used("GetItem")).toEqual([["drawer", false]]);
    expect(used("PutItem")).toEqual([["letter#*", false]]);
    expect(used("Query")).toEqual([["letter#*", false]]);
  });
});

describe("the record of calls", () => {
  test("tells who called what, in order", async () => {
    const mark = runtime.mark();

    await takeSteps(runtime, "writer", [steps.put("recorded"), steps.send("recorded")]);

    const table = runtime.dynamodb.tables["TABLE_THINGS"];
    expect(runtime.calls(mark)).toMatchObject([
      { function: "writer", service: "dynamodb", operation: "PutItem", tables: [table], status: 200 },
      {
        function: "writer",
        service: "sqs",
        operation: "SendMessage",
        queue: "fixture-data-letters",
        status: 200,
      },
    ]);
    expect(new Set(runtime.calls(mark).map(({ requestId }) => requestId)).size).toBe(1);
  });

  test("counts calls one after another as a chain, and calls at once as one link", async () => {
    const three = [steps.get("x"), steps.get("y"), steps.get("z")];
    runtime.addLatency(100);
    const first = runtime.mark();
    await takeSteps(runtime, "writer", three);
    const second = runtime.mark();
    await takeSteps(runtime, "writer", three, true);
    runtime.addLatency(0);

    expect(runtime.summary(first)).toMatchObject({ count: 6, criticalPath: 4 });
    expect(runtime.summary(second)).toMatchObject({ count: 3, criticalPath: 1 });
  });
});
