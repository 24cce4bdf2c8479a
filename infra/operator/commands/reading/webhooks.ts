/** The commands that look at webhooks, their deliveries and the feeds of events. */
import * as z from "zod/mini";
import { endpoint as listEvents } from "../../../../functions/oms/events/list-events.ts";
import { endpoint as listDeliveries } from "../../../../functions/oms/webhooks/list-deliveries.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { allWebhooks, type WebhookState } from "../../../../shared/webhooks/webhook-repository.ts";
import { presentWebhook } from "../../../../shared/webhooks/webhook-view.ts";
import { readAccounts } from "../../accounts.ts";
import { listed, whole } from "../../cli/answer.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { id, number, optional, text } from "../../cli/fields.ts";
import { answerOf } from "./answers.ts";

/** The maximum of the API. */
const most = number(z.int().check(z.gte(1), z.lte(100)), "from 1 to 100");

const limitOption = { "--limit <number>": "maximum number, 1 to 100 (default: 20)" };

/** The webhooks of all accounts. One that can't be read is left out; `data verify` reports it. */
export async function webhooksIn(db: Database): Promise<readonly WebhookState[]> {
  const found: WebhookState[] = [];
  for await (const page of allWebhooks(db, 0))
    for (const { read } of page)
      try {
        found.push(...[read()].filter((one) => one !== undefined));
      } catch {}
  return found.toSorted((left, right) => left.webhook.webhook_id - right.webhook.webhook_id);
}

/** @throws Problem `not_found` */
async function webhookOf(db: Database, webhookId: number): Promise<WebhookState> {
  const found = (await webhooksIn(db)).find(({ webhook }) => webhook.webhook_id === webhookId);
  if (found === undefined) throw notFound(`There is no webhook ${webhookId}`);
  return found;
}

export const webhooks: Commands = [
  defineCommand({
    words: "webhooks list",
    summary: "Lists the webhooks of all accounts, or of one",
    options: { "--account <id>": "only those of this account" },
    examples: ["webhooks list", "webhooks list --account 100 --json"],
    tables: ["webhooks"],
    values: z.object({ account: optional(id) }),
    run: async ({ db }, { account }) => {
      const found = (await webhooksIn(db)).map(presentWebhook);
      return listed(
        found.filter(({ account_id }) => account === undefined || account_id === account),
        "There are no webhooks.",
      );
    },
  }),
  defineCommand({
    words: "webhooks show <webhook>",
    summary: "Shows a webhook, without its secrets, and how far it is",
    examples: ["webhooks show 1"],
    tables: ["webhooks"],
    values: z.object({ webhook: id }),
    run: async ({ db }, { webhook }) => whole(presentWebhook(await webhookOf(db, webhook))),
  }),
  defineCommand({
    words: "webhooks deliveries <webhook>",
    summary:
      "Lists the deliveries of a webhook, the latest first: attempts, the next one, and what the receiver said",
    options: limitOption,
    examples: ["webhooks deliveries 1", "webhooks deliveries 1 --limit 100 --json"],
    tables: ["identity", "webhooks"],
    values: z.object({ webhook: id, limit: optional(most) }),
    run: async ({ db }, { webhook, limit = 20 }) => {
      const { account_id } = (await webhookOf(db, webhook)).webhook;
      const sent = { params: { webhook_id: String(webhook) }, query: { limit: String(limit) } };
      const { data } = await answerOf(db, account_id, listDeliveries, sent);
      return listed(data, "There are no deliveries.");
    },
  }),
];

export const lookingAtEvents: Commands = [
  defineCommand({
    words: "events list <account>",
    summary: "Lists the events of an account, the newest first, without their data",
    options: {
      ...limitOption,
      "--subject <kind:id>": "only events of this record, such as order:1003",
      "--types <types>": "only events of these types, with commas between",
    },
    examples: ["events list 100", "events list 100 --subject order:1003 --json"],
    tables: ["identity", "events"],
    values: z.object({
      account: id,
      limit: optional(most),
      subject: optional(text),
      types: optional(text),
    }),
    run: async ({ db }, { account, limit = 20, subject, types }) => {
      const query = {
        limit: String(limit),
        ...(subject === undefined ? { order: "desc" } : { subject }),
        ...(types && { types }),
      };
      const { data } = await answerOf(db, account, listEvents, { query });
      const rows = data.map(({ sequence, type, occurred_at, subject: record, by }) => ({
        ...{ sequence, type, occurred_at, subject: `${record.kind}:${record.id}`, by },
      }));
      return listed(rows, "There are no events.");
    },
  }),
  defineCommand({
    words: "events lag",
    summary: "Shows how far the feeds and webhooks of all accounts are behind",
    about: ["The command scans the table of accounts and registries. It requires dynamodb:Scan."],
    examples: ["events lag", "events lag --json"],
    tables: ["identity", "events", "webhooks"],
    values: z.object({}),
    run: async ({ db }) => {
      const states = await webhooksIn(db);
      const rows: object[] = [];
      for (const { account_id } of await readAccounts(db)) {
        const { feed } = await answerOf(db, account_id, listEvents, { query: { order: "desc", limit: "1" } });
        const behind = states
          .filter(({ webhook }) => webhook.account_id === account_id)
          .map(({ webhook: { webhook_id }, progress }) => `${webhook_id}: ${feed.latest - progress.cursor}`);
        const { latest, lag_seconds } = feed;
        rows.push({ account_id, latest, lag_seconds, events_that_webhooks_are_behind: behind.join(", ") });
      }
      return listed(rows, "There are no accounts.");
    },
  }),
];
