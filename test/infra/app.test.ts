import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Match, Template } from "aws-cdk-lib/assertions";
import { type CloudAssembly, CURRENTLY_RECOMMENDED_FLAGS } from "aws-cdk-lib/cx-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import cdk from "../../cdk.json" with { type: "json" };
import { buildApp } from "../../infra/app.ts";
import { bundleFolder } from "../../infra/bundle.ts";
import { sortFunctions } from "../../infra/constructs/catalog.ts";
import { type EndpointContract, type FunctionContract, metricsNamespace } from "../../shared/contract.ts";
import { tableNames } from "../../shared/store/tables.ts";

const stackLimit = 500;
const nothing = { access: {}, sends: [] };

const fallback: FunctionContract = { type: "fallback", ...nothing };
const workerOf = (job: string): FunctionContract => ({ type: "worker", job, ...nothing });
const worker = workerOf("recount");
const sweeper: FunctionContract = { type: "schedule", everyMinutes: 5, access: {}, sends: "every" };
const endpoint = (number: number, orders: "read" | "write" = "write"): EndpointContract => ({
  type: "endpoint",
  method: "POST",
  path: `/things/${number}`,
  auth: "oms",
  summary: "Does a thing",
  access: { identity: "read", orders, inventory: "write", jobs: "write" },
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

type Functions = Readonly<Record<string, FunctionContract>>;

/** Builds an app with a context. */
const build = (context: Record<string, unknown>, functions: Functions, outdir: string): CloudAssembly => {
  writeBundles(Object.keys(functions));
  return buildApp({ functions, context, bundles: place, outdir: join(place, outdir) }).synth();
};

/** The small apps by their functions and contexts. Each is built once, though several tests look at it. */
const apps = new Map<Functions, Map<string, CloudAssembly>>();
let built = 0;

const appOf = (context: Record<string, unknown>, functions: Functions): CloudAssembly => {
  const known = apps.get(functions) ?? new Map<string, CloudAssembly>();
  const key = JSON.stringify(context);
  const app = known.get(key) ?? build(context, functions, `small-${built++}`);
  apps.set(functions, known.set(key, app));
  return app;
};

/** The stack called `id` of a small app with a context. */
const templateOf = (id: string, context: Record<string, unknown>, functions: Functions = few): Template =>
  Template.fromJSON(
    appOf(context, functions).getStackByName(`${context["deployment"] ?? "oiw"}-${id}`).template,
  );

const writeBundles = (keys: readonly string[]): void => {
  for (const key of keys) {
    mkdirSync(bundleFolder(key, place), { recursive: true });
    writeFileSync(join(bundleFolder(key, place), "index.mjs"), `export const handler = "${key}";`);
  }
};

test("a stack holds 60 endpoints that use everything, twelve of which write orders", () => {
  const endpoints = Array.from({ length: 60 }, (_, number) => [
    `things/number-${number}`,
    endpoint(number, number < 12 ? "write" : "read"),
  ]);
  const functions = { "not-found": fallback, "jobs/apply": worker, ...Object.fromEntries(endpoints) };

  const { stacks } = build({}, functions, "cdk.out");

  for (const { template } of stacks) expect(Object.keys(template.Resources).length).toBeLessThan(stackLimit);
});

test("new code of what writes orders or works off queues is tried out on a tenth of the calls, or not, as the setting says", () => {
  const functions = { ...few, "things/write": endpoint(1), "things/read": endpoint(2, "read") };
  const configs = (context: Record<string, string>, id: string) =>
    Object.values(templateOf(id, context, functions).findResources("AWS::CodeDeploy::DeploymentGroup")).map(
      ({ Properties }) => Properties.DeploymentConfigName,
    );

  expect(configs({}, "oms")).toEqual(["CodeDeployDefault.LambdaCanary10Percent5Minutes"]);
  expect(configs({}, "jobs")).toEqual(["CodeDeployDefault.LambdaCanary10Percent5Minutes"]);
  expect(configs({ deploys: "all-at-once" }, "oms")).toEqual(["CodeDeployDefault.LambdaAllAtOnce"]);
  templateOf("oms", { deploys: "all-at-once" }, functions).hasResourceProperties(
    "AWS::CodeDeploy::DeploymentGroup",
    { AlarmConfiguration: { Alarms: Match.absent(), Enabled: false } },
  );
});

test("code that is tried out is taken back where functions of its stack fail", () => {
  const template = templateOf("jobs", {});
  const [name] = Object.keys(
    template.findResources("AWS::CloudWatch::Alarm", { Properties: { Period: 60, Statistic: "Sum" } }),
  );

  template.hasResourceProperties("AWS::Logs::MetricFilter", {
    MetricTransformations: [{ MetricName: "errors oiw-jobs", MetricNamespace: metricsNamespace("oiw") }],
  });
  template.hasResourceProperties("AWS::CodeDeploy::DeploymentGroup", {
    AlarmConfiguration: { Alarms: [{ Name: { Ref: name } }], Enabled: true },
    AutoRollbackConfiguration: { Enabled: true, Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"] },
  });
});

test("a restored table serves in place of the deployment's own, which stays", () => {
  const stream =
    "arn:aws:dynamodb:eu-west-1:111122223333:table/orders-restored/stream/2026-11-22T00:00:00.000";
  const context = {
    restoredTables: {
      orders: { name: "orders-restored", stream },
      directory: { name: "directory-restored" },
    },
  };
  const functions = { ...few, "things/write": endpoint(1) };

  const data = templateOf("data", context, functions);
  const variables = Object.values(
    templateOf("oms", context, functions).findResources("AWS::Lambda::Function"),
  )[0]?.["Properties"].Environment.Variables;

  data.resourceCountIs("AWS::DynamoDB::GlobalTable", tableNames.length);
  data.hasOutput("TABLEORDERS", { Value: "orders-restored" });
  expect(variables).toMatchObject({ TABLE_ORDERS: "orders-restored" });
  expect(variables.TABLE_INVENTORY).not.toBe("inventory-restored");
});

test("tables are backed up each day where the setting says so, and copied to the vault that it names", () => {
  const vault = "arn:aws:backup:eu-central-1:111122223333:backup-vault:far-away";
  const plain = templateOf("data", {});
  const daily = templateOf("data", { backups: "daily" });
  const copied = templateOf("data", { backups: "daily", backupCopies: vault });
  const [selection] = Object.values(daily.findResources("AWS::Backup::BackupSelection"));

  plain.resourceCountIs("AWS::Backup::BackupPlan", 0);
  expect(selection?.["Properties"].BackupSelection.Resources).toHaveLength(tableNames.length);
  const ruleOf = (template: Template) =>
    Object.values(template.findResources("AWS::Backup::BackupPlan"))[0]?.["Properties"].BackupPlan
      .BackupPlanRule[0];
  expect(ruleOf(daily)).toMatchObject({ Lifecycle: { DeleteAfterDays: 35 } });
  expect(ruleOf(daily)).not.toHaveProperty("CopyActions.0");
  expect(ruleOf(copied).CopyActions).toMatchObject([{ DestinationBackupVaultArn: vault }]);
  // It is kept when its stack goes, so no later stack may want its name, and switching backups off and on makes no new one.
  for (const template of [plain, daily])
    template.hasResource("AWS::Backup::BackupVault", {
      DeletionPolicy: "Retain",
      Properties: { BackupVaultName: Match.objectLike({ "Fn::Join": Match.anyValue() }) },
    });
});

describe("copies of the tables in other regions", () => {
  const replicas = { home: "eu-west-1", others: ["eu-central-1"] };

  test("are made of every table, and are as well protected", () => {
    const data = templateOf("data", { replicas });

    const tables = Object.values(data.findResources("AWS::DynamoDB::GlobalTable"));
    expect(tables).toHaveLength(tableNames.length);
    for (const { Properties } of tables) {
      expect(Properties.Replicas.map((one: { readonly Region: unknown }) => one.Region).sort()).toEqual([
        "eu-central-1",
        "eu-west-1",
      ]);
      for (const replica of Properties.Replicas)
        expect(replica).toMatchObject({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        });
      expect(Properties.StreamSpecification).toEqual({ StreamViewType: "NEW_AND_OLD_IMAGES" });
    }
  });

  test("have nothing else of the service beside them: all stacks are the home's", () => {
    const regions = appOf({ replicas: JSON.stringify(replicas) }, few).stacks.map(
      ({ environment }) => environment.region,
    );

    expect(new Set(regions)).toEqual(new Set(["eu-west-1"]));
  });

  test.each([
    [{ home: "eu-west-1", others: [] }, "replicas.others must name at least one region"],
    [{ home: "eu-west-1", others: ["eu-west-1"] }, "replicas.others must name each region once"],
    [{ home: "Ireland", others: ["eu-west-1"] }, "replicas.home must be a region"],
  ])("are refused where %j names them", (stated, words) => {
    expect(() => buildApp({ context: { replicas: stated }, bundles: place, outdir: place })).toThrow(words);
  });
});

test("every feature flag that the CDK recommends is set, one way or the other, so that an upgrade changes nothing by itself", () => {
  expect(Object.keys(CURRENTLY_RECOMMENDED_FLAGS).filter((flag) => !(flag in cdk.context))).toEqual([]);
});

test("every resource that can be tagged names its deployment", () => {
  const tags = [
    { Key: "deployment", Value: "trial" },
    { Key: "service", Value: "order-inventory-warehouse" },
  ];

  templateOf("api", { deployment: "trial" }).allResourcesProperties("AWS::Lambda::Function", { Tags: tags });
  templateOf("alerts", { deployment: "trial" }).allResourcesProperties("AWS::SNS::Topic", { Tags: tags });
});

test.each([
  [
    { backupCopies: "arn:aws:backup:eu-central-1:111122223333:backup-vault:far-away" },
    "backupCopies needs backups=daily",
  ],
  [
    { restoredTables: { orders: { name: "orders-restored" } } },
    "restoredTables.orders needs the ARN of its stream",
  ],
  [{ restoredTables: { letters: { name: "letters-restored" } } }, "restoredTables"],
  [{ deploys: "slowly" }, "deploys must be one of canary, all-at-once"],
])("the settings %j are refused", (context, words) => {
  expect(() => buildApp({ context, bundles: place, outdir: place })).toThrow(words);
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
    "The setting tracing must be one of off, on",
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

describe("a domain of the operator's", () => {
  const certificateArn =
    "arn:aws:acm:eu-west-1:123456789012:certificate/0f1e2d3c-aaaa-bbbb-cccc-1234567890ab";
  const context = { domainName: "api.example.com", certificateArn };

  test("leads to the API, which has no other then", () => {
    const stage = templateOf("stage", context);

    stage.hasResourceProperties("AWS::ApiGatewayV2::DomainName", {
      DomainName: "api.example.com",
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
      ],
    });
    stage.resourceCountIs("AWS::ApiGatewayV2::ApiMapping", 1);
    stage.hasOutput("ApiUrl", { Value: "https://api.example.com/" });
  });

  test("leaves API Gateway's address until a setting of its own switches that off", () => {
    const off = { ...context, gatewayAddress: "off" };
    const address = (isOff: boolean) => ({ DisableExecuteApiEndpoint: isOff });

    templateOf("api", context).hasResourceProperties("AWS::ApiGatewayV2::Api", address(false));
    templateOf("api", off).hasResourceProperties("AWS::ApiGatewayV2::Api", address(true));
    expect(() => templateOf("api", { gatewayAddress: "off" })).toThrow("gatewayAddress needs a domainName");
  });

  test("is not there unless it is stated", () => {
    templateOf("stage", {}).resourceCountIs("AWS::ApiGatewayV2::DomainName", 0);
    templateOf("api", {}).hasResourceProperties("AWS::ApiGatewayV2::Api", {
      DisableExecuteApiEndpoint: false,
    });
  });

  test.each([
    [{ domainName: "api.example.com" }, /no certificate/],
    [{ certificateArn }, /no domain/],
    [{ domainName: "https://api.example.com", certificateArn }, /no domain/],
    [{ domainName: "localhost", certificateArn }, /no domain/],
    [{ domainName: "api.example.com", certificateArn: "certificate" }, /no certificate/],
  ])("is refused where it is stated half or wrong: %j", (stated, reason) => {
    expect(() => buildApp({ context: stated, bundles: place, outdir: place })).toThrow(reason);
  });
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
