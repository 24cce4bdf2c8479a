/** Webhooks: what their accounts have set, and how far they have come. */

import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { notFound } from "../common/problem.ts";
import { changeOne } from "../store/dynamodb/change-one.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only, padded, storedKey } from "../store/dynamodb/keys.ts";
import { getItem, getItems, type Lookup, parsed, queryPages, queryRange } from "../store/dynamodb/reads.ts";
import { type Change, type Insert, stale, type Write } from "../store/dynamodb/writes.ts";
import { removeSecret } from "./secret-repository.ts";
import { healthy } from "./sending/health.ts";
import { maxWebhooks, type Progress, progress, type Webhook, webhook } from "./webhook.ts";

const table = "webhooks";

/** How the partitions begin that hold what accounts have set. The publisher is told of changes there alone. */
export const settingsPrefix = joined("webhook", "");

const settingsOf = (accountId: number): string => `${settingsPrefix}${accountId}`;

export const webhookLookup = (accountId: number, webhookId: number): Lookup => ({
  table,
  key: { pk: settingsOf(accountId), sk: padded(webhookId) },
});

export const progressLookup = (webhookId: number): Lookup => ({
  table,
  key: { pk: joined("webhook-progress", webhookId), sk: only },
});

/** Where it is counted how many ids were given to webhooks. */
export const idsLookup: Lookup = { table, key: { pk: "webhook-ids", sk: only } };

/** A number of webhooks: of an account, or of ids that were given. */
export const webhooksCounted = z.object({ webhooks: primitive.int });

export const countLookup = (accountId: number): Lookup => ({
  table,
  key: { pk: joined("webhook-count", accountId), sk: only },
});

/** A webhook, and how far it has come. */
export interface WebhookState {
  readonly webhook: Webhook;
  readonly progress: Progress;
}

/** The account's webhook with this id; undefined where it has none. */
export async function findWebhook(
  db: Database,
  accountId: number,
  webhookId: number,
): Promise<WebhookState | undefined> {
  const lookups = [webhookLookup(accountId, webhookId), progressLookup(webhookId)] as const;
  const find = await getItems(db, lookups);
  const [settings, own] = [parsed(webhook, find(lookups[0])), parsed(progress, find(lookups[1]))];
  return settings && own && { webhook: settings, progress: own };
}

/** The account's webhooks, by rising id. */
export const webhooksOf = async (db: Database, accountId: number): Promise<readonly Webhook[]> =>
  (await queryRange(db, { table, pk: settingsOf(accountId) })).map((item) => z.parse(webhook, item));

/** These webhooks with their progress. One that is deleted meanwhile is left out. */
export async function withProgress(
  db: Database,
  webhooks: readonly Webhook[],
): Promise<readonly WebhookState[]> {
  const find = await getItems(
    db,
    webhooks.map(({ webhook_id }) => progressLookup(webhook_id)),
  );
  return webhooks.flatMap((one) => {
    const own = parsed(progress, find(progressLookup(one.webhook_id)));
    return own === undefined ? [] : [{ webhook: one, progress: own }];
  });
}

/** Partitions of the index that the waking schedule reads, so that none of them gets all writes. */
const shards = 4;

const shardOf = (webhookId: number): string => `webhooks#${webhookId % shards}`;

/**
 * All webhooks of the deployment, some at a time. Those come first whose shard is the `first`, by the remainder. So runs that
 * end early leave out others each time.
 */
export async function* allWebhooks(
  db: Database,
  first: number,
): AsyncGenerator<readonly WebhookState[], void> {
  for (let shard = first; shard < first + shards; shard += 1) {
    for await (const entries of queryPages(db, { table, pk: shardOf(shard), index: "wakeable" }, 100)) {
      const lookups = entries.map((entry): Lookup => ({ table, key: z.parse(storedKey, entry) }));
      const find = await getItems(db, lookups);
      yield withProgress(
        db,
        lookups.flatMap((lookup) => parsed(webhook, find(lookup)) ?? []),
      );
    }
  }
}

/** An id that no webhook of the deployment has. One that is not put to use stays a hole. */
export async function nextWebhookId(db: Database): Promise<number> {
  const item = await changeOne(db, { kind: "count", ...idsLookup, add: { webhooks: 1 } });
  return z.parse(webhooksCounted, item).webhooks;
}

/** How many webhooks the account has; undefined where it never had one. */
export const countWebhooks = async (db: Database, accountId: number): Promise<number | undefined> =>
  parsed(webhooksCounted, await getItem(db, countLookup(accountId)))?.webhooks;

/** Stores a new webhook; stale where the account's number of webhooks is not `count` any more. */
export const insertWebhook = (
  { webhook: created, progress: own }: WebhookState,
  count: number | undefined,
): readonly Write[] => [
  countOneMore(created.account_id, count),
  {
    kind: "insert",
    table,
    item: {
      ...webhookLookup(created.account_id, created.webhook_id).key,
      ...created,
      wake_shard: shardOf(created.webhook_id),
    },
    rejection: stale,
  },
  insertProgress(created.webhook_id, own),
];

/** Gives a webhook progress. Stale where it has some by now. */
export const insertProgress = (webhookId: number, created: Progress): Insert => ({
  kind: "insert",
  table,
  item: { ...progressLookup(webhookId).key, ...created },
  rejection: stale,
});

function countOneMore(accountId: number, count: number | undefined): Insert | Change {
  const { key } = countLookup(accountId);
  return count === undefined
    ? { kind: "insert", table, item: { ...key, webhooks: 1 }, rejection: stale }
    : {
        kind: "change",
        table,
        key,
        add: { webhooks: 1 },
        when: [{ attribute: "webhooks", atMost: maxWebhooks - 1 }],
        rejection: stale,
      };
}

/** Stores what an account or the service has changed of a webhook; stale where another change came between. */
export function saveWebhook(before: Webhook, changed: Partial<Webhook>, now: string): Change {
  const { account_id, webhook_id, version } = before;
  return {
    kind: "change",
    ...webhookLookup(account_id, webhook_id),
    set: { ...changed, version: version + 1, updated_at: now },
    when: [{ attribute: "version", equals: version }],
    rejection: stale,
  };
}

/** Deletes a webhook with its secrets. What is known of its deliveries is forgotten in time. */
export const removeWebhook = ({ account_id, webhook_id, version, secrets }: Webhook): readonly Write[] => [
  { kind: "count", ...countLookup(account_id), add: { webhooks: -1 } },
  {
    kind: "removal",
    ...webhookLookup(account_id, webhook_id),
    when: [{ attribute: "version", equals: version }],
    rejection: stale,
  },
  { kind: "removal", ...progressLookup(webhook_id), when: [], rejection: stale },
  ...secrets.map((secret) => removeSecret(webhook_id, secret.version)),
];

const isThere = { attribute: "pk", is: "present" } as const;
const gone = () => notFound("The webhook was deleted meanwhile");

/** Has the sender look once more, also where it looks just now. */
export const requestRun = (webhookId: number): Change => ({
  kind: "change",
  ...progressLookup(webhookId),
  add: { touched: 1 },
  when: [isThere],
  rejection: gone,
});

/** Has the sending begin anew: with another receiver, or at another place of the feed. */
export const restartSending = (webhookId: number, now: string, cursor?: number): Change => ({
  ...requestRun(webhookId),
  set: { ...(cursor === undefined ? healthy : { cursor }), begun_at: now },
  add: { touched: 1, revision: 1 },
});
