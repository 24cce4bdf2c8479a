/** What an app makes of functions that are called with changes, whichever tables they ask for. */
import { describe, expect, test } from "vitest";
import { sortFunctions } from "../../../../infra/catalog.ts";
import type { StreamContract } from "../../../../shared/runtime/contract.ts";
import { type TableName, tableNames, tableSchemas } from "../../../../shared/store/tables.ts";
import { type Assembly, nameOf, readAssembly, resources } from "../../apps/assembly.ts";
import { deployedFunction, isFunction, permissionsOf, tableOf } from "../../apps/deployed.ts";
import { at, namesIn } from "../../apps/json.ts";
import { type Context, type Functions, few, noSettings, type SmallApps } from "../../apps/small-apps.ts";
import { streamRules } from "./stream-rules.ts";

/** Is called with changes of two tables, of which it may read one, and of a third. */
const follower: StreamContract = {
  type: "stream",
  changesOf: { orders: ["order#"], inventory: ["stock#", "movement#"] },
  changesWhere: { inventory: { reason: "counted" } },
  access: { orders: "read", directory: "write" },
  sends: ["recount"],
};
/** Is called with the same, and makes events. */
const publisher: StreamContract = { ...follower, access: { ...follower.access, events: "write" } };
const functions: Functions = { ...few, "events/publish": publisher, "events/follow": follower };

export const streamAppRules = (apps: SmallApps): void => {
  const { appOf, refused } = apps;
  const build = (context: Context, of = functions): Assembly => readAssembly(appOf(context, of).directory);
  const get = () => build(noSettings);

  streamRules(get, [
    { key: "events/publish", contract: publisher, tables: ["orders", "inventory"] },
    { key: "events/follow", contract: follower, tables: ["orders", "inventory"] },
  ]);

  test("a function has the names of the tables whose changes it is called with, and may do no more than it states", () => {
    const lambda = deployedFunction(get(), "events/follow");
    const inventory = nameOf(tableOf(get(), "inventory"));

    expect(namesIn(at(lambda.properties, "Environment", "Variables")).sort()).toEqual([
      "DEPLOYMENT",
      "QUEUE_RECOUNT",
      "TABLE_DIRECTORY",
      "TABLE_IDENTITY",
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
    const without = build(noSettings, few);
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
    const pacesOf = (context: Context, key = "events/publish") => {
      const assembly = build(context);
      const lambda = deployedFunction(assembly, key);
      return resources(assembly, "AWS::Lambda::EventSourceMapping")
        .filter(
          (source) => source.stack === "Streams" && isFunction(assembly, lambda, source, "FunctionName"),
        )
        .map(
          ({ properties }) =>
            `enabled: ${at(properties, "Enabled")}, ${at(properties, "MaximumBatchingWindowInSeconds")} s`,
        );
    };

    test("is called at once, unless a setting has changes gathered for some seconds", () => {
      expect(pacesOf(noSettings)).toEqual(["enabled: true, 0 s", "enabled: true, 0 s"]);
      expect(pacesOf({ eventsWindow: "2" })).toEqual(["enabled: true, 2 s", "enabled: true, 2 s"]);
    });

    test("is not called at all if events are off; other consumers of changes are called as before", () => {
      const off = { events: "off", eventsWindow: 5 };

      expect(pacesOf(off)).toEqual(["enabled: false, 5 s", "enabled: false, 5 s"]);
      expect(pacesOf(off, "events/follow")).toEqual(["enabled: true, 0 s", "enabled: true, 0 s"]);
    });

    test.each([
      [{ events: "some" }, "events must be one of on, off"],
      [{ eventsWindow: 0.5 }, "eventsWindow must be a whole number"],
      [{ eventsWindow: 61 }, "eventsWindow must be 60 seconds or less"],
      [{ eventsWindow: "soon" }, "eventsWindow must be a number"],
    ])("is not called by settings such as %j", (context, words) => {
      expect(refused(context)).toThrow(words);
    });
  });

  const asking = (changesOf: Partial<Record<TableName, readonly string[]>>) => ({
    ...functions,
    "events/publish": { ...follower, changesOf },
  });

  test.each([
    ["of no table", {}, /consumes the changes of no table/],
    ["of a table without a stream", { identity: ["account#"] }, /"identity" has no stream/],
    ["of any item", { orders: [""] }, /does not say how the keys of the table "orders" begin/],
    ["of no item", { orders: [] }, /does not say how the keys of the table "orders" begin/],
  ])("a function that asks for changes %s is refused", (_, changesOf, message) => {
    expect(() => sortFunctions(asking(changesOf))).toThrow(message);
  });
};
