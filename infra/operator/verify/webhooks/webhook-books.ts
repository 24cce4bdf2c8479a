/** What is kept of webhooks beside what their accounts have set, for the checks of an operator. */

import { type FeedHead, feedHeadLookup, feedHeadOf } from "../../../../shared/events/feed-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import {
  type FindItem,
  getItem,
  getItems,
  type Lookup,
  parsed,
} from "../../../../shared/store/dynamodb/reads.ts";
import {
  type Change,
  type Removal,
  setOrInsert,
  stale,
  unchanged,
  type Write,
} from "../../../../shared/store/dynamodb/writes.ts";
import { secretLookup } from "../../../../shared/webhooks/secret-repository.ts";
import {
  type Progress,
  progress,
  signingSecrets,
  type Webhook,
  webhook,
} from "../../../../shared/webhooks/webhook.ts";
import {
  countLookup,
  idsLookup,
  progressLookup,
  webhookLookup,
  webhooksCounted,
} from "../../../../shared/webhooks/webhook-repository.ts";

/** What is stored of a webhook that is there. Each part may lack where tables were restored. */
export interface WebhookBooks {
  readonly settings: Webhook;
  readonly progress: Progress | undefined;
  /** The feed that it sends. */
  readonly feed: FeedHead;
  /** Versions of secrets that it signs with, and that are gone. */
  readonly lostSecrets: readonly number[];
}

/** Which webhook, and whose. */
export type WebhookId = Pick<Webhook, "account_id" | "webhook_id">;

/**
 * Reads what is kept of any number of webhooks in two round trips. Secrets are looked for, and not handed over. Answers
 * what tells of one of them, undefined where it is gone; it throws where an item of that one can't be read.
 */
export async function readWebhookBooks(
  db: Database,
  ids: readonly WebhookId[],
): Promise<(id: WebhookId) => WebhookBooks | undefined> {
  const now = new Date().toISOString();
  const stored = await getItems(db, ids.flatMap(ownLookups));
  const secrets = ids.flatMap((id) => {
    const settings = settingsIn(stored, id);
    return settings === undefined ? [] : secretsOf(settings, now).map(({ lookup }) => lookup);
  });
  const [found, heads] = await Promise.all([
    getItems(db, secrets, ["expires_at"]),
    // Behind the progress, which is never ahead of a feed that is read later.
    getItems(
      db,
      ids.map(({ account_id }) => feedHeadLookup(account_id)),
    ),
  ]);
  return (id) => {
    const settings = parsed(webhook, stored(settingsLookup(id)));
    if (settings === undefined) return undefined;
    return {
      settings,
      progress: parsed(progress, stored(progressLookup(id.webhook_id))),
      feed: feedHeadOf(heads(feedHeadLookup(id.account_id)), now),
      lostSecrets: secretsOf(settings, now)
        .filter(({ lookup }) => found(lookup) === undefined)
        .map(({ version }) => version),
    };
  };
}

/** A webhook's settings; undefined if they can't be read. */
function settingsIn(stored: FindItem, id: WebhookId): Webhook | undefined {
  try {
    return parsed(webhook, stored(settingsLookup(id)));
  } catch {
    return undefined;
  }
}

const settingsLookup = ({ account_id, webhook_id }: WebhookId): Lookup =>
  webhookLookup(account_id, webhook_id);

const ownLookups = (id: WebhookId): readonly Lookup[] => [settingsLookup(id), progressLookup(id.webhook_id)];

/** The secrets that a webhook signs with at a time (ISO 8601). */
const secretsOf = ({ webhook_id, secrets }: Webhook, now: string) =>
  signingSecrets(secrets, now).map(({ version }) => ({
    version,
    lookup: secretLookup(webhook_id, version),
  }));

/** The last id that was given to a webhook, by the counter of ids. */
export const lastWebhookId = async (db: Database): Promise<number | undefined> =>
  parsed(webhooksCounted, await getItem(db, idsLookup))?.webhooks;

/** Has a counter say another number. Stale where it changed meanwhile. */
const recounted = (counter: Lookup, before: number | undefined, after: number): Write =>
  setOrInsert(counter, before, { webhooks: after }, [{ attribute: "webhooks", equals: before ?? 0 }]);

export const setCount = (accountId: number, before: number | undefined, after: number): Write =>
  recounted(countLookup(accountId), before, after);

export const setLastWebhookId = (before: number | undefined, after: number): Write =>
  recounted(idsLookup, before, after);

/** Takes the progress of a webhook away that is gone. */
export const removeProgress = (webhookId: number, { touched }: Progress): Removal => ({
  kind: "removal",
  ...progressLookup(webhookId),
  when: [{ attribute: "touched", equals: touched }],
  rejection: stale,
});

/** A condition that a webhook is as it was read. */
export const unchangedWebhook = ({ account_id, webhook_id, version }: Webhook): Change =>
  unchanged(webhookLookup(account_id, webhook_id), { version });

/** The id in a partition of one webhook: of its progress, deliveries or secrets. */
export const webhookIdIn = ({ pk }: { readonly pk?: unknown }): number => Number(String(pk).split("#")[1]);
