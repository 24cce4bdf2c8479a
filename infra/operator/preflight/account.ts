/** Checks of the AWS account and region that do not depend on the settings. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetParameterCommand, ParameterNotFound, SSMClient } from "@aws-sdk/client-ssm";
import * as z from "zod/mini";
import { defaultAssembly } from "../../paths.ts";
import { type Check, error, type Judgment, ok, type PlannedDeployment, warning } from "./check.ts";

/** Parameter with the version of the CDK bootstrap, under the default qualifier, which the stacks use. */
const versionParameter = "/cdk-bootstrap/hnb659fds/version";

/** The version that file assets require. It applies until the stacks are synthesized. */
const minBootstrap = 6;

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      properties: z.optional(z.looseObject({ requiresBootstrapStackVersion: z.optional(z.number()) })),
    }),
  ),
});

function requiredBootstrap(assembly = defaultAssembly): number {
  const file = join(assembly, "manifest.json");
  if (!existsSync(file)) return minBootstrap;
  const { artifacts } = z.parse(manifest, JSON.parse(readFileSync(file, "utf8")));
  const stated = Object.values(artifacts).map(({ properties }) => properties?.requiresBootstrapStackVersion);
  return Math.max(minBootstrap, ...stated.map((version) => version ?? 0));
}

/** @param found the bootstrap version of the region; undefined if the region is not bootstrapped */
export function judgeBootstrap(
  found: number | undefined,
  required: number,
  { account, region }: Pick<PlannedDeployment, "account" | "region">,
): Judgment {
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  if (found === undefined) return error(`The CDK bootstrap is missing in ${region}.`, command);
  if (found < required)
    return error(
      `The CDK bootstrap in ${region} has version ${found}; the stacks need ${required}.`,
      command,
    );
  return ok(`The CDK bootstrap in ${region} has version ${found}.`);
}

async function bootstrapIn(region: string): Promise<number | undefined> {
  try {
    const { Parameter } = await new SSMClient({ region }).send(
      new GetParameterCommand({ Name: versionParameter }),
    );
    return Number(Parameter?.Value);
  } catch (failure) {
    if (failure instanceof ParameterNotFound) return undefined;
    throw failure;
  }
}

/** The regions of a deployment's stacks. The firewall of CloudFront must be in us-east-1. */
export const regionsOf = ({
  region,
  settings: { firewall },
}: Pick<PlannedDeployment, "region" | "settings">) => [
  ...new Set(firewall === undefined ? [region] : [region, "us-east-1"]),
];

export const bootstrap: Check = async (target) => {
  const required = requiredBootstrap();
  return Promise.all(
    regionsOf(target).map(async (region) =>
      judgeBootstrap(await bootstrapIn(region), required, { ...target, region }),
    ),
  );
};

/** Fewer concurrent executions are too few for a deployment: workers alone can use 65. */
const minConcurrency = 100;

const recommendedConcurrency = 1_000;

const quotaRequest = (region: string): string =>
  `aws service-quotas request-service-quota-increase --region ${region} --service-code lambda --quota-code L-B99A9384 --desired-value ${recommendedConcurrency}`;

export function judgeConcurrency(executions: number, region: string): Judgment {
  const text = `The account is limited to ${executions} concurrent executions in ${region}`;
  if (executions < minConcurrency)
    return error(
      `${text}; at least ${minConcurrency} are required, because workers and long-polling requests could use all of them.`,
      quotaRequest(region),
    );
  if (executions < recommendedConcurrency)
    return warning(`${text}; a production deployment needs ${recommendedConcurrency}.`, quotaRequest(region));
  return ok(`${text}.`);
}

export const concurrency: Check = async ({ region }) => {
  const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand());
  return [judgeConcurrency(AccountLimit?.ConcurrentExecutions ?? 0, region)];
};

/** The tables of a deployment with replicas must be deployed from their home region. */
export function judgeRegion({
  region,
  settings: { replicas },
}: Pick<PlannedDeployment, "region" | "settings">): Judgment {
  if (replicas === undefined || replicas.home === region) return ok(`The region is ${region}.`);
  return error(
    `The region is ${region}, but the setting replicas names ${replicas.home} as home.`,
    `export AWS_REGION=${replicas.home}`,
  );
}

export const place: Check = async (target) => [ok(`The account is ${target.account}.`), judgeRegion(target)];
