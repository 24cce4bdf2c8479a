/** Checks of the AWS account and its region, whatever is to be deployed there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetParameterCommand, ParameterNotFound, SSMClient } from "@aws-sdk/client-ssm";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import * as z from "zod/mini";
import { defaultAssembly } from "../../outputs.ts";
import { Usage } from "../cli/failures.ts";
import { type Check, error, type Found, ok, type Target, warning } from "./finding.ts";

/** Whose credentials the shell has, and for which region. @throws Usage if it has none */
export async function callerOf(): Promise<Pick<Target, "account" | "region">> {
  const client = new STSClient();
  try {
    const region = await client.config.region();
    const { Account: account } = await client.send(new GetCallerIdentityCommand());
    if (account === undefined) throw new Error("AWS names no account");
    return { account, region };
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new Usage(
      `The shell has no credentials that work, or no region: ${reason}\n` +
        "Set AWS_REGION, sign in (aws sso login), and see that aws sts get-caller-identity answers.",
    );
  } finally {
    client.destroy();
  }
}

/** Where the CDK's bootstrap notes its version. The stacks use the usual qualifier. */
const versionParameter = "/cdk-bootstrap/hnb659fds/version";

/** The version that assets as files need, for templates that are not synthesized yet. */
const usualBootstrap = 6;

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      properties: z.optional(z.looseObject({ requiresBootstrapStackVersion: z.optional(z.number()) })),
    }),
  ),
});

/** The version of the bootstrap that the synthesized stacks need. */
function requiredBootstrap(assembly = defaultAssembly): number {
  const file = join(assembly, "manifest.json");
  if (!existsSync(file)) return usualBootstrap;
  const { artifacts } = z.parse(manifest, JSON.parse(readFileSync(file, "utf8")));
  const stated = Object.values(artifacts).map(({ properties }) => properties?.requiresBootstrapStackVersion);
  return Math.max(usualBootstrap, ...stated.map((version) => version ?? 0));
}

/** Judges the version of a region's bootstrap; undefined if there is none. */
export function judgeBootstrap(
  found: number | undefined,
  required: number,
  { account, region }: Pick<Target, "account" | "region">,
): Found {
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  if (found === undefined) return error(`The CDK's bootstrap is missing in ${region}.`, command);
  if (found < required)
    return error(
      `The CDK's bootstrap in ${region} is version ${found}; the stacks need ${required}.`,
      command,
    );
  return ok(`The CDK's bootstrap in ${region} is version ${found}.`);
}

async function bootstrapIn(region: string): Promise<number | undefined> {
  const client = new SSMClient({ region });
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: versionParameter }));
    return Number(Parameter?.Value);
  } catch (failure) {
    if (failure instanceof ParameterNotFound) return undefined;
    throw failure;
  } finally {
    client.destroy();
  }
}

/** The regions that a deployment has stacks in: a firewall for CloudFront lies in us-east-1. */
export const regionsOf = ({ region, settings: { firewall } }: Pick<Target, "region" | "settings">) => [
  ...new Set(firewall === undefined ? [region] : [region, "us-east-1"]),
];

export const bootstrap: Check = {
  name: "CDK bootstrap",
  needs: ["ssm:GetParameter"],
  run: async (target) => {
    const required = requiredBootstrap();
    return Promise.all(
      regionsOf(target).map(async (region) =>
        judgeBootstrap(await bootstrapIn(region), required, { ...target, region }),
      ),
    );
  },
};

/** Concurrent executions below which a deployment can't do its work: workers alone may take 65. */
const minConcurrency = 100;

/** Concurrent executions that a deployment in use needs. */
const usualConcurrency = 1_000;

/** The quota of concurrent executions, as Service Quotas names it. */
const request = (region: string): string =>
  `aws service-quotas request-service-quota-increase --region ${region} --service-code lambda --quota-code L-B99A9384 --desired-value ${usualConcurrency}`;

/** Judges how many functions of the account may run at the same time. */
export function judgeConcurrency(executions: number, region: string): Found {
  const text = `The account may run ${executions} functions at the same time in ${region}`;
  if (executions < minConcurrency)
    return error(
      `${text}; at least ${minConcurrency} are needed, because workers and readers that wait would take all of them.`,
      request(region),
    );
  if (executions < usualConcurrency)
    return warning(`${text}; a deployment in use needs ${usualConcurrency}.`, request(region));
  return ok(`${text}.`);
}

export const concurrency: Check = {
  name: "Lambda concurrency",
  needs: ["lambda:GetAccountSettings"],
  run: async ({ region }) => {
    const client = new LambdaClient({ region });
    try {
      const { AccountLimit } = await client.send(new GetAccountSettingsCommand());
      return [judgeConcurrency(AccountLimit?.ConcurrentExecutions ?? 0, region)];
    } finally {
      client.destroy();
    }
  },
};

/** Judges whether the credentials are for the region that tables with replicas call their home. */
export function judgeRegion({ region, settings: { replicas } }: Pick<Target, "region" | "settings">): Found {
  if (replicas === undefined || replicas.home === region) return ok(`The region is ${region}.`);
  return error(
    `The region is ${region}, but the setting replicas names ${replicas.home} as home.`,
    `export AWS_REGION=${replicas.home}`,
  );
}

export const place: Check = {
  name: "account and region",
  needs: ["sts:GetCallerIdentity"],
  run: async (target) => [ok(`The account is ${target.account}.`), judgeRegion(target)],
};
