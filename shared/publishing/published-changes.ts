/**
 * Finds out which changes are published. A batch of the feed has an entry for each record that its events are
 * about. The entry lists the record's changes in the batch, and the time of their publication. So the entries
 * of a record are searched from the newest backwards, until they are older than the change.
 *
 * The entries of a record are searched only for a change that is older than what the instance remembers of
 * the feed (`feed-memory.ts`).
 */

import * as z from "zod/mini";
import { forEachConcurrently } from "../common/concurrency.ts";
import * as primitive from "../common/primitives.ts";
import { digestOf } from "../common/strings.ts";
import { clockSkewMs } from "../common/times.ts";
import { eventIdOf } from "../events/event.ts";
import { subjectPartition } from "../events/feed-repository.ts";
import type { ChangeReference, EventDraft } from "../events/kind.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { type FeedMemories, memoryAt, type ReadHead } from "./feed-memory.ts";
import { newestFirst } from "./newest-first.ts";

/** A change that may be published already. */
export interface SoughtChange extends ChangeReference {
  /** Its events or one of them: all of them are stored together. */
  readonly drafts: readonly Pick<EventDraft, "type">[];
  /** When the change was made, ISO 8601 UTC. A time that is too early only costs reads. */
  readonly changed_at: string;
}

/** Characters of a change's digest in an entry. Few, because write units depend on the entry's size. */
const nameLength = 16;

const nameOf = (source: string): string => digestOf(source).slice(0, nameLength);

const entry = z.object({
  /** A time after the feed's head was read and before the batch was stored, ISO 8601 UTC. */
  published_at: primitive.time,
  changes: z.array(primitive.text),
});

/** The entries to store for these changes, each with the partition of its record. */
export const publishedEntries = (
  accountId: number,
  changes: readonly ChangeReference[],
  published_at: string,
): readonly ({ readonly pk: string } & z.output<typeof entry>)[] =>
  [...bySubject(accountId, changes)].map(([pk, its]) => ({
    pk,
    published_at,
    changes: its.map(({ source }) => nameOf(source)),
  }));

const bySubject = <T extends ChangeReference>(accountId: number, changes: readonly T[]): Map<string, T[]> =>
  Map.groupBy(changes, ({ subject: { kind, id } }) => subjectPartition(accountId, kind, id));

/** The time (milliseconds since 1970) before which no batch with this change was published. */
const earliestOf = ({ changed_at }: SoughtChange): number => Date.parse(changed_at) - clockSkewMs;

/** Entries read by a first query. Most records have fewer, which takes a read unit or two. */
const firstEntries = 16;

/** Finds which of these changes are published. The result is valid until the head moves. */
export async function findPublished(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
  head: ReadHead,
  memories: FeedMemories,
): Promise<(source: string) => boolean> {
  const records = bySubject(accountId, changes);
  const sought = { earliest: Math.min(...changes.map(earliestOf)), records: records.size };
  const { knownFrom, seen } = await memoryAt(db, accountId, sought, head, memories);
  const isSeen = ({ source, drafts }: SoughtChange) =>
    drafts.some(({ type }) => seen.has(eventIdOf(source, type)));
  const names = new Set(changes.filter(isSeen).map(({ source }) => nameOf(source)));
  // A few at a time: each concurrent call opens a connection, which costs more than waiting.
  await forEachConcurrently(records, async ([pk, its]) => {
    const unknown = its.filter((one) => earliestOf(one) <= knownFrom && !names.has(nameOf(one.source)));
    if (unknown.length === 0) return;
    for (const name of await namesFound(db, pk, unknown)) names.add(name);
  });
  return (source) => names.has(nameOf(source));
}

/**
 * The changes that a record's entries list. An entry is dated later than all changes of its batch, and later
 * than the time at which all earlier batches were stored. So the search ends at an entry that is older than a
 * change: neither it nor an earlier one can list the change.
 */
async function namesFound(
  db: Database,
  pk: string,
  changes: readonly SoughtChange[],
): Promise<readonly string[]> {
  const since = new Date(Math.min(...changes.map(earliestOf))).toISOString();
  const missing = new Set(changes.map(({ source }) => nameOf(source)));
  const found: string[] = [];
  const all = { after: 0, until: Number.MAX_SAFE_INTEGER, size: firstEntries };
  for await (const item of newestFirst(db, pk, all)) {
    const { published_at, changes: names } = z.parse(entry, item);
    if (published_at < since) break;
    found.push(...names.filter((name) => missing.delete(name)));
    if (missing.size === 0) break;
  }
  return found;
}
