/**
 * What others hold for best practice on AWS: the rule packs of cdk-nag, and cfn-lint where it is installed.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import type { IConstruct } from "constructs";

/** A rule that does not fit, for which resources, and why. */
export interface Exception {
  readonly rule: string;
  /** How the path of the resource looks. */
  readonly where: RegExp;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    rule: "AwsSolutions-CFR1",
    where: /^Edge\/Distribution\//,
    reason: "Where the clients of a service are, nobody but its operator knows.",
  },
  {
    rule: "AwsSolutions-CFR3",
    where: /^Edge\/Distribution\//,
    reason:
      "The functions' logs tell route, status and viewer of each call; CloudFront's would hold paths and queries as well.",
  },
  {
    rule: "AwsSolutions-APIG4",
    where: /\/(GET|HEAD|POST|PUT|PATCH|DELETE) --|\/HttpApi\/DefaultRoute\//,
    reason: "Each function checks the credentials itself, as the interface asks for four kinds of them.",
  },
  {
    rule: "AwsSolutions-IAM4",
    where: /\/Releases\/Role\//,
    reason: "AWS keeps this policy for what CodeDeploy does with functions, and nothing else.",
  },
  {
    rule: "AwsSolutions-IAM4",
    where: /^Backups\/Plan\/Tables\/Role\//,
    reason: "AWS keeps this policy for what AWS Backup does with tables and other resources.",
  },
  {
    rule: "AwsSolutions-SMG4",
    where: /\/SigningSecret\//,
    reason: "A new secret ends all sessions of the warehouse, so the operator chooses when.",
  },
  {
    rule: "AwsSolutions-SMG4",
    where: /\/Monitor\/Secret\//,
    reason: "It holds the key of an account, which operators rotate by their command.",
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
    where: /^Jobs\/[\w-]+\/Rule\//,
    reason: "The next run does the work of one that is lost, and an alarm watches for it.",
  },
  {
    rule: "Serverless-LambdaAsyncFailureDestination",
    where: /^Jobs\/[\w-]+\/Function\/EventInvokeConfig\//,
    reason: "The next run does the work of one that failed, and an alarm watches for it.",
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

/** What a rule found wrong with a resource. */
export interface Violation {
  readonly rule: string;
  readonly path: string;
  readonly description: string;
}

export const isOf = ({ rule, where }: Exception, found: Violation): boolean =>
  found.rule === rule && where.test(found.path);

/** All that the packs find in an app. */
export const violationsOf = (scope: IConstruct): readonly Violation[] =>
  [new AwsSolutionsChecks(scope), new ServerlessChecks(scope)].flatMap((pack) =>
    pack.validateScope(scope).violations.flatMap(({ ruleName, violatingResources, description }) =>
      violatingResources.map((one) => ({
        rule: ruleName.replace(/\[.*$/, "").replace(/^.*::/, ""),
        path: one.constructPath ?? one.resourceLogicalId ?? "",
        description,
      })),
    ),
  );

/** What is found, without what an exception explains. */
export const unexplained = (found: readonly Violation[]): readonly Violation[] =>
  found.filter((one) => !exceptions.some((exception) => isOf(exception, one)));

/**
 * What cfn-lint says of the templates of a cloud assembly: nothing, where all is well. Undefined where it is
 * not installed.
 */
export function cfnLint(assembly: string): string | undefined {
  const { stdout, stderr, status, error } = spawnSync(process.env["CFN_LINT"] ?? "cfn-lint", [
    // The CDK states a dependency on each role and its policy; on the role it would not have to. And the
    // API's address is an output of the stack above the API's own.
    "--ignore-checks",
    "W3005",
    "W6001",
    "--regions",
    "eu-west-1",
    "--template",
    join(assembly, "*.template.json"),
  ]);
  // Shells, and what stands in for a command, say by 127 that there is none.
  if (error !== undefined || status === 127) return undefined;
  return `${stdout}${stderr}${status === 0 ? "" : `status ${status}`}`;
}
