import { describe, expect, test } from "vitest";
import { functions } from "../../../../functions/index.ts";
import type { StreamContract } from "../../../../shared/runtime/contract.ts";
import { type TableName, tableNames } from "../../../../shared/store/tables.ts";
import { type Assembly, type Found, nameOf, resources, text } from "../../apps/assembly.ts";
import { deployedFunction, isFunction, only, refusesPlainHttp, tableOf } from "../../apps/deployed.ts";
import { at, list } from "../../apps/json.ts";

const fourteenDays = 14 * 24 * 60 * 60;

/** The tables whose changes a function is called with. */
export const tablesOf = ({ changesOf }: StreamContract): readonly TableName[] =>
  tableNames.filter((name) => changesOf[name] !== undefined);

/** The functions that are called with changes. */
export const streams = Object.entries(functions).flatMap(([key, contract]) =>
  contract.type === "stream" ? [{ key, contract, tables: tablesOf(contract) }] : [],
);

const sourcesOf = (assembly: Assembly, key: string): Found[] => {
  const lambda = deployedFunction(assembly, key);
  return resources(assembly, "AWS::Lambda::EventSourceMapping").filter((source) =>
    isFunction(assembly, lambda, source, "FunctionName"),
  );
};

/** The queue that says what changes a function was not called with. */
export const givenUpOf = (assembly: Assembly, key: string): Found => {
  const goals = sourcesOf(assembly, key).map(({ stack, properties }) =>
    text(assembly, stack, at(properties, "DestinationConfig", "OnFailure", "Destination")),
  );
  return only(
    resources(assembly, "AWS::SQS::Queue").filter((queue) => goals.includes(`${nameOf(queue)}.Arn`)),
    `the queue of what "${key}" gave up`,
  );
};

const alarmOn = (assembly: Assembly, metric: string, dimension: string): Found =>
  only(
    resources(assembly, "AWS::CloudWatch::Alarm").filter(
      ({ stack, properties }) =>
        at(properties, "MetricName") === metric &&
        list(at(properties, "Dimensions")).some(
          (one) => text(assembly, stack, at(one, "Value")) === dimension,
        ),
    ),
    `the alarm on ${metric} of ${dimension}`,
  );

/** What holds for every function of type `stream` in an assembly. */
export const streamRules = (get: () => Assembly, all: typeof streams = streams): void => {
  test("no table has more than two functions that are called with its changes, as DynamoDB throttles a third reader", () => {
    const read = all.flatMap(({ tables }) => tables);

    expect(tableNames.filter((name) => read.filter((one) => one === name).length > 2)).toEqual([]);
  });

  describe.each(all)("the changes that $key is called with", ({ key, contract, tables }) => {
    test("come from one event source a table, of those items alone whose keys and attributes are as it says", () => {
      const patterns = sourcesOf(get(), key).map(({ stack, properties }) => [
        text(get(), stack, at(properties, "EventSourceArn")),
        list(at(properties, "FilterCriteria", "Filters")).map((one) => String(at(one, "Pattern"))),
      ]);
      const rules = (name: TableName) => contract.changesOf[name]?.map((prefix) => ({ prefix }));

      const imageOf = (name: TableName) => {
        const where = Object.entries(contract.changesWhere?.[name] ?? {});
        return where.length === 0
          ? {}
          : { NewImage: Object.fromEntries(where.map(([attribute, text]) => [attribute, { S: [text] }])) };
      };

      expect(patterns).toEqual(
        tables.map((name) => [
          `${nameOf(tableOf(get(), name))}.StreamArn`,
          [JSON.stringify({ dynamodb: { Keys: { pk: { S: rules(name) } }, ...imageOf(name) } })],
        ]),
      );
    });

    test("come from sources that follow the alias: a changed filter applies once all calls go to new code", () => {
      for (const { stack, properties } of sourcesOf(get(), key)) {
        const called = JSON.stringify(at(properties, "FunctionName"));
        const alias = resources(get(), "AWS::Lambda::Alias").find(
          (one) => one.stack === stack && called.includes(`{"Ref":"${one.id}"}`),
        );

        expect(alias).toBeDefined();
      }
    });

    test("come from the oldest on, by a hundred, in order, until they are handled or a day is almost over", () => {
      for (const { properties } of sourcesOf(get(), key)) {
        expect(properties).toMatchObject({
          StartingPosition: "TRIM_HORIZON",
          BatchSize: 100,
          MaximumBatchingWindowInSeconds: 0,
          ParallelizationFactor: 1,
          BisectBatchOnFunctionError: true,
          FunctionResponseTypes: ["ReportBatchItemFailures"],
          MaximumRetryAttempts: -1,
          MaximumRecordAgeInSeconds: 23 * 60 * 60,
        });
      }
    });

    const publishes = Object.hasOwn(contract.access, "events");
    if (publishes)
      test("raise an alarm when one could not be published", () => {
        const lambda = deployedFunction(get(), key);
        const deployment = String(at(lambda.properties, "Environment", "Variables", "DEPLOYMENT"));

        const alarm = alarmOn(get(), "changes_set_aside", deployment);

        expect(alarm.properties).toMatchObject({
          Namespace: `OrderInventoryWarehouse/${deployment}`,
          Threshold: 1,
          EvaluationPeriods: 1,
          Statistic: "Sum",
        });
      });

    test("raise an alarm when they come late and when one is given up, which a queue keeps for fourteen days", () => {
      const queue = givenUpOf(get(), key);
      const late = alarmOn(get(), "IteratorAge", nameOf(deployedFunction(get(), key)));
      const lost = alarmOn(get(), "ApproximateNumberOfMessagesVisible", `${nameOf(queue)}.QueueName`);

      expect(late.properties).toMatchObject({ Threshold: 600_000, EvaluationPeriods: 3 });
      // Of the function itself, since AWS does not say that an alias has this metric.
      expect(list(at(late.properties, "Dimensions"))).toHaveLength(1);
      expect(lost.properties).toMatchObject({ Threshold: 1, EvaluationPeriods: 1 });
      expect(at(queue.properties, "MessageRetentionPeriod")).toBe(fourteenDays);
      expect(at(queue.properties, "SqsManagedSseEnabled")).toBe(true);
      expect(refusesPlainHttp(get(), queue)).toBe(true);
    });
  });
};
