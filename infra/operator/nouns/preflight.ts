/** `operator preflight`: what would keep a deployment from succeeding. */
import * as z from "zod/mini";
import { defineCommand, type Noun } from "../cli/command.ts";
import { Usage } from "../cli/failures.ts";
import type { Finding, Severity } from "../preflight/finding.ts";
import { preflight as check } from "../preflight/preflight.ts";
import { contextOption, contextValues, statedSettings } from "../preflight/stated-settings.ts";

const values = z.object({ context: contextValues });

const words: Readonly<Record<Severity, string>> = {
  error: "ERROR",
  warning: "warning",
  note: "note",
  ok: "ok",
};

const lineOf = ({ check: name, severity, text, what_to_do }: Finding): string =>
  `${words[severity].padEnd(9)}${name}: ${text}${what_to_do === null ? "" : `\n${" ".repeat(9)}${what_to_do}`}`;

export const preflight: Noun = {
  name: "preflight",
  summary: "What would keep a deployment from succeeding",
  commands: [
    defineCommand({
      words: "",
      summary: "Checks the AWS account and the settings before a deployment, and changes nothing",
      about: [
        "It needs no deployed stack. It takes the settings from cdk.json and from the same options as cdk. It checks credentials",
        "and region, the CDK's bootstrap, Lambda's concurrency, stacks that a failed deployment left stuck, and tables, secrets",
        "and vaults that belong to no stack. Where settings ask for them, it checks certificates, AWS Backup and CloudFront.",
        "Each finding says what to do. The status is 1 if there is an error; what the credentials may not ask is a warning.",
      ],
      options: contextOption,
      examples: ["preflight", "preflight -c deployment=trial -c backups=daily", "preflight --json"],
      tables: [],
      values,
      run: async ({ place }, { context }) => {
        if (place.at !== "aws")
          throw new Usage("This command looks at AWS: run it without --local and variables TABLE_…");
        const findings = await check(statedSettings(context, place.deployment));
        const failed = findings.some(({ severity }) => severity === "error");
        const outcome = failed
          ? "Fix the errors before you deploy."
          : "Nothing keeps a deployment from succeeding.";
        return { data: findings, text: [...findings.map(lineOf), outcome].join("\n"), failed };
      },
    }),
  ],
};
