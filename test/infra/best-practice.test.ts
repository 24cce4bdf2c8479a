/** What others hold for best practice on AWS: the rule packs of cdk-nag, and cfn-lint where it is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { afterAll, describe, expect, inject, test } from "vitest";
import { buildApp } from "../../infra/app.ts";

const outdir = mkdtempSync(join(tmpdir(), "best-practice-test-"));
afterAll(() => rmSync(outdir, { recursive: true }));

/** A rule that does not fit, for which resources, and why. */
interface Exception {
  readonly rule: string;
  /** How the path of the resource looks. */
  readonly where: RegExp;
  readonly reason: string;
}

const exceptions: readonly Exception[] = [
  {
    rule: "AwsSolutions-APIG4",
    where: /\/(GET|POST|PUT|PATCH|DELETE) --|\/HttpApi\/DefaultRoute\//,
    reason: "Each function checks the credentials itself, as the interface asks for four kinds of them.",
  },
  {
    rule: "AwsSolutions-IAM4",
    where: /\/Releases\/Role\//,
    reason: "AWS keeps this policy for what CodeDeploy does with functions, and nothing else.",
  },
  {
    rule: "AwsSolutions-SMG4",
    where: /\/SigningSecret\//,
    reason: "A new secret ends all sessions of the warehouse, so the operator chooses when.",
  },
  {
    rule: "AwsSolutions-SQS3",
    where: /\/Changes\/GivenUp\//,
    reason: "The queue itself keeps what was given up, and nothing takes messages from it.",
  },
  {
    rule: "Serverless-SQSRedrivePolicy",
    where: /\/(DeadLetters|GivenUp)\//,
    reason: "The queue itself keeps what was set aside.",
  },
  {
    rule: "Serverless-EventBusDLQ",
    where: /^Jobs\/jobs-[\w-]+\/Rule\//,
    reason: "The run of the next minute does the work of one that is lost, and an alarm watches for it.",
  },
  {
    rule: "Serverless-LambdaDLQ",
    where: /\/Function\//,
    reason:
      "Only the clock calls functions without waiting for them; the next run does the work of one that failed.",
  },
  {
    rule: "Serverless-LambdaEventSourceMappingDestination",
    where: /^Jobs\//,
    reason: "Messages of a queue that fail go to the dead-letter queue of that queue.",
  },
  {
    rule: "Serverless-LambdaTracing",
    where: /\/Function\//,
    reason: "Tracing costs money for each call, so the setting `tracing` switches it on.",
  },
];

const isOf = ({ rule, where }: Exception, found: { readonly rule: string; readonly path: string }) =>
  found.rule === rule && where.test(found.path);

describe("cdk-nag", () => {
  const app = buildApp({ outdir });
  const found = [new AwsSolutionsChecks(app), new ServerlessChecks(app)].flatMap((pack) =>
    pack.validateScope(app).violations.flatMap(({ ruleName, violatingResources, description }) =>
      violatingResources.map((one) => ({
        rule: ruleName.replace(/\[.*$/, "").replace(/^.*::/, ""),
        path: one.constructPath ?? one.resourceLogicalId ?? "",
        description,
      })),
    ),
  );

  test("finds nothing but what does not fit, with a reason for each", () => {
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((one) => !exceptions.some((exception) => isOf(exception, one)))).toEqual([]);
  });

  test.each(exceptions)("still finds what $rule is excepted for", (exception) => {
    expect(found.some((one) => isOf(exception, one))).toBe(true);
  });
});

const command = process.env["CFN_LINT"] ?? "cfn-lint";
const isInstalled = spawnSync(command, ["--version"]).status === 0;

test.skipIf(!isInstalled)("cfn-lint finds nothing in the templates", { timeout: 240_000 }, () => {
  const { stdout, stderr, status } = spawnSync(command, [
    // The CDK states a dependency on each role and its policy; on the role it would not have to. And the API's address is
    // an output of the stack above the API's own.
    "--ignore-checks",
    "W3005",
    "W6001",
    "--regions",
    "eu-west-1",
    "--template",
    join(inject("assembly"), "*.template.json"),
  ]);

  expect(`${stdout}${stderr}`).toBe("");
  expect(status).toBe(0);
});
