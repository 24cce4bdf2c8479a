/** `operator smoke`: whether a deployment works, tried out from end to end. */
import * as z from "zod/mini";
import { tableNames } from "../../../shared/store/tables.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { usualDeployment } from "../cli/connection.ts";
import { outputsOf } from "../cli/deployment.ts";
import { Usage } from "../cli/failures.ts";
import { flag, id, number, optional } from "../cli/fields.ts";
import type { Session } from "../cli/session.ts";
import { removeThrowAway } from "../smoke/removal.ts";
import { smoke as runSmoke, type SmokeReport } from "../smoke/smoke.ts";
import type { StepName } from "../smoke/steps.ts";
import { throwAwayIds } from "../smoke/throw-away.ts";

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
  remove: optional(id),
});

/** Where the service answers, unless the operator says so. */
async function urlOf({ place }: Session): Promise<string> {
  if (place.at === "local") return place.url;
  if (place.at === "tables")
    throw new Usage("Variables TABLE_… do not say where the service answers: add --url");
  const { deployment = usualDeployment } = place;
  const found = (await outputsOf(`${deployment}-stage`)).get("ApiUrl");
  if (found === undefined) throw new Usage(`The stack ${deployment}-stage has no output ApiUrl: add --url`);
  return found;
}

async function test(session: Session, asked: z.output<typeof values>): Promise<SmokeReport> {
  const { db, note, place, variables } = session;
  const { listen: port, receiver, events: hasEvents, skip, keep } = asked;
  const masterKey = variables[keyVariable];
  if (masterKey === undefined || masterKey === "")
    throw new Usage(`${keyVariable} must hold the warehouse's key, which operator master-key rotate prints`);
  return runSmoke({
    db,
    note,
    masterKey,
    hasEvents,
    keep,
    skipped: skip,
    url: asked.url ?? (await urlOf(session)),
    deployment: place.at === "aws" ? (place.deployment ?? usualDeployment) : undefined,
    receiver: port === undefined && receiver === undefined ? undefined : { url: receiver, port },
  });
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
      ],
      options: {
        "--url <url>": "where the service answers; by the outputs of the deployment without it",
        "--listen <port>": "receive the webhook at this port of this machine",
        "--receiver <url>": "the URL that the webhook is sent to",
        "--no-events": "the deployment has events=off",
        "--skip <steps...>": `do not take these steps: ${skippable.join(", ")}`,
        "--keep": "leave the account, to look at it",
        "--remove <account>": "do nothing but remove the account of an earlier test",
      },
      examples: [
        "smoke",
        "smoke --receiver https://hooks.example.com/smoke",
        "smoke --local --listen 4000",
        "smoke --remove 9000001",
      ],
      tables: [...tableNames],
      values,
      run: async (session, asked) => {
        if (asked.remove !== undefined) {
          await removeThrowAway(session.db, asked.remove, []);
          return { data: { account_id: asked.remove }, text: `Account ${asked.remove} is removed.` };
        }
        const report = await test(session, asked);
        const count = (state: string) => report.steps.filter((one) => one.state === state).length;
        const text = `Steps ok ${count("ok")}, failed ${count("failed")}, not checked ${count("not_checked")}.`;
        return { data: report, text, failed: count("failed") > 0 };
      },
    }),
  ],
};
