/**
 * Compares what is stored of webhooks with the settings of their accounts: their number and ids, their
 * progress, and their secrets, of which only the keys are read.
 */
import * as z from "zod/mini";
import { feedHeadLookup, feedHeadOf } from "../../../../shared/events/feed-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { type Key, keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import {
  getItem,
  getItems,
  type Lookup,
  parsed,
  type RawItem,
} from "../../../../shared/store/dynamodb/reads.ts";
import {
  type Change,
  removalOf,
  setOrInsert,
  stale,
  unchanged,
  type Write,
} from "../../../../shared/store/dynamodb/writes.ts";
import { secretLookup, secretsTable } from "../../../../shared/webhooks/secret-repository.ts";
import {
  newProgress,
  type Progress,
  progress,
  signingSecrets,
  type Webhook,
  webhook,
} from "../../../../shared/webhooks/webhook.ts";
import {
  countLookup,
  countWebhooks,
  idsLookup,
  insertProgress,
  progressLookup,
  restartSending,
  webhookLookup,
  webhooksCounted,
  webhooksOf,
} from "../../../../shared/webhooks/webhook-repository.ts";
import type { Fact } from "../comparator.ts";
import { isInScope, missing, restoreIt, unreadableItem, type Verification } from "../finding.ts";
import {
  type Check,
  checkOf,
  type Fault,
  type Inspection,
  kept,
  manual,
  nothingWrong,
  repairable,
} from "../inspection.ts";
import { idInPartition } from "../reading.ts";

const table = "webhooks";
const settings = { table, kind: "webhook" } as const;

type WebhookId = Pick<Webhook, "account_id" | "webhook_id">;

/** Reads the settings of the webhooks that are verified. */
export const settingsReader = <S>(
  verification: Verification,
  factsOf: (one: Webhook) => readonly Fact<S>[],
) => ({
  ...settings,
  isVerified: (item: RawItem) => isInScope(verification, idInPartition(item)),
  facts: (item: RawItem): readonly Fact<S>[] => factsOf(z.parse(webhook, item)),
});

/** Sets a counter, unless it changed meanwhile. */
const setCounter = (counter: Lookup, before: number | undefined, after: number): Write =>
  setOrInsert(counter, before, { webhooks: after }, [{ attribute: "webhooks", equals: before ?? 0 }]);

export function webhookCountsCheck(verification: Verification): Check {
  const { db } = verification;
  const titleOf = (accountId: number): string => `webhooks of account ${accountId}`;
  const countOf = (accountId: number, by: number) => ({ sum: titleOf(accountId), by, subject: accountId });
  const inspect = async (accountId: number): Promise<Inspection> => {
    const before = await countWebhooks(db, accountId);
    const ids = (await webhooksOf(db, accountId)).map(({ webhook_id }) => webhook_id);
    const [actual, expected] = [before ?? 0, ids.length];
    if (actual === expected) return nothingWrong;
    const difference = { record: titleOf(accountId), what: "their number", actual, expected };
    const write = setCounter(countLookup(accountId), before, expected);
    // A count that is too high may be all that is left of a webhook's account.
    const fault = actual < expected ? repairable(difference, write) : kept(difference, restoreWebhook, write);
    return { state: [actual, ids], faults: [fault] };
  };
  return checkOf<number>(verification, {
    ofItems: [
      settingsReader(verification, ({ account_id }) => [countOf(account_id, 1)]),
      {
        table,
        kind: "webhook-count",
        isVerified: (item: RawItem) => isInScope(verification, idInPartition(item)),
        facts: (item: RawItem) => [countOf(idInPartition(item), -z.parse(webhooksCounted, item).webhooks)],
      },
    ],
    inspect,
    titleOf,
  });
}

/** All accounts share the counter of ids. An unreadable webhook has its id, too. */
export function webhookIdsCheck(verification: Verification): Check {
  let last = 0;
  return checkOf<number>(verification, {
    ofItems: [
      {
        ...settings,
        facts: ({ sk }) => {
          last = Math.max(last, Number(sk));
          return [];
        },
      },
    ],
    found: () => (verification.accountId === undefined ? [last] : []),
    inspect: (id) => inspectIds(verification, id),
    titleOf: () => titleOfIds,
  });
}

/**
 * A webhook has progress, which is not ahead of its account's feed, and the secrets that it signs with. Every
 * webhook is inspected, because the table of feeds is too large to be read with its attributes.
 */
export const webhooksCheck = (verification: Verification): Check =>
  checkOf<WebhookId>(verification, {
    ofItems: [
      settingsReader(verification, ({ account_id, webhook_id }) => [{ suspect: { account_id, webhook_id } }]),
    ],
    inspect: (id) => inspectWebhook(verification, id),
    titleOf: webhookTitle,
  });

const titleOfIds = "ids of webhooks";

/** An id that is in use could not be given to a new webhook. */
async function inspectIds({ db }: Verification, last: number): Promise<Inspection> {
  const before = parsed(webhooksCounted, await getItem(db, idsLookup))?.webhooks;
  const actual = before ?? 0;
  if (actual >= last) return nothingWrong;
  const what = "the last one that was given";
  const difference = { record: titleOfIds, what, actual, expected: `${last} or more` };
  return { state: actual, faults: [repairable(difference, setCounter(idsLookup, before, last))] };
}

const rotateSecret = "have the account rotate the secret";

const webhookTitle = ({ account_id, webhook_id }: WebhookId): string =>
  `webhook ${webhook_id} of account ${account_id}`;

async function inspectWebhook(
  { db }: Verification,
  { account_id, webhook_id }: WebhookId,
): Promise<Inspection> {
  const now = new Date().toISOString();
  const place = webhookLookup(account_id, webhook_id);
  const find = await getItems(db, [place, progressLookup(webhook_id)]);
  const own = parsed(webhook, find(place));
  if (own === undefined) return nothingWrong;
  const reached = parsed(progress, find(progressLookup(webhook_id)));
  const versions = signingSecrets(own.secrets, now).map(({ version }) => version);
  const isThere = await findSecrets(
    db,
    versions.map((version) => secretLookup(webhook_id, version)),
  );
  // The feed is read last, so that the progress can't be ahead of it.
  const { sequence } = feedHeadOf(await getItem(db, feedHeadLookup(account_id)), now);
  const lost = versions.filter((version) => !isThere(secretLookup(webhook_id, version)));
  const isAhead = reached !== undefined && reached.cursor > sequence;
  return {
    state: [own.version, reached === undefined, lost, isAhead && [reached.revision, sequence]],
    faults: [
      ...faultsOfProgress(own, reached, sequence, now),
      ...lost.map((version) =>
        manual(missing(webhookTitle(own), `its secret of version ${version}`), rotateSecret),
      ),
    ],
  };
}

/**
 * Which of these secrets are stored. No secret has the attribute that is projected, so only keys are
 * returned.
 */
async function findSecrets(db: Database, secrets: readonly Lookup[]): Promise<(secret: Lookup) => boolean> {
  const find = await getItems(db, secrets, ["expires_at"]);
  return (secret) => find(secret) !== undefined;
}

function faultsOfProgress(
  own: Webhook,
  reached: Progress | undefined,
  sequence: number,
  now: string,
): readonly Fault[] {
  const record = webhookTitle(own);
  const { account_id, webhook_id, version } = own;
  if (reached === undefined) {
    const difference = missing(record, "how far it has come", "known; it goes on from now");
    const isUnchanged = unchanged(webhookLookup(account_id, webhook_id), { version });
    return [repairable(difference, isUnchanged, insertProgress(webhook_id, newProgress(sequence, now)))];
  }
  if (reached.cursor <= sequence) return [];
  const difference = {
    record,
    what: "the last event that was handed over",
    actual: reached.cursor,
    expected: `at most ${sequence}, where the feed ends`,
  };
  // The account may have restarted the sending meanwhile.
  const when = [{ attribute: "revision", equals: reached.revision }] as const;
  const restart: Change = { ...restartSending(webhook_id, now, sequence), when, rejection: stale };
  return [repairable(difference, restart)];
}

const webhookRecord = (id: number) => ({ kind: "webhook", id });

/**
 * Progress and secrets are stored and removed with their webhook. Without it they are kept: they could not be
 * recovered if the webhook is restored. Only the settings of all accounts show that a webhook is gone.
 */
export function webhookLeftoversCheck(verification: Verification): Check {
  const needsWebhook = (place: Lookup["table"]) => (item: RawItem) => [
    { needs: webhookRecord(idInPartition(item)), subject: { table: place, key: keyIn(item) } },
  ];
  return checkOf<Lookup>(verification, {
    ofItems:
      verification.accountId !== undefined
        ? []
        : [
            { ...settings, facts: ({ sk }: RawItem) => [{ has: webhookRecord(Number(sk)) }] },
            { table, kind: "webhook-progress", facts: needsWebhook(table) },
            { table: secretsTable, kind: "webhook", keysOnly: true, facts: needsWebhook(secretsTable) },
          ],
    inspect: (leftover) => inspectLeftover(verification, leftover),
    titleOf: ({ key }) => leftoverTitle(key),
  });
}

const restoreWebhook = "restore the webhook from a backup";

const leftoverTitle = (key: Key): string => `webhook ${idInPartition({ ...key })}`;

/** Two passes have found no settings of the webhook, and ids are never reused. */
async function inspectLeftover({ db }: Verification, leftover: Lookup): Promise<Inspection> {
  const record = leftoverTitle(leftover.key);
  const differenceOf = (what: string) => ({
    record,
    what,
    actual: "kept of a webhook that is not there",
    expected: "not there",
  });
  if (leftover.table === secretsTable) {
    const isThere = (await findSecrets(db, [leftover]))(leftover);
    const next = `${restoreWebhook}, or remove the secret`;
    return isThere ? { state: "a secret", faults: [manual(differenceOf("a secret"), next)] } : nothingWrong;
  }
  const item = await getItem(db, leftover);
  if (item === undefined) return nothingWrong;
  const { success, data } = z.safeParse(progress, item);
  if (!success) return { state: item, faults: [manual(unreadableItem(record, leftover.key), restoreIt)] };
  const removal = removalOf(leftover, { attribute: "touched", equals: data.touched });
  return {
    state: data.touched,
    faults: [kept(differenceOf("how far it has come"), restoreWebhook, removal)],
  };
}
