/** The items of webhooks as they are stored, and those that are of no webhook. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { scanPages } from "../../../../shared/store/dynamodb/scan.ts";
import { type Delivery, delivery } from "../../../../shared/webhooks/delivery.ts";
import { waitingEntry } from "../../../../shared/webhooks/delivery-repository.ts";
import { secretsTable } from "../../../../shared/webhooks/secret-repository.ts";
import { progress, type Webhook, webhook } from "../../../../shared/webhooks/webhook.ts";
import { progressLookup } from "../../../../shared/webhooks/webhook-repository.ts";
import { isMeant, reportUnreadable, type Verification } from "../finding.ts";
import { manual, repairable, reportAndRepair } from "../inspection.ts";
import { keyIn, readTables } from "../reading.ts";
import { removeProgress, webhookIdIn } from "./webhook-books.ts";

/** What the table `webhooks` holds. Of deliveries those alone are kept here that wait. */
export interface StoredWebhooks {
  readonly settings: Map<number, Webhook>;
  /** Webhooks of any account that have settings, readable or not. */
  readonly known: Set<number>;
  /** Accounts that have webhooks, or a number of them. */
  readonly accounts: Set<number>;
  /** The webhooks whose progress is kept. */
  readonly progress: Set<number>;
  readonly waiting: Delivery[];
  readonly entries: Key[];
}

const table = "webhooks";

/** Reads the table once. An item that can't be read is reported. */
export async function readWebhooks(verification: Verification): Promise<StoredWebhooks> {
  const found: StoredWebhooks = {
    settings: new Map(),
    known: new Set(),
    accounts: new Set(),
    progress: new Set(),
    waiting: [],
    entries: [],
  };
  const readable = <T>(schema: z.ZodMiniType<T>, item: Readonly<Record<string, unknown>>): T | undefined => {
    const { success, data } = z.safeParse(schema, item);
    if (!success) reportUnreadable(verification, `table ${table}`, keyIn(item));
    return data;
  };
  await readTables(
    verification,
    [table],
    [
      {
        table,
        kind: "webhook",
        read: (item) => {
          found.known.add(Number(item["sk"]));
          const settings = readable(webhook, item);
          if (settings === undefined || !isMeant(verification, settings.account_id)) return;
          found.settings.set(settings.webhook_id, settings);
          found.accounts.add(settings.account_id);
        },
      },
      {
        table,
        kind: "webhook-count",
        read: (item) => {
          const account = webhookIdIn(item);
          if (isMeant(verification, account)) found.accounts.add(account);
        },
      },
      { table, kind: "webhook-progress", read: (item) => void found.progress.add(webhookIdIn(item)) },
      {
        table,
        kind: "webhook-deliveries",
        read: (item) => {
          const one = readable(delivery, item);
          if (one?.status === "waiting") found.waiting.push(one);
        },
      },
      {
        table,
        kind: "webhook-waiting",
        read: (item) => {
          if (readable(waitingEntry, item) !== undefined) found.entries.push(keyIn(item));
        },
      },
    ],
  );
  return found;
}

/**
 * Finds progress and secrets of webhooks that are gone. They were stored together with the webhook, and go with it. A
 * secret is left to people: nothing brings it back, should the webhook be restored.
 */
export async function verifyLeftovers(
  verification: Verification,
  { known, progress: withProgress }: StoredWebhooks,
): Promise<void> {
  const { db, settle } = verification;
  const secrets: Key[] = [];
  for await (const items of scanPages(db, { table: secretsTable, keysOnly: true }))
    secrets.push(...items.map(keyIn));
  const lostProgress = [...withProgress].filter((id) => !known.has(id));
  const lostSecrets = secrets.filter((key) => !known.has(webhookIdIn(key)));
  if (lostProgress.length === 0 && lostSecrets.length === 0) return;
  await sleep(settle);
  const now = await readWebhooks({ ...verification, report: () => undefined });
  for (const id of lostProgress.filter((one) => !now.known.has(one))) await settleProgress(verification, id);
  for (const key of lostSecrets.filter((one) => !now.known.has(webhookIdIn(one))))
    await reportAndRepair(verification, [manual(leftover(webhookIdIn(key), "a secret"))]);
}

/** Progress that a sender changes meanwhile, or that can't be read, is left as it is. */
async function settleProgress(verification: Verification, id: number): Promise<void> {
  const { table, key } = progressLookup(id);
  const item = await getItem(verification.db, { table, key });
  if (item === undefined) return;
  const { success, data } = z.safeParse(progress, item);
  if (!success) return reportUnreadable(verification, `webhook ${id}`, key);
  const difference = leftover(id, "how far it has come");
  if (!(await reportAndRepair(verification, [repairable(difference, removeProgress(id, data))])))
    verification.report({ kind: "inconclusive", record: difference.record, why: "busy" });
}

const leftover = (webhookId: number, what: string) => ({
  record: `webhook ${webhookId}`,
  what,
  actual: "kept of a webhook that is not there",
  expected: "not there",
});
