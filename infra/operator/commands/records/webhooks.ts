/** The commands that look at webhooks and their deliveries. */
import * as z from "zod/mini";
import { endpoint as listDeliveries } from "../../../../functions/oms/webhooks/list-deliveries.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { readSecrets } from "../../../../shared/webhooks/secret-repository.ts";
import { signingVersions } from "../../../../shared/webhooks/webhook.ts";
import { allWebhooks, type WebhookState } from "../../../../shared/webhooks/webhook-repository.ts";
import { presentWebhook } from "../../../../shared/webhooks/webhook-view.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { id, number, optional } from "../../cli/fields.ts";
import { listed, whole } from "../../cli/result.ts";
import { unlessUnreadable } from "../../unreadable.ts";
import { answerOf } from "./answers.ts";

/** The maximum of the API, also for events. */
export const most = number(z.int().check(z.gte(1), z.lte(100)), "from 1 to 100");

export const limitOption = { "--limit <number>": "maximum number, 1 to 100 (default: 20)" };

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

/** Whether it has a secret to sign with, which can be read. Without one, its events wait. */
export async function hasSecret(db: Database, { webhook }: WebhookState): Promise<boolean> {
  const versions = signingVersions(webhook.secrets, new Date().toISOString()).map(({ version }) => version);
  const secrets = await unlessUnreadable(() => readSecrets(db, webhook.webhook_id, versions));
  return secrets !== "unclear" && secrets.length > 0;
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
    about: ["With --json, a webhook has all of its fields."],
    options: { "--account <id>": "only those of this account" },
    examples: ["webhooks list", "webhooks list --account 100 --json"],
    values: z.object({ account: optional(id) }),
    run: async ({ db }, { account }) => {
      const found = (await webhooksIn(db)).map(presentWebhook);
      return listed(
        found.filter(({ account_id }) => account === undefined || account_id === account),
        "There are no webhooks.",
        ["webhook_id", "account_id", "url", "types", "active", "failing_since", "handed_over"],
      );
    },
  }),
  defineCommand({
    words: "webhooks show <webhook>",
    summary: "Shows a webhook, without its secrets, and how far it is",
    about: [
      "While `has_secret` is false, nothing is sent, as nothing can be signed: have the account rotate the secret.",
    ],
    examples: ["webhooks show 1"],
    values: z.object({ webhook: id }),
    run: async ({ db }, { webhook }) => {
      const found = await webhookOf(db, webhook);
      return whole({ ...presentWebhook(found), has_secret: await hasSecret(db, found) });
    },
  }),
  defineCommand({
    words: "webhooks deliveries <webhook>",
    summary:
      "Lists the deliveries of a webhook, the latest first: attempts, the next one, and what the receiver said",
    about: ["With --json, a delivery has all of its fields."],
    options: limitOption,
    examples: ["webhooks deliveries 1", "webhooks deliveries 1 --limit 100 --json"],
    values: z.object({ webhook: id, limit: optional(most) }),
    run: async ({ db }, { webhook, limit = 20 }) => {
      const { account_id } = (await webhookOf(db, webhook)).webhook;
      const sent = { params: { webhook_id: String(webhook) }, query: { limit: String(limit) } };
      const { data } = await answerOf(db, account_id, listDeliveries, sent);
      return listed(data, "There are no deliveries.", [
        ...["sequence", "event_type", "status", "attempts", "next_attempt_at", "response_code", "error"],
      ]);
    },
  }),
];
