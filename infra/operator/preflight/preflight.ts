/**
 * Preflight: checks of the AWS account and the settings before a deployment. Each check queries AWS in `run`
 * and judges the response in a pure function, which unit tests call. It changes nothing. A check that fails
 * is reported as a warning.
 */
import type { Settings } from "../../settings.ts";
import { callerOf } from "../cli/identity.ts";
import { bootstrap, concurrency, place } from "./account.ts";
import { type Check, type Finding, unchecked } from "./finding.ts";
import { leftovers } from "./leftovers.ts";
import { alarmMail, backups, certificates, cloudFront } from "./settings.ts";
import { stacks } from "./stacks.ts";

const checks: readonly Check[] = [
  place,
  bootstrap,
  concurrency,
  stacks,
  leftovers,
  certificates,
  backups,
  cloudFront,
  alarmMail,
];

/** Runs all checks in order. @throws Unreachable if the credentials or the region are missing or invalid */
export async function preflight(settings: Settings): Promise<readonly Finding[]> {
  const target = { ...(await callerOf()), settings };
  const findings: Finding[] = [];
  for (const check of checks) {
    const found = await check.run(target).catch((failure: unknown) => [unchecked(failure)]);
    findings.push(...found.map((one) => ({ check: check.name, ...one })));
  }
  return findings;
}
