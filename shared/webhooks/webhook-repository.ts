/** Stores webhooks: their settings and their progress. */

import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { notFound } from "../common/problem.ts";
import { nextVersion } from "../common/versioned.ts";
import { changeOne } from "../store/dynamodb/change-one.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { firstUnassignedId } from "../store/dynamodb/dry-run.ts";
import { joined, type Key, padded, storedKey } from "../store/dynamodb/keys.ts";
import {
  aloneAt,
  type FindItem,
  getItem,
  getItems,
  type Lookup,
  parsed,
  queryPages,
  queryRange,
} from "../store/dynamodb/reads.ts";
import {
  type Change,
  exists,
  type Insert,
  insertOf,
  type RecordWrites,
  removalOf,
  type Write,
} from "../store/dynamodb/writes.ts";
import { partitionsOf } from "../store/partitions.ts";
import { removeSecret } from "./secret-repository.ts";
import { healthy } from "./sending/health.ts";
import { maxWebhooks, type Progress, progress, type Webhook, webhook } from "./webhook.ts";

const table = "webhooks";

/** The key prefix of settings. Only their changes emit events; changes of progress do not. */
export const settingsPrefix = joined("webhook", "");

const settingsOf = (accountId: number): string => `${settingsPrefix}${accountId}`;

export const webhookLookup = (accountId: number, webhookId: number): Lookup => ({
  table,
  key: { pk: settingsOf(accountId), sk: padded(webhookId) },
});

export const webhookProgressLookup = (webhookId: number): Lookup =>
  aloneAt(table, "webhook-progress", webhookId);

export const idsLookup = aloneAt(table, "webhook-ids");

/** A counter: of an account's webhooks, or of allocated ids. */
export const webhooksCounted = z.object({ webhooks: primitive.int });

export const countLookup = (accountId: number): Lookup => aloneAt(table, "webhook-count", accountId);

export interface WebhookState {
  readonly webhook: Webhook;
  readonly progress: Progress;
}

export async function findWebhook(
  db: Database,
  accountId: number,
  webhookId: number,
): Promise<WebhookState | undefined> {
  const lookup = webhookLookup(accountId, webhookId);
  return stateIn(await getItems(db, [lookup, webhookProgressLookup(webhookId)]), lookup);
}

/**
 * The webhook with these settings among items that were read.
 * @throws if it is unreadable
 */
function stateIn(find: FindItem, settingsLookup: Lookup): WebhookState | undefined {
  const settings = parsed(webhook, find(settingsLookup));
  const found = parsed(progress, find(webhookProgressLookup(Number(settingsLookup.key.sk))));
  return settings && found && { webhook: settings, progress: found };
}

export const webhooksOf = async (db: Database, accountId: number): Promise<readonly Webhook[]> =>
  (await queryRange(db, { table, pk: settingsOf(accountId) })).map((item) => z.parse(webhook, item));

/** These webhooks with their progress, without those that have been deleted since. */
export async function withProgress(
  db: Database,
  webhooks: readonly Webhook[],
): Promise<readonly WebhookState[]> {
  const find = await getItems(
    db,
    webhooks.map(({ webhook_id }) => webhookProgressLookup(webhook_id)),
  );
  return webhooks.flatMap((one) => {
    const found = parsed(progress, find(webhookProgressLookup(one.webhook_id)));
    return found === undefined ? [] : [{ webhook: one, progress: found }];
  });
}

/** Partitions of the index that the schedule reads. */
const wakeablePartitions = partitionsOf("webhooks", 4);

/** A webhook of the deployment. */
export interface ListedWebhook {
  readonly key: Key;
  /** Its state; undefined if it was deleted. @throws if it is unreadable */
  readonly read: () => WebhookState | undefined;
}

/**
 * Reads page by page, from partition `first` on (modulo their number), so that runs that end early skip
 * different webhooks each time.
 */
export async function* allWebhooks(
  db: Database,
  first: number,
): AsyncGenerator<readonly ListedWebhook[], void> {
  for (const pk of wakeablePartitions.all(first)) {
    for await (const entries of queryPages(db, { table, pk, index: "wakeable" }, 100)) {
      const lookups = entries.map((entry): Lookup => ({ table, key: z.parse(storedKey, entry) }));
      const progresses = lookups.map(({ key }) => webhookProgressLookup(Number(key.sk)));
      const find = await getItems(db, [...lookups, ...progresses]);
      yield lookups.map((lookup) => ({ key: lookup.key, read: () => stateIn(find, lookup) }));
    }
  }
}

/** Unused ids leave gaps, which are harmless. A dry run allocates none. */
export async function nextWebhookId(db: Database): Promise<number> {
  if (db.dryRun !== undefined) return firstUnassignedId;
  const item = await changeOne(db, { kind: "count", ...idsLookup, add: { webhooks: 1 } });
  return z.parse(webhooksCounted, item).webhooks;
}

/** The number of the account's webhooks; undefined if it never had one. */
export const countWebhooks = async (db: Database, accountId: number): Promise<number | undefined> =>
  parsed(webhooksCounted, await getItem(db, countLookup(accountId)))?.webhooks;

/** Stale if the maximum is reached, or the account, which had none (`count` undefined), has one now. */
export const insertWebhook = (
  { webhook: created, progress: begun }: WebhookState,
  count: number | undefined,
): RecordWrites => [
  countOneMore(created.account_id, count),
  insertOf(webhookLookup(created.account_id, created.webhook_id), {
    ...created,
    wake_shard: wakeablePartitions.of(created.webhook_id),
  }),
  insertProgress(created.webhook_id, begun),
];

/** Inserts the progress of a webhook. Stale if it exists. */
export const insertProgress = (webhookId: number, created: Progress): Insert =>
  insertOf(webhookProgressLookup(webhookId), created);

function countOneMore(accountId: number, count: number | undefined): Insert | Change {
  const counter = countLookup(accountId);
  if (count === undefined) return insertOf(counter, { webhooks: 1 });
  const when = [{ attribute: "webhooks", atMost: maxWebhooks - 1 }];
  return { kind: "change", ...counter, add: { webhooks: 1 }, when };
}

/** Stores changed settings of a webhook as its next version. Stale if another change came first. */
export function saveWebhook(before: Webhook, changed: Partial<Webhook>, now: string): Change {
  const { version, updated_at } = nextVersion(before, changed, now);
  return setInWebhook(before, { ...changed, version, updated_at });
}

/** Removes secrets that no longer sign, which no client sees. Stale if another change came first. */
export const keepSecrets = (webhook: Webhook, secrets: Webhook["secrets"]): Change =>
  setInWebhook(webhook, { secrets });

const setInWebhook = ({ account_id, webhook_id, version }: Webhook, set: Partial<Webhook>): Change => ({
  kind: "change",
  ...webhookLookup(account_id, webhook_id),
  set,
  when: [{ attribute: "version", equals: version }],
});

/** Deletes a webhook with its secrets. Its deliveries expire by their time to live. */
export const removeWebhook = ({ account_id, webhook_id, version, secrets }: Webhook): readonly Write[] => [
  { kind: "count", ...countLookup(account_id), add: { webhooks: -1 } },
  removalOf(webhookLookup(account_id, webhook_id), { attribute: "version", equals: version }),
  removalOf(webhookProgressLookup(webhook_id)),
  ...secrets.map((secret) => removeSecret(webhook_id, secret.version)),
];

const gone = () => notFound("The webhook was deleted meanwhile");

/** Makes the sender check the webhook again, even if it is processing it now. */
export const requestRun = (webhookId: number): Change => ({
  kind: "change",
  ...webhookProgressLookup(webhookId),
  add: { touched: 1 },
  when: [exists],
  rejection: gone,
});

/** Restarts sending: with another receiver, or at another position in the feed. */
export const restartSending = (webhookId: number, now: string, cursor?: number): Change => ({
  ...requestRun(webhookId),
  set: { ...(cursor === undefined ? healthy : { cursor }), begun_at: now },
  add: { touched: 1, revision: 1 },
});
