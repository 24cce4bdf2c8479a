/** `operator smoke`: whether a deployment works, tried out from end to end. */
import * as z from "zod/mini";
import { tableNames } from "../../../shared/store/tables.ts";
import { type Settings, settingsIn } from "../../settings.ts";
import { type Answer, reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { usualDeployment } from "../cli/connection.ts";
import { outputsOf } from "../cli/deployment.ts";
import { Usage } from "../cli/failures.ts";
import { flag, number, optional } from "../cli/fields.ts";
import type { Session } from "../cli/session.ts";
import { contextOption, contextValues, statedSettings } from "../preflight/stated-settings.ts";
import { removeThrowAway } from "../smoke/removal.ts";
import { smoke as runSmoke, type SmokeReport } from "../smoke/smoke.ts";
import type { StepName } from "../smoke/steps.ts";
import { isThrowAway, throwAwayIds } from "../smoke/throw-away.ts";

/** The variable that holds the warehouse's key. An option would show it to all users of the machine. */
const keyVariable = "MASTER_KEY";

/** Steps that no other builds on. */
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
  events: z._default(z.boolean(), true),
  skip: z._default(skipped, new Set<StepName>()),
  keep: flag,
  remove: optional(
    number(
      z.int().check(z.refine(isThrowAway)),
      `the id of a smoke-test account: ${throwAwayIds.first} to ${throwAwayIds.last}`,
    ),
  ),
  context: contextValues,
});

type Asked = z.output<typeof values>;

/** The settings of what is tested. What runs on this machine has those of no deployment. */
export function settingsAt({ place }: Pick<Session, "place">, context: readonly string[]): Settings {
  if (place.at === "local") return settingsIn(() => undefined);
  if (place.at === "tables") return statedSettings(context, undefined);
  const settings = statedSettings(context, place.deployment);
  // Every command works on the usual deployment if none is named, whatever the settings say.
  if (place.deployment === undefined && settings.deployment !== usualDeployment)
    throw new Usage(
      `The settings name the deployment ${settings.deployment}: add --deployment ${settings.deployment}`,
    );
  return settings;
}

/**
 * The output that says where clients reach a deployment. Around CloudFront, calls are refused unless `edge`
 * says otherwise.
 */
export const urlOutputOf = ({ deployment, edge }: Pick<Settings, "deployment" | "edge">) =>
  edge?.direct === "refused"
    ? { stack: `${deployment}-edge`, output: "EdgeUrl" }
    : { stack: `${deployment}-stage`, output: "ApiUrl" };

/** Where the service answers, unless the operator says so. */
async function urlOf({ place }: Session, settings: Settings): Promise<string> {
  if (place.at === "local") return place.url;
  if (place.at === "tables")
    throw new Usage("Variables TABLE_… do not say where the service answers: add --url");
  const { stack, output } = urlOutputOf(settings);
  const found = (await outputsOf(stack)).get(output);
  if (found === undefined) throw new Usage(`The stack ${stack} has no output ${output}: add --url`);
  return found;
}

async function test(session: Session, asked: Asked): Promise<SmokeReport> {
  const { db, note, place, variables } = session;
  const { listen: port, receiver, skip, keep } = asked;
  const masterKey = variables[keyVariable];
  if (masterKey === undefined || masterKey === "")
    throw new Usage(`${keyVariable} must hold the warehouse's key, which operator master-key rotate prints`);
  const settings = settingsAt(session, asked.context);
  return runSmoke({
    db,
    note,
    masterKey,
    keep,
    hasEvents: asked.events && settings.events === "on",
    eventsWindow: settings.eventsWindow,
    skipped: skip,
    url: asked.url ?? (await urlOf(session, settings)),
    deployment: place.at === "aws" ? settings.deployment : undefined,
    receiver: port === undefined && receiver === undefined ? undefined : { url: receiver, port },
  });
}

async function remove(session: Session, accountId: number, { context }: Asked): Promise<Answer> {
  const { db, note } = session;
  const { eventsWindow } = settingsAt(session, context);
  const isRemoved = await removeThrowAway(db, { accountId, jobs: [], eventsWindow, note });
  if (!isRemoved) throw new Usage(`There is no account ${accountId}`);
  return reply(`Account ${accountId} is removed.`, { account_id: accountId });
}

/** A report in one line. The steps were noted one by one. */
export function textOf({ account_id, steps }: SmokeReport): string {
  const count = (state: string) => steps.filter((one) => one.state === state).length;
  return `Account ${account_id}: steps ok ${count("ok")}, failed ${count("failed")}, not checked ${count("not_checked")}.`;
}

export const smoke: Noun = {
  name: "smoke",
  summary: "Whether a deployment works, tried out from end to end",
  commands: [
    defineCommand({
      words: "",
      summary:
        "Tries a deployment out, from a product's creation to an order's shipment, and removes what it made",
      about: [
        `It works in an account of its own, with an id from ${throwAwayIds.first} to ${throwAwayIds.last}, and with a user and`,
        `a bin of its own. The variable ${keyVariable} must hold the warehouse's key. It takes about two minutes, since the`,
        "sweeper runs every minute. The status is 1 if a step failed; steps that can't be taken here count as not checked.",
        "",
        "--listen receives the account's webhook at a port of this machine. The service must reach it: by --receiver, a public",
        "https:// URL that leads there, or on this machine. --receiver alone names a receiver that you look at yourself.",
        "",
        "It takes the settings from cdk.json and from the same options as cdk: whether there are events, how long they may take,",
        "and whether calls come through CloudFront. --remove asks first, and removes no account that a customer may have.",
      ],
      options: {
        "--url <url>": "where the service answers; by the outputs of the deployment without it",
        "--listen <port>": "receive the webhook at this port of this machine",
        "--receiver <url>": "the URL that the webhook is sent to",
        "--no-events": "expect no events, as with the setting events=off",
        "--skip <steps...>": `do not take these steps: ${skippable.join(", ")}`,
        "--keep": "leave the account, to look at it",
        "--remove <account>": "do nothing but remove the account of an earlier test",
        ...contextOption,
      },
      examples: [
        "smoke",
        "smoke --receiver https://hooks.example.com/smoke",
        "smoke --local --listen 4000",
        "smoke --remove 9000001",
      ],
      tables: [...tableNames],
      values,
      confirms: ({ remove: accountId }) =>
        accountId === undefined
          ? undefined
          : `Account ${accountId} and all of its records will be deleted. Go on?`,
      run: async (session, asked) => {
        if (asked.remove !== undefined) return remove(session, asked.remove, asked);
        const report = await test(session, asked);
        const failed = report.steps.some(({ state }) => state === "failed");
        return { data: report, text: textOf(report), failed };
      },
    }),
  ],
};
