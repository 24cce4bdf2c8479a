/** `operator preflight`: what would keep a deployment from succeeding. */
import * as z from "zod/mini";
import cdk from "../../../cdk.json" with { type: "json" };
import { type Settings, settingNames, settingsIn } from "../../settings.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { Usage } from "../cli/failures.ts";
import type { Session } from "../cli/session.ts";
import type { Finding, Severity } from "../preflight/finding.ts";
import { preflight as check } from "../preflight/preflight.ts";

/** A setting as the CDK's command line takes it. */
const setting = z.string().check(z.refine((text) => /^[^=]+=/.test(text), "must be name=value"));

const values = z.object({ context: z._default(z.array(setting), []) });

/** The settings that `cdk deploy` would have with the same options. @throws Usage if one makes no sense */
function settingsWith(stated: readonly string[], { place }: Session): Settings {
  if (place.at !== "aws")
    throw new Usage("This command looks at AWS: run it without --local and variables TABLE_…");
  const options = new Map<string, unknown>(
    stated.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)] as const),
  );
  if (place.deployment !== undefined) options.set("deployment", place.deployment);
  const unknown = [...options.keys()].find((name) => !settingNames.includes(name));
  if (unknown !== undefined)
    throw new Usage(`There is no setting ${unknown}; there are ${settingNames.join(", ")}`);
  const context = new Map<string, unknown>([...Object.entries(cdk.context), ...options]);
  try {
    return settingsIn((name) => context.get(name));
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}

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
      options: { "-c, --context <settings...>": "settings as cdk takes them: name=value" },
      examples: ["preflight", "preflight -c deployment=trial -c backups=daily", "preflight --json"],
      tables: [],
      values,
      run: async (session, { context }) => {
        const findings = await check(settingsWith(context, session));
        const failed = findings.some(({ severity }) => severity === "error");
        const outcome = failed
          ? "Mend the errors before you deploy."
          : "Nothing keeps a deployment from succeeding.";
        return { data: findings, text: [...findings.map(lineOf), outcome].join("\n"), failed };
      },
    }),
  ],
};
