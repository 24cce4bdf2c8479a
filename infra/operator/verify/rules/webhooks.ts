/**
 * Compares what is stored of webhooks with the settings of their accounts: their number and ids, their
 * progress, and their secrets, of which only the keys are read.
 */
import * as z from "zod/mini";
import { feedHeadLookup, feedHeadOf } from "../../../../shared/events/feed-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { keyIn } from "../../../../shared/store/dynamodb/keys.ts";
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
  signingVersions,
  type Webhook,
  webhook,
} from "../../../../shared/webhooks/webhook.ts";
import {
  countLookup,
  countWebhooks,
  idsLookup,
  insertProgress,
  restartSending,
  webhookLookup,
  webhookProgressLookup,
  webhooksCounted,
  webhooksOf,
} from "../../../../shared/webhooks/webhook-repository.ts";
import { comparison, type FirstPass } from "../comparator.ts";
import { isInScope, missing, restoreIt, unreadableItem, type Verification } from "../finding.ts";
import {
  acceptable,
  type Fault,
  type Inspection,
  manual,
  nothingWrong,
  repairable,
  type Suspect,
} from "../inspection.ts";
import { idInPartition } from "../reading.ts";

const table = "webhooks";
const settings = { table, kind: "webhook" } as const;

type WebhookId = Pick<Webhook, "account_id" | "webhook_id">;

const webhookRecord = (id: number) => ({ kind: "webhook", id });

/**
 * Every webhook is inspected: the table of feeds is too large to be read with its attributes.
 * All accounts share the counter of ids, and only the settings of all accounts show that a webhook is gone.
 */
export function webhooksCheck(verification: Verification): FirstPass<Suspect> {
  const isAll = verification.accountId === undefined;
  const isVerified = (item: RawItem) => isInScope(verification, idInPartition(item));
  const leftoversOf = (table: Lookup["table"], kind: string) => ({
    table,
    kind,
    facts: (item: RawItem) => [
      {
        needs: webhookRecord(idInPartition(item)),
        subject: leftover(verification, { table, key: keyIn(item) }),
      },
    ],
  });
  const count = (id: number, by: number) => ({
    sum: `webhooks of account ${id}`,
    by,
    subject: countOf(verification, id),
  });
  let lastId = 0;
  return comparison({
    ofItems: [
      {
        ...settings,
        isVerified,
        facts: (item) => {
          const { account_id, webhook_id } = z.parse(webhook, item);
          const id = { account_id, webhook_id };
          const inspect = () => inspectWebhook(verification, id);
          return [count(account_id, 1), { suspect: { title: webhookTitle(id), inspect } }];
        },
      },
      {
        table,
        kind: "webhook-count",
        isVerified,
        facts: (item) => [count(idInPartition(item), -z.parse(webhooksCounted, item).webhooks)],
      },
      {
        // An unreadable webhook has its id, too.
        ...settings,
        facts: ({ sk }) => {
          lastId = Math.max(lastId, Number(sk));
          return [{ has: webhookRecord(Number(sk)) }];
        },
      },
      ...(isAll ? [leftoversOf(table, "webhook-progress")] : []),
      ...(isAll ? [{ ...leftoversOf(secretsTable, "webhook"), keysOnly: true } as const] : []),
    ],
    found: () => (isAll ? [idsUpTo(verification, lastId)] : []),
  });
}

/** Sets a counter, unless it changed meanwhile. */
const setCounter = (counter: Lookup, before: number | undefined, after: number): Write =>
  setOrInsert(counter, before, { webhooks: after }, [{ attribute: "webhooks", equals: before ?? 0 }]);

/** The number of an account's webhooks. */
function countOf({ db }: Verification, accountId: number): Suspect {
  const record = `webhooks of account ${accountId}`;
  const inspect = async (): Promise<Inspection> => {
    const before = await countWebhooks(db, accountId);
    const ids = (await webhooksOf(db, accountId)).map(({ webhook_id }) => webhook_id);
    const [actual, expected] = [before ?? 0, ids.length];
    if (actual === expected) return nothingWrong;
    const difference = { record, what: "their number", actual, expected };
    const write = setCounter(countLookup(accountId), before, expected);
    // A count that is too high may be all that is left of a webhook's account.
    const fault =
      actual < expected ? repairable(difference, write) : acceptable(difference, restoreWebhook, write);
    return { state: [actual, ids], faults: [fault] };
  };
  return { title: record, inspect };
}

/** The counter of ids. An id that is in use could not be given to a new webhook. */
function idsUpTo({ db }: Verification, last: number): Suspect {
  const record = "ids of webhooks";
  const inspect = async (): Promise<Inspection> => {
    const before = parsed(webhooksCounted, await getItem(db, idsLookup))?.webhooks;
    const actual = before ?? 0;
    if (actual >= last) return nothingWrong;
    const what = "the last one that was given";
    const difference = { record, what, actual, expected: `${last} or more` };
    return { state: actual, faults: [repairable(difference, setCounter(idsLookup, before, last))] };
  };
  return { title: record, inspect };
}

const rotateSecret = "have the account rotate the secret";

const webhookTitle = ({ account_id, webhook_id }: WebhookId): string =>
  `webhook ${webhook_id} of account ${account_id}`;

/** A webhook has progress, which is not ahead of its account's feed, and the secrets that it signs with. */
async function inspectWebhook(
  { db }: Verification,
  { account_id, webhook_id }: WebhookId,
): Promise<Inspection> {
  const now = new Date().toISOString();
  const lookup = webhookLookup(account_id, webhook_id);
  const find = await getItems(db, [lookup, webhookProgressLookup(webhook_id)]);
  const own = parsed(webhook, find(lookup));
  if (own === undefined) return nothingWrong;
  const reached = parsed(progress, find(webhookProgressLookup(webhook_id)));
  const versions = signingVersions(own.secrets, now).map(({ version }) => version);
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

const restoreWebhook = "restore the webhook from a backup";

/**
 * Progress and secrets are stored and removed with their webhook. Without it they are kept: they could not be
 * recovered if the webhook is restored. Two passes have found no settings of it, and ids are never reused.
 */
function leftover({ db }: Verification, place: Lookup) {
  const record = `webhook ${idInPartition({ ...place.key })}`;
  const differenceOf = (what: string) => ({
    record,
    what,
    actual: "kept of a webhook that is not there",
    expected: "not there",
  });
  const inspect = async (): Promise<Inspection> => {
    if (place.table === secretsTable) {
      const isThere = (await findSecrets(db, [place]))(place);
      const next = `${restoreWebhook}, or remove the secret`;
      return isThere ? { state: "a secret", faults: [manual(differenceOf("a secret"), next)] } : nothingWrong;
    }
    const item = await getItem(db, place);
    if (item === undefined) return nothingWrong;
    const { success, data } = z.safeParse(progress, item);
    if (!success) return { state: item, faults: [manual(unreadableItem(record, place.key), restoreIt)] };
    const removal = removalOf(place, { attribute: "touched", equals: data.touched });
    const fault = acceptable(differenceOf("how far it has come"), restoreWebhook, removal);
    return { state: data.touched, faults: [fault] };
  };
  return { place, title: record, inspect };
}
