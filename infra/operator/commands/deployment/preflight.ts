/** `operator preflight`: finds what would make a deployment fail. */

import * as z from "zod/mini";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { Usage } from "../../cli/outcome.ts";
import type { PreflightFinding } from "../../preflight/check.ts";
import { preflight as check } from "../../preflight/preflight.ts";
import { contextOption, contextValues, statedSettings } from "../../preflight/stated-settings.ts";

const values = z.object({ context: contextValues });

function lineOf({ check: name, severity, text, what_to_do }: PreflightFinding): string {
  const word = severity === "error" ? "ERROR" : severity;
  const next = what_to_do === null ? "" : `\n${" ".repeat(9)}${what_to_do}`;
  return `${word.padEnd(9)}${name}: ${text}${next}`;
}

export const preflight: Commands = [
  defineCommand({
    words: "preflight",
    summary: "Checks the AWS account and the settings before a deployment",
    about: [
      "Preflight changes nothing, and works before the first deployment. The settings come from cdk.json and from the same",
      "options as for cdk deploy. It checks credentials and region, the CDK bootstrap, Lambda's concurrency, stacks that a",
      "failed deployment left stuck, and tables, secrets and vaults that belong to no stack. If the settings use them, it also",
      "checks certificates, AWS Backup and CloudFront. Each finding says what to do. The exit status is 5 if there is an error.",
      "A check without permission is a warning.",
    ],
    options: contextOption,
    examples: ["preflight", "preflight -c deployment=trial -c backups=daily", "preflight --json"],
    needsNoTables: true,
    values,
    run: async ({ target }, { context }) => {
      if (target.at !== "aws") throw new Usage("Preflight checks AWS: run it without --local");
      const findings = await check(statedSettings(context, target.deployment));
      const isFailed = findings.some(({ severity }) => severity === "error");
      const outcome = isFailed ? "Fix the errors before you deploy." : "Preflight found no errors.";
      return {
        data: findings,
        text: [...findings.map(lineOf), outcome].join("\n"),
        ends: isFailed ? "findings" : undefined,
      };
    },
  }),
];
