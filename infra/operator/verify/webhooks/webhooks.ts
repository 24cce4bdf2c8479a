/**
 * Holds what is kept of webhooks against what their accounts have set: the number of an account's webhooks, how far each
 * has come, and its secrets. The table `webhooks` is read once, and of secrets their keys alone.
 */

import { type Change, stale } from "../../../../shared/store/dynamodb/writes.ts";
import { newProgress, type Webhook } from "../../../../shared/webhooks/webhook.ts";
import {
  countWebhooks,
  insertProgress,
  restartSending,
  webhooksOf,
} from "../../../../shared/webhooks/webhook-repository.ts";
import type { Verification } from "../finding.ts";
import {
  type Fault,
  type Inspection,
  inspectTwice,
  manual,
  repairable,
  unlessUnreadable,
} from "../inspection.ts";
import { verifyDeliveries } from "./deliveries.ts";
import {
  lastWebhookId,
  readWebhookBooks,
  setCount,
  setLastWebhookId,
  unchangedWebhook,
  type WebhookBooks,
  type WebhookId,
} from "./webhook-books.ts";
import { readWebhooks, type StoredWebhooks, verifyLeftovers } from "./webhook-items.ts";

/** Verifies webhooks, and repairs what follows from their settings where that is asked for. */
export async function verifyWebhooks(verification: Verification): Promise<void> {
  const stored = await readWebhooks(verification);
  if (verification.accountId === undefined) await verifyIds(verification, stored);
  await verifyCounts(verification, stored);
  await verifyEach(verification, [...stored.settings.values()]);
  if (verification.accountId === undefined) await verifyLeftovers(verification, stored);
  await verifyDeliveries(verification, stored);
}

/** An id that is given twice would be refused: nobody could create a webhook. */
async function verifyIds(verification: Verification, { known }: StoredWebhooks): Promise<void> {
  const { db } = verification;
  const expected = [...known].reduce((last, id) => Math.max(last, id), 0);
  const record = "ids of webhooks";
  await inspectTwice(
    verification,
    [expected],
    async () => {
      const actual = await lastWebhookId(db);
      const difference = {
        record,
        what: "the last one that was given",
        actual: actual ?? 0,
        expected: `${expected} or more`,
      };
      const isRight = (actual ?? 0) >= expected;
      return {
        state: actual ?? 0,
        faults: isRight ? [] : [repairable(difference, setLastWebhookId(actual, expected))],
      };
    },
    () => record,
  );
}

async function verifyCounts(verification: Verification, { accounts }: StoredWebhooks): Promise<void> {
  const { db } = verification;
  const titleOf = (accountId: number) => `webhooks of account ${accountId}`;
  await inspectTwice(
    verification,
    [...accounts],
    async (accountId) => {
      const actual = await countWebhooks(db, accountId);
      const ids = (await webhooksOf(db, accountId)).map(({ webhook_id }) => webhook_id);
      const difference = {
        record: titleOf(accountId),
        what: "their number",
        actual: actual ?? 0,
        expected: ids.length,
      };
      const isRight = (actual ?? 0) === ids.length;
      const faults = isRight ? [] : [repairable(difference, setCount(accountId, actual, ids.length))];
      return { state: [actual ?? 0, ids], faults };
    },
    titleOf,
  );
}

const titleOf = ({ account_id, webhook_id }: WebhookId): string =>
  `webhook ${webhook_id} of account ${account_id}`;

/** Webhooks looked at together: their items fit one batch. */
const together = 50;

/** Looks at many webhooks at once, and again at each that seems wrong or can't be read. */
async function verifyEach(verification: Verification, webhooks: readonly Webhook[]): Promise<void> {
  const { db } = verification;
  const suspects: Webhook[] = [];
  for (let start = 0; start < webhooks.length; start += together) {
    const some = webhooks.slice(start, start + together);
    const booksOf = await readWebhookBooks(db, some);
    for (const one of some) {
      const seen = await unlessUnreadable(async () => seenOf(booksOf(one)));
      if (typeof seen === "string" || seen.faults.length > 0) suspects.push(one);
    }
  }
  await inspectTwice(
    verification,
    suspects,
    async (one) => seenOf((await readWebhookBooks(db, [one]))(one)),
    titleOf,
  );
}

function seenOf(books: WebhookBooks | undefined): Inspection {
  if (books === undefined) return { state: "gone", faults: [] };
  const { settings, progress, feed, lostSecrets } = books;
  const isAhead = progress !== undefined && progress.cursor > feed.sequence;
  return {
    state: [
      settings.version,
      progress === undefined,
      lostSecrets,
      isAhead && [progress.revision, feed.sequence],
    ],
    faults: faultsOf(books),
  };
}

function faultsOf({ settings, progress, feed, lostSecrets }: WebhookBooks): readonly Fault[] {
  const record = titleOf(settings);
  const { webhook_id } = settings;
  const now = new Date().toISOString();
  const { sequence } = feed;
  const lost = lostSecrets.map((version) =>
    manual({
      record,
      what: `its secret of version ${version}`,
      actual: "not there",
      expected: "there; have the account rotate it",
    }),
  );
  if (progress === undefined) {
    const difference = {
      record,
      what: "how far it has come",
      actual: "not there",
      expected: "known; it goes on from now",
    };
    const created = insertProgress(webhook_id, newProgress(sequence, now));
    return [repairable(difference, unchangedWebhook(settings), created), ...lost];
  }
  if (progress.cursor <= sequence) return lost;
  const difference = {
    record,
    what: "the last event that was handed over",
    actual: progress.cursor,
    expected: `at most ${sequence}, where the feed ends`,
  };
  // The account may have had its events sent again meanwhile.
  const when = [{ attribute: "revision", equals: progress.revision }] as const;
  const begun: Change = { ...restartSending(webhook_id, now, sequence), when, rejection: stale };
  return [repairable(difference, begun), ...lost];
}
