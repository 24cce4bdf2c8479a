import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../infra/app.ts";
import { bundleFolder } from "../../infra/bundle.ts";
import { sortFunctions } from "../../infra/constructs/catalog.ts";
import type { FunctionContract, StreamContract } from "../../shared/contract.ts";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { type Assembly, nameOf, readAssembly, resources } from "./assembly.ts";
import { deployedFunction, permissionsOf, tableOf } from "./deployed.ts";
import { at, namesIn } from "./json.ts";
import { streamRules } from "./stream-rules.ts";

const fallback: FunctionContract = { type: "fallback", access: {}, sends: [] };

/** Is called with changes of two tables, of which it may read one, and of a third. */
const contract: StreamContract = {
  type: "stream",
  changesOf: { orders: ["order#"], inventory: ["stock#", "movement#"] },
  changesWhere: { inventory: { reason: "counted" } },
  access: { orders: "read", directory: "write" },
  sends: ["recount"],
};
const functions: Readonly<Record<string, FunctionContract>> = {
  "not-found": fallback,
  "jobs/apply": { type: "worker", job: "recount", access: {}, sends: [] },
  "events/publish": contract,
};

let place = "";
let assembly: Assembly;
const get = () => assembly;

const build = (
  deployed: typeof functions,
  name: string,
  context: Readonly<Record<string, unknown>> = {},
): Assembly => {
  for (const key of Object.keys(deployed)) {
    mkdirSync(bundleFolder(key, place), { recursive: true });
    writeFileSync(join(bundleFolder(key, place), "index.mjs"), `export const handler = "${key}";`);
  }
  const outdir = join(place, name);
  buildApp({ functions: deployed, bundles: place, outdir, context }).synth();
  return readAssembly(outdir);
};

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "streams-test-"));
  assembly = build(functions, "with");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

streamRules(get, [{ key: "events/publish", contract, tables: ["orders", "inventory"] }]);

test("a function is told the names of the tables whose changes it is called with, and may do no more than it states", () => {
  const lambda = deployedFunction(get(), "events/publish");
  const inventory = nameOf(tableOf(get(), "inventory"));

  expect(namesIn(at(lambda.properties, "Environment", "Variables")).sort()).toEqual([
    "DEPLOYMENT",
    "QUEUE_RECOUNT",
    "TABLE_DIRECTORY",
    "TABLE_INVENTORY",
    "TABLE_ORDERS",
  ]);
  expect(permissionsOf(get(), lambda).filter((one) => one.includes(inventory))).toEqual(
    ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"].map(
      (action) => `dynamodb:${action} on ${inventory}.StreamArn`,
    ),
  );
});

test("a table keeps its stream, and exports it, when no function is called with its changes any more", () => {
  const { "events/publish": _, ...others } = functions;

  const without = build(others, "without");
  const exported = JSON.stringify(without.templates.get("Data")?.Outputs);

  for (const name of tableNames.filter((one) => tableSchemas[one].changes)) {
    const table = tableOf(without, name);
    expect(at(table.properties, "StreamSpecification")).toBeDefined();
    expect(exported).toContain(`{"Fn::GetAtt":["${table.id}","StreamArn"]}`);
  }
  expect(without.templates.has("Streams")).toBe(false);
  expect(resources(without, "AWS::SQS::Queue")).toHaveLength(2);
});

describe("what makes events", () => {
  const publisher: StreamContract = { ...contract, access: { ...contract.access, events: "write" } };
  const pacesOf = (context: Readonly<Record<string, unknown>>, stream = publisher) =>
    resources(
      build({ ...functions, "events/publish": stream }, "paced", context),
      "AWS::Lambda::EventSourceMapping",
    )
      .filter(({ stack }) => stack === "Streams")
      .map(({ properties }) => [at(properties, "Enabled"), at(properties, "MaximumBatchingWindowInSeconds")]);

  test("is called at once, unless a setting has changes gathered for some seconds", () => {
    expect(pacesOf({})).toEqual([
      [true, 0],
      [true, 0],
    ]);
    expect(pacesOf({ eventsWindow: "2" })).toEqual([
      [true, 2],
      [true, 2],
    ]);
  });

  test("is not called at all where events are off; what else is told of changes is called as ever", () => {
    const off = { events: "off", eventsWindow: 5 };

    expect(pacesOf(off)).toEqual([
      [false, 5],
      [false, 5],
    ]);
    expect(pacesOf(off, contract)).toEqual([
      [true, 0],
      [true, 0],
    ]);
  });

  test.each([
    [{ events: "some" }, "events must be one of on, off"],
    [{ eventsWindow: 0.5 }, "eventsWindow must be a whole number"],
    [{ eventsWindow: 61 }, "eventsWindow must be 60 seconds or less"],
    [{ eventsWindow: "soon" }, "eventsWindow must be a number"],
  ])("is not called by settings such as %j", (context, words) => {
    expect(() => buildApp({ functions, context, bundles: place, outdir: place })).toThrow(words);
  });
});

const asking = (changesOf: Partial<Record<TableName, readonly string[]>>) => ({
  ...functions,
  "events/publish": { ...contract, changesOf },
});

test.each([
  ["of no table", {}, /asks for the changes of no table/],
  [
    "of a table that does not tell of them",
    { identity: ["account#"] },
    /"identity" does not tell of its changes/,
  ],
  ["of any item", { orders: [""] }, /does not say how the keys of the table "orders" begin/],
  ["of no item", { orders: [] }, /does not say how the keys of the table "orders" begin/],
])("a function that asks for changes %s is refused", (_, changesOf, message) => {
  expect(() => sortFunctions(asking(changesOf))).toThrow(message);
});
