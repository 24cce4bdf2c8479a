/**
 * Preflight: checks of the AWS account and the settings before a deployment. Each check queries AWS, and
 * judges the response in a pure function, which unit tests call. Preflight changes nothing. A check that
 * fails is reported as a warning.
 */
import type { Settings } from "../../settings.ts";
import { callerOf } from "../cli/identity.ts";
import { bootstrap, concurrency, place } from "./account.ts";
import { type Check, type PreflightFinding, unchecked } from "./check.ts";
import { leftovers } from "./leftovers.ts";
import { backups, certificates, cloudFront } from "./settings.ts";
import { stacks } from "./stacks.ts";

const checks: Readonly<Record<string, Check>> = {
  "account and region": place,
  "CDK bootstrap": bootstrap,
  "Lambda concurrency": concurrency,
  stacks,
  leftovers,
  certificates,
  "AWS Backup": backups,
  CloudFront: cloudFront,
};

/** Runs all checks in order. @throws Unreachable if the credentials or the region are missing or invalid */
export async function preflight(settings: Settings): Promise<readonly PreflightFinding[]> {
  const target = { ...(await callerOf()), settings };
  const findings: PreflightFinding[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const found = await run(target).catch((failure: unknown) => [unchecked(failure)]);
    findings.push(...found.map((one) => ({ check, ...one })));
  }
  return findings;
}
