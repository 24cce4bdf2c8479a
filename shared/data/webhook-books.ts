/** What is kept of webhooks beside what their accounts have set, for the checks of an operator. */
import {
  type Progress,
  progress,
  signingSecrets,
  type Webhook,
  webhook,
} from "../domain/webhooks/webhook.ts";
import type { Database } from "../store/database.ts";
import { getItem, getItems, type Lookup } from "../store/reads.ts";
import { type Change, type Removal, setOrInsert, stale, unchanged, type Write } from "../store/writes.ts";
import { type Head, readHead } from "./feed.ts";
import { parsed } from "./registries.ts";
import { secretLookup } from "./webhook-secrets.ts";
import { countLookup, idsLookup, progressLookup, webhookLookup, webhooksCounted } from "./webhooks.ts";

/** What is stored of a webhook that is there. Each part may lack where tables were restored. */
export interface WebhookBooks {
  readonly settings: Webhook;
  readonly progress: Progress | undefined;
  /** The feed that it sends. */
  readonly feed: Head;
  /** Versions of secrets that it signs with, and that are gone. */
  readonly lostSecrets: readonly number[];
}

/** Reads what is kept of a webhook, undefined where it is gone. Secrets are looked for, and not handed over. */
export async function readWebhookBooks(
  db: Database,
  accountId: number,
  webhookId: number,
): Promise<WebhookBooks | undefined> {
  const settings = parsed(webhook, await getItem(db, webhookLookup(accountId, webhookId)));
  if (settings === undefined) return undefined;
  const now = new Date().toISOString();
  const versions = signingSecrets(settings.secrets, now).map(({ version }) => version);
  const lookups = versions.map((version) => secretLookup(webhookId, version));
  const find = await getItems(db, lookups, ["expires_at"]);
  return {
    settings,
    progress: parsed(progress, await getItem(db, progressLookup(webhookId))),
    feed: await readHead(db, accountId, now),
    lostSecrets: versions.filter((version) => find(secretLookup(webhookId, version)) === undefined),
  };
}

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
  refusal: stale,
});

/** A premise that a webhook is as it was read. */
export const unchangedWebhook = ({ account_id, webhook_id, version }: Webhook): Change =>
  unchanged(webhookLookup(account_id, webhook_id), { version });

/** The id in a partition of one webhook: of its progress, deliveries or secrets. */
export const webhookIdIn = ({ pk }: { readonly pk?: unknown }): number => Number(String(pk).split("#")[1]);
