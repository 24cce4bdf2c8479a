/**
 * What the list of functions makes of an app, and what holds for each. The settings are asked by
 * `setting-rules.ts`.
 */
import type { Template } from "aws-cdk-lib/assertions";
import { CURRENTLY_RECOMMENDED_FLAGS } from "aws-cdk-lib/cx-api";
import { expect, test } from "vitest";
import cdk from "../../../cdk.json" with { type: "json" };
import { sortFunctions } from "../../../infra/catalog.ts";
import type { FunctionContract } from "../../../shared/runtime/contract.ts";
import { tableNames } from "../../../shared/store/tables.ts";
import {
  endpoint,
  type Functions,
  fallback,
  few,
  noSettings,
  type SmallApps,
  worker,
  workerOf,
} from "../apps/small-apps.ts";

const stackLimit = 500;
const sweeper: FunctionContract = { type: "schedule", everyMinutes: 5, access: {}, sends: "every" };

export const appRules = (apps: SmallApps): void => {
  const { appOf, templateOf: ofApp } = apps;
  const templateOf = (id: string, functions: Functions): Template => ofApp(id, noSettings, functions);

  test("a stack holds 60 endpoints that use everything, twelve of which write orders", () => {
    const endpoints = Array.from({ length: 60 }, (_, number) => [
      `things/number-${number}`,
      endpoint(number, number < 12 ? "write" : "read"),
    ]);
    const functions = { "not-found": fallback, "jobs/apply": worker, ...Object.fromEntries(endpoints) };

    const { stacks } = appOf(noSettings, functions);

    for (const { template } of stacks)
      expect(Object.keys(template.Resources).length).toBeLessThan(stackLimit);
  });

  test("every feature flag that the CDK recommends is set, one way or the other, so that an upgrade changes nothing by itself", () => {
    expect(Object.keys(CURRENTLY_RECOMMENDED_FLAGS).filter((flag) => !(flag in cdk.context))).toEqual([]);
  });

  test("tables and queues stay exported when no function uses them, lest giving one up block a deployment", () => {
    const exported = (id: string) =>
      Object.values(templateOf(id, few).findOutputs("*")).map(({ Value }) => JSON.stringify(Value));

    const tables = exported("data");
    const queues = exported("jobs");

    for (const name of tableNames) {
      expect(tables).toContainEqual(expect.stringMatching(`{"Ref":"${name}[0-9A-F]{8}"}`));
      expect(tables).toContainEqual(expect.stringMatching(`{"Fn::GetAtt":\\["${name}[0-9A-F]{8}","Arn"\\]}`));
    }
    expect(queues).toContainEqual(expect.stringMatching(/{"Ref":"recountqueueQueue[0-9A-F]{8}"}/));
    expect(queues).toContainEqual(
      expect.stringMatching(/{"Fn::GetAtt":\["recountqueueQueue[0-9A-F]{8}","Arn"\]}/),
    );
  });

  test("a new kind of job takes one worker in the list: its queues, alarms and graphs come of it, and the sweeper sends it", () => {
    const before = { ...few, "jobs/sweep": sweeper };
    const after = { ...before, "jobs/apply-fourth": workerOf("fourth") };
    const queuesOfSweeper = (template: Template) => {
      const [lambda] = Object.values(
        template.findResources("AWS::Lambda::Function", {
          Properties: { Description: "schedule jobs/sweep" },
        }),
      );
      const names = Object.keys(lambda?.["Properties"].Environment.Variables);
      return names.filter((name) => name.startsWith("QUEUE_")).sort();
    };
    const countsOf = (template: Template) =>
      ["AWS::SQS::Queue", "AWS::CloudWatch::Alarm", "AWS::Lambda::EventSourceMapping"].map(
        (type) => Object.keys(template.findResources(type)).length,
      );

    const [small, grown] = [templateOf("jobs", before), templateOf("jobs", after)];
    const graphs = JSON.stringify(templateOf("observability", after).toJSON());

    expect(queuesOfSweeper(small)).toEqual(["QUEUE_RECOUNT"]);
    expect(queuesOfSweeper(grown)).toEqual(["QUEUE_FOURTH", "QUEUE_RECOUNT"]);
    const [queues = 0, alarms = 0, sources = 0] = countsOf(small);
    expect(countsOf(grown)).toEqual([queues + 2, alarms + 2, sources + 1]);
    expect(graphs).toMatch(/fourthqueueQueue/);
  });

  test.each(["", "Fourth", "fourth-kind", "fourth_kind", "4th", "a".repeat(31)])(
    "%j cannot name a kind of job",
    (job) => {
      expect(() => sortFunctions({ "not-found": fallback, "jobs/apply": workerOf(job) })).toThrow(
        /cannot name a kind/,
      );
    },
  );

  test("a kind of job that is sent but has no worker is refused", () => {
    expect(() => sortFunctions({ "not-found": fallback, "things/send": endpoint(1) })).toThrow(/no worker/);
  });

  test("two workers for one kind of job are refused", () => {
    expect(() => sortFunctions({ "not-found": fallback, "jobs/one": worker, "jobs/two": worker })).toThrow(
      /Two workers/,
    );
  });

  test.each([
    ["no fallback", {}],
    ["two fallbacks", { one: fallback, two: fallback }],
  ])("a list with %s is refused", (_, functions) => {
    expect(() => sortFunctions(functions)).toThrow(/exactly one fallback/);
  });
};
