/** `operator smoke`: tests a deployment end to end. */

import * as z from "zod/mini";
import { type Settings, settingsIn } from "../../../settings.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { usualDeployment } from "../../cli/connection.ts";
import type { CommandContext } from "../../cli/context.ts";
import { outputsOf } from "../../cli/deployment.ts";
import { number, optional } from "../../cli/fields.ts";
import { Usage } from "../../cli/outcome.ts";
import { type CommandResult, reply } from "../../cli/result.ts";
import { contextOption, contextValues, statedSettings } from "../../preflight/stated-settings.ts";
import { noAccount } from "../../set-up/accounts.ts";
import { removeTestAccount } from "../../smoke/removal.ts";
import { smoke as runSmoke, type SmokeReport } from "../../smoke/smoke.ts";
import type { StepName } from "../../smoke/steps.ts";
import { isTestAccountId, testAccountIds } from "../../smoke/test-account.ts";

/** The variable with the warehouse's key. Options would be visible to other users of the machine. */
const keyVariable = "MASTER_KEY";

/** Steps that no other step depends on. */
const skippable: readonly StepName[] = [
  "events",
  "delivery",
  "sweeper",
  "schedules",
  "permissions",
  "metrics",
  "log-filters",
  "alarms",
];

const url = z.pipe(
  z.custom<unknown>(() => true),
  z.string("must be a URL").check(z.refine((text) => URL.canParse(text), "must be a URL")),
);

const skipped = z.pipe(
  z.array(z.string()),
  z.transform((names, context): ReadonlySet<StepName> => {
    const known = names.flatMap((name) => skippable.filter((one) => one === name));
    if (known.length < names.length)
      context.issues.push({ code: "custom", message: `must be among ${skippable.join(", ")}`, input: names });
    return new Set(known);
  }),
);

const values = z.object({
  url: z.optional(url),
  listen: optional(number(z.int().check(z.gte(1), z.lte(65_535)), "a port from 1 to 65535")),
  receiver: z.optional(url),
  skip: z._default(skipped, new Set<StepName>()),
  remove: optional(
    number(
      z.int().check(z.refine(isTestAccountId)),
      `the id of a smoke-test account: ${testAccountIds.first} to ${testAccountIds.last}`,
    ),
  ),
  context: contextValues,
});

type Values = z.output<typeof values>;

/** The settings of what is tested. The local runtime has the default settings. */
export function settingsAt({ target }: Pick<CommandContext, "target">, context: readonly string[]): Settings {
  if (target.at === "local") return settingsIn(() => undefined);
  const settings = statedSettings(context, target.deployment);
  // Without --deployment, every command works on the default deployment, whatever the settings say.
  if (target.deployment === undefined && settings.deployment !== usualDeployment)
    throw new Usage(
      `The settings name the deployment ${settings.deployment}: add --deployment ${settings.deployment}`,
    );
  return settings;
}

/**
 * The output with the URL for clients. API Gateway may refuse requests that bypass CloudFront (setting
 * `edge`).
 */
export const urlOutputOf = ({ deployment, edge }: Pick<Settings, "deployment" | "edge">) =>
  edge?.direct === "refused"
    ? { stack: `${deployment}-edge`, output: "EdgeUrl" }
    : { stack: `${deployment}-stage`, output: "ApiUrl" };

/** The URL of the service, unless the operator states it. */
async function urlOf({ target }: CommandContext, settings: Settings): Promise<string> {
  if (target.at === "local") return target.url;
  const { stack, output } = urlOutputOf(settings);
  const found = (await outputsOf(stack)).get(output);
  if (found === undefined) throw new Usage(`The stack ${stack} has no output ${output}: add --url`);
  return found;
}

async function test(command: CommandContext, asked: Values): Promise<SmokeReport> {
  const { target, variables } = command;
  // Only this process makes a dry run; the service stores what the test's calls create.
  if (command.dryRun) throw new Usage("--dry-run requires --remove: a smoke test stores what it creates");
  const { listen: port, receiver, skip } = asked;
  const masterKey = variables[keyVariable];
  if (masterKey === undefined || masterKey === "")
    throw new Usage(`${keyVariable} must hold the warehouse's key; operator master-key rotate creates one`);
  const settings = settingsAt(command, asked.context);
  return runSmoke({
    ...command,
    masterKey,
    hasEvents: settings.events === "on",
    eventsWindow: settings.eventsWindow,
    skipped: skip,
    url: asked.url ?? (await urlOf(command, settings)),
    deployment: target.at === "aws" ? settings.deployment : undefined,
    receiver: port === undefined && receiver === undefined ? undefined : { url: receiver, port },
  });
}

async function remove(
  command: CommandContext,
  accountId: number,
  { context }: Values,
): Promise<CommandResult> {
  const { db, note } = command;
  const { eventsWindow } = settingsAt(command, context);
  const isRemoved = await removeTestAccount(db, { accountId, jobs: [], eventsWindow, note });
  if (!isRemoved) throw noAccount(accountId);
  return reply(`Account ${accountId} ${command.dryRun ? "would be" : "is"} removed.`, {
    account_id: accountId,
  });
}

/** A summary. The steps have been printed one by one. */
export function textOf({ account_id, steps }: SmokeReport): string {
  const count = (state: string) => steps.filter((one) => one.state === state).length;
  return `Account ${account_id}: steps ok ${count("ok")}, failed ${count("failed")}, not checked ${count("not_checked")}.`;
}

export const smoke: Commands = [
  defineCommand({
    words: "smoke",
    summary:
      "Tests a deployment from a product's creation to an order's shipment, and removes what it created",
    about: [
      `The test creates an account with an id from ${testAccountIds.first} to ${testAccountIds.last}, a user and a bin. The variable`,
      `${keyVariable} must hold the warehouse's key. The test takes about two minutes, because the sweeper runs every minute.`,
      "The exit status is 5 if a step failed. Steps that can't run in this environment are reported as not checked.",
      "",
      "--listen receives the account's webhook at a local port, which a service on AWS reaches by the public https:// URL that",
      "--receiver states. The settings come from cdk.json and from the same options as for cdk deploy. --remove asks for",
      "confirmation, and refuses accounts that no smoke test created.",
    ],
    options: {
      "--url <url>": "URL of the service (default: from the deployment's outputs)",
      "--listen <port>": "local port that receives the webhook",
      "--receiver <url>": "URL that the webhook is sent to",
      "--skip <steps...>": `steps to skip: ${skippable.join(", ")}`,
      "--remove <account>": "only remove the account of an earlier test",
      ...contextOption,
    },
    examples: [
      "smoke",
      "smoke --receiver https://hooks.example.com/smoke",
      "smoke --local --listen 4000",
      "smoke --remove 9000001",
    ],
    values,
    changes: {
      if: ({ remove: accountId }) => accountId !== undefined,
      warning: ({ remove: accountId }) => `Account ${accountId} and all of its records will be deleted.`,
    },
    run: async (command, asked) => {
      if (asked.remove !== undefined) return remove(command, asked.remove, asked);
      const report = await test(command, asked);
      const isFailed = report.steps.some(({ state }) => state === "failed");
      return { data: report, text: textOf(report), ends: isFailed ? "findings" : undefined };
    },
  }),
];
