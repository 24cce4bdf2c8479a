/**
 * Finds out which changes are published. A batch of the feed has an entry for each record that its events are
 * about. The entry lists the record's changes in the batch, and the time of their publication. So the entries
 * of a record are searched from the newest backwards, until they are older than the change.
 *
 * An instance remembers the events that it has read of an account's feed, and reads what is new of it. It
 * searches the entries of a record only for a change that is older than what it remembers.
 */

import * as z from "zod/mini";
import { forEachConcurrently } from "../common/concurrency.ts";
import * as primitive from "../common/primitives.ts";
import { digestOf } from "../common/strings.ts";
import { clockSkewMs } from "../common/times.ts";
import { event, eventIdOf } from "../events/event.ts";
import { feedBatchKey, publicationOf, storedBatch, subjectPartition } from "../events/feed-repository.ts";
import type { ChangeReference, EventDraft } from "../events/kind.ts";
import { decompress } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { padded } from "../store/dynamodb/keys.ts";
import { queryRange, type RawItem } from "../store/dynamodb/reads.ts";
import { isTemporary } from "../store/dynamodb/temporary.ts";

/** A change that may be published already. */
export interface SoughtChange extends ChangeReference {
  /** Its events, or one of them: all are stored together. */
  readonly drafts: readonly Pick<EventDraft, "type">[];
  /** When the change was made, ISO 8601 UTC. A time that is too early only costs reads. */
  readonly changed_at: string;
}

/** Characters of a change's digest in an entry: few, because write units depend on the entry's size. */
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

/** A batch of the feed: the number of events before it, when it was published, and its events' ids. */
interface PublishedBatch {
  readonly before: number;
  /** In milliseconds since 1970. */
  readonly published_at: number;
  readonly ids: readonly string[];
}

const identified = z.array(z.pick(event, { id: true, sequence: true }));

function publishedBatchOf(item: RawItem): PublishedBatch {
  const batch = z.parse(storedBatch, item);
  const events = z.parse(identified, decompress(batch.content));
  const before = (events[0]?.sequence ?? 1) - 1;
  return { before, published_at: publicationOf(batch), ids: events.map(({ id }) => id) };
}

/** The feed's head, and when it was read (ISO 8601). */
interface ReadHead {
  readonly sequence: number;
  readonly read_at: string;
}

/**
 * What an instance of the publisher knows of an account's feed: `seen` has every event up to the sequence
 * `readTo` that was published after `knownFrom`. So a change that can only have been published later
 * needs no search.
 */
interface FeedMemory {
  /** In milliseconds since 1970. */
  knownFrom: number;
  readTo: number;
  /** Events by their ids, oldest first, each with when its batch was published. */
  readonly seen: Map<string, number>;
}

/** What an instance knows of feeds, by their accounts. */
export type FeedMemories = Map<number, FeedMemory>;

/** Maximum events that an instance remembers of an account, and accounts. */
const [maxRemembered, maxAccounts] = [20_000, 200];

/**
 * Maximum batches to read for each record. To search the entries of a record takes a read unit, and so does a
 * batch; but what was read saves the search of later changes, too.
 */
const maxBatchesForRecord = 4;

/**
 * Entries and batches read by a first query, and the maximum for later queries. Most records have fewer
 * entries than the first query reads, which costs a unit or two. An entry takes at most 2 KB, so a query
 * stays below DynamoDB's 1 MB.
 */
const [firstEntries, firstBatches, maxPageSize] = [16, 8, 256];

/**
 * Brings the instance's memory up to a head. If the batches since the last one that it knows are too many, or
 * older than all of these changes, a new memory begins with the latest of them.
 */
async function memoryAt(
  db: Database,
  accountId: number,
  records: ReadonlyMap<string, readonly SoughtChange[]>,
  head: ReadHead,
  memories: FeedMemories,
): Promise<FeedMemory> {
  const known: FeedMemory = memories.get(accountId) ?? { knownFrom: 0, readTo: 0, seen: new Map() };
  if (head.sequence <= known.readTo) return known;
  const { batches, isWhole } = await batchesBetween(db, accountId, known.readTo, head.sequence, {
    earliest: Math.min(...[...records.values()].flat().map(earliestOf)),
    maxBatches: Math.max(firstBatches, maxBatchesForRecord * records.size),
  });
  const knownFrom = batches[0]?.published_at ?? Date.parse(head.read_at);
  const memory = isWhole ? known : { knownFrom, readTo: 0, seen: new Map<string, number>() };
  for (const { ids, published_at } of batches) for (const id of ids) memory.seen.set(id, published_at);
  memory.readTo = head.sequence;
  forgetOldest(memory);
  remember(memories, accountId, memory);
  return memory;
}

/** The latest batches of a feed after one sequence and up to another, oldest first; all if `isWhole`. */
async function batchesBetween(
  db: Database,
  accountId: number,
  after: number,
  until: number,
  { earliest, maxBatches }: { readonly earliest: number; readonly maxBatches: number },
): Promise<{ readonly batches: readonly PublishedBatch[]; readonly isWhole: boolean }> {
  const batches: PublishedBatch[] = [];
  const { pk } = feedBatchKey(accountId, 0);
  for await (const item of newestFirst(db, pk, { after, until, size: firstBatches })) {
    const batch = publishedBatchOf(item);
    batches.unshift(batch);
    if (batch.before <= after) return { batches, isWhole: true };
    if (batch.published_at < earliest || batches.length >= maxBatches) break;
  }
  return { batches, isWhole: false };
}

function forgetOldest(memory: FeedMemory): void {
  for (const [id, published_at] of memory.seen) {
    if (memory.seen.size <= maxRemembered) return;
    memory.seen.delete(id);
    memory.knownFrom = Math.max(memory.knownFrom, published_at);
  }
}

function remember(memories: FeedMemories, accountId: number, memory: FeedMemory): void {
  if (memories.size >= maxAccounts && !memories.has(accountId)) memories.clear();
  memories.set(accountId, memory);
}

/** The time (milliseconds since 1970) before which no batch with this change was published. */
const earliestOf = ({ changed_at }: SoughtChange): number => Date.parse(changed_at) - clockSkewMs;

/** Finds which of these changes are published. The result is valid until the head moves. */
export async function findPublished(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
  head: ReadHead,
  memories: FeedMemories,
): Promise<(source: string) => boolean> {
  const records = bySubject(accountId, changes);
  const memory = await memoryAt(db, accountId, records, head, memories).catch((error: unknown) => {
    if (isTemporary(error)) throw error;
    // A batch that can't be read is no obstacle: entries say what is published.
    const knownFrom = Date.parse(head.read_at);
    const empty: FeedMemory = { knownFrom, readTo: head.sequence, seen: new Map() };
    remember(memories, accountId, empty);
    return empty;
  });
  const { knownFrom, seen } = memory;
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

/** The items of a partition after one sequence and up to another, newest first, in pages that grow. */
async function* newestFirst(
  db: Database,
  pk: string,
  { after, until, size }: { readonly after: number; readonly until: number; readonly size: number },
): AsyncGenerator<RawItem, void> {
  let last = until;
  for (let limit = size; last > after; limit = Math.min(4 * limit, maxPageSize)) {
    const between = [padded(after + 1), padded(last)] as const;
    const items = await queryRange(db, { table: "events", pk, between, direction: "desc", limit });
    yield* items;
    const end = items.at(-1);
    if (end === undefined || items.length < limit) return;
    last = Number(end["sk"]) - 1;
  }
}
