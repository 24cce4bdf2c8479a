/** All checks before a deployment. */
import type { Settings } from "../../settings.ts";
import { bootstrap, callerOf, concurrency, place } from "./account.ts";
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

/** Makes all checks, one after another. @throws Usage if the shell has no credentials or no region */
export async function preflight(settings: Settings): Promise<readonly Finding[]> {
  const target = { ...(await callerOf()), settings };
  const findings: Finding[] = [];
  for (const check of checks) {
    const found = await check.run(target).catch((failure: unknown) => [unchecked(check, failure)]);
    findings.push(...found.map((one) => ({ check: check.name, ...one })));
  }
  return findings;
}
