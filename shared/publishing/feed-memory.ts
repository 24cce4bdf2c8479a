/**
 * A cache of feeds in an instance of the publisher: the events that it has read of them. The instance reads
 * only what is new of a feed, so that most changes need no search for their entries (`published-changes.ts`).
 */

import * as z from "zod/mini";
import { event } from "../events/event.ts";
import { feedBatchKey, publicationOf, storedBatch } from "../events/feed-repository.ts";
import { decompress } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { newestFirst } from "./newest-first.ts";

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
export interface ReadHead {
  readonly sequence: number;
  readonly read_at: string;
}

/**
 * What an instance of the publisher knows of an account's feed: `seen` has every event up to the sequence
 * `readTo` that was published after `knownFrom`. So a change that can only have been published later needs no
 * search.
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
 * Maximum batches to read for each record. Searching a record's entries takes a read unit, and so does
 * reading a batch, but a batch that was read also saves the searches of later changes.
 */
const maxBatchesForRecord = 4;

/** Batches read by a first query. */
const firstBatches = 8;

/** What to look for: the earliest time of a change, in milliseconds since 1970, and the number of records. */
interface Sought {
  readonly earliest: number;
  readonly records: number;
}

/** What the instance knows of a feed up to a head. */
export const memoryAt = (
  db: Database,
  accountId: number,
  sought: Sought,
  head: ReadHead,
  memories: FeedMemories,
): Promise<FeedMemory> =>
  readMemory(db, accountId, sought, head, memories).catch(() => {
    // An unreadable batch does no harm: entries tell what is published.
    const empty = { knownFrom: Date.parse(head.read_at), readTo: head.sequence, seen: new Map() };
    remember(memories, accountId, empty);
    return empty;
  });

/**
 * Updates the instance's memory to a head. If there are too many batches after the last known one, or they
 * are older than all changes to look for, a new memory begins with the latest of them.
 */
async function readMemory(
  db: Database,
  accountId: number,
  { earliest, records }: Sought,
  head: ReadHead,
  memories: FeedMemories,
): Promise<FeedMemory> {
  const known: FeedMemory = memories.get(accountId) ?? { knownFrom: 0, readTo: 0, seen: new Map() };
  if (head.sequence <= known.readTo) return known;
  const maxBatches = Math.max(firstBatches, maxBatchesForRecord * records);
  const limits = { earliest, maxBatches };
  const { batches, isWhole } = await batchesBetween(db, accountId, known.readTo, head.sequence, limits);
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
