import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";
import { buildApp } from "../../infra/app.ts";
import { bundleFolder } from "../../infra/bundle.ts";
import { sortFunctions } from "../../infra/constructs/catalog.ts";
import type { EndpointContract, FunctionContract } from "../../shared/contract.ts";
import { tableNames } from "../../shared/store/tables.ts";

const stackLimit = 500;
const nothing = { access: {}, sends: [] };

const fallback: FunctionContract = { type: "fallback", ...nothing };
const workerOf = (job: string): FunctionContract => ({ type: "worker", job, ...nothing });
const worker = workerOf("recount");
const sweeper: FunctionContract = { type: "schedule", everyMinutes: 5, access: {}, sends: "every" };
const endpoint = (number: number): EndpointContract => ({
  type: "endpoint",
  method: "POST",
  path: `/things/${number}`,
  auth: "oms",
  summary: "Does a thing",
  access: { identity: "read", orders: "write", inventory: "write", jobs: "write" },
  sends: ["recount"],
  request: z.object({}),
  response: z.object({}),
  writes: true,
});

let place = "";
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "app-test-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const few = { "not-found": fallback, "jobs/apply": worker };

/** Builds a small app with a context and gives the stack called `id`. */
const templateOf = (
  id: string,
  context: Record<string, string>,
  functions: Readonly<Record<string, FunctionContract>> = few,
): Template => {
  writeBundles(Object.keys(functions));
  const app = buildApp({ functions, context, bundles: place, outdir: join(place, "small") });
  return Template.fromJSON(app.synth().getStackByName(`${context["deployment"] ?? "oiw"}-${id}`).template);
};

const writeBundles = (keys: readonly string[]): void => {
  for (const key of keys) {
    mkdirSync(bundleFolder(key, place), { recursive: true });
    writeFileSync(join(bundleFolder(key, place), "index.mjs"), `export const handler = "${key}";`);
  }
};

test("a stack holds 66 endpoints that use everything", () => {
  const endpoints = Array.from({ length: 66 }, (_, number) => [`things/number-${number}`, endpoint(number)]);
  const functions = { "not-found": fallback, "jobs/apply": worker, ...Object.fromEntries(endpoints) };
  writeBundles(Object.keys(functions));

  const { stacks } = buildApp({ functions, bundles: place, outdir: join(place, "cdk.out") }).synth();

  for (const { template } of stacks) expect(Object.keys(template.Resources).length).toBeLessThan(stackLimit);
});

test("alarms are mailed to the address of the context, and to nobody without one", () => {
  const subscription = { Protocol: "email", Endpoint: "operator@example.com" };

  const mailed = templateOf("alerts", { alarmEmail: "operator@example.com" });
  const silent = templateOf("alerts", {});

  mailed.hasResourceProperties("AWS::SNS::Subscription", subscription);
  silent.resourceCountIs("AWS::SNS::Subscription", 0);
});

test("tables and queues stay exported when no function uses them, lest giving one up block a deployment", () => {
  const exported = (id: string) =>
    Object.values(templateOf(id, {}).findOutputs("*")).map(({ Value }) => JSON.stringify(Value));

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

test("two deployments in one account share no name", () => {
  const logGroup = (deployment: string) => ({ LogGroupName: `/aws/lambda/${deployment}-api/not-found` });

  templateOf("api", { deployment: "trial" }).hasResourceProperties("AWS::Logs::LogGroup", logGroup("trial"));
  templateOf("api", {}).hasResourceProperties("AWS::Logs::LogGroup", logGroup("oiw"));
});

test("two deployments in one account mix neither figures nor alarms", () => {
  const wakeUps: FunctionContract = { type: "worker", job: "webhook", messages: "wake-ups", ...nothing };
  const functions = { ...few, "jobs/send": wakeUps };
  const jobs = templateOf("jobs", { deployment: "trial" }, functions);
  const graphs = JSON.stringify(templateOf("observability", { deployment: "trial" }).toJSON());

  jobs.allResourcesProperties("AWS::Lambda::Function", {
    Environment: { Variables: { DEPLOYMENT: "trial" } },
  });
  jobs.hasResourceProperties("AWS::CloudWatch::Alarm", {
    Namespace: "OrderInventoryWarehouse/trial",
    MetricName: "webhooks_disabled",
    Dimensions: [{ Name: "service", Value: "trial" }],
  });
  expect(graphs).toContain("{OrderInventoryWarehouse/trial,service,route}");
});

test("calls are traced where the context says so, and cost nothing else", () => {
  const traced = { TracingConfig: { Mode: "Active" } };

  templateOf("api", { tracing: "on" }).hasResourceProperties("AWS::Lambda::Function", traced);
  for (const context of [{}, { tracing: "off" }]) {
    const untraced = templateOf("api", context);
    expect(untraced.findResources("AWS::Lambda::Function", { Properties: traced })).toEqual({});
    expect(JSON.stringify(untraced.findResources("AWS::IAM::Policy"))).not.toContain("xray");
  }
});

test("a setting that is neither on nor off is refused", () => {
  expect(() => buildApp({ context: { tracing: "yes" }, bundles: place, outdir: place })).toThrow(
    '"tracing" is "on" or "off", not "yes"',
  );
});

test("the internal page answers the networks of the context, and nobody without them", () => {
  const page: FunctionContract = {
    type: "page",
    summary: "A page",
    routes: [{ method: "GET", path: "/page" }],
    document: "all",
    parts: [],
    networks: true,
    ...nothing,
  };
  const told = (networks: string) => ({ Environment: { Variables: { INTERNAL_NETWORKS: networks } } });
  const functions = { ...few, "docs/page": page };

  const open = templateOf("docs", { internalNetworks: "10.0.0.0/8,fd00::/8" }, functions);
  const closed = templateOf("docs", {}, functions);

  open.hasResourceProperties("AWS::Lambda::Function", told("10.0.0.0/8,fd00::/8"));
  closed.hasResourceProperties("AWS::Lambda::Function", told(""));
});

test.each(["10.0.0.0", "10.0.0.0/33", "office", "fd00::/129"])("%s is no internal network", (network) => {
  expect(() => buildApp({ context: { internalNetworks: network }, bundles: place, outdir: place })).toThrow(
    `"${network}" is no network; write internalNetworks like`,
  );
});

test.each(["eu-west", "9lives", "Upper", "a".repeat(21)])("%s cannot name a deployment", (deployment) => {
  expect(() => buildApp({ context: { deployment }, bundles: place, outdir: place })).toThrow(/cannot name/);
});

test("a new kind of job takes one worker in the list: its queues, alarms and graphs come of it, and the sweeper sends it", () => {
  const before = { ...few, "jobs/sweep": sweeper };
  const after = { ...before, "jobs/apply-fourth": workerOf("fourth") };
  const queuesOfSweeper = (template: Template) => {
    const [lambda] = Object.values(
      template.findResources("AWS::Lambda::Function", { Properties: { Description: "schedule jobs/sweep" } }),
    );
    const names = Object.keys(lambda?.["Properties"].Environment.Variables);
    return names.filter((name) => name.startsWith("QUEUE_")).sort();
  };
  const countsOf = (template: Template) =>
    ["AWS::SQS::Queue", "AWS::CloudWatch::Alarm", "AWS::Lambda::EventSourceMapping"].map(
      (type) => Object.keys(template.findResources(type)).length,
    );

  const [small, grown] = [templateOf("jobs", {}, before), templateOf("jobs", {}, after)];
  const graphs = JSON.stringify(templateOf("observability", {}, after).toJSON());

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
