/**
 * Finds out which changes are published. A batch of the feed has an entry for each record that its events are
 * about. The entry lists the record's changes in the batch, and the time of their publication. So the entries
 * of a record are searched from the newest backwards, until they are older than the change.
 *
 * An instance remembers the events that it has read of an account's feed. It reads on from there, and
 * searches the entries of a record only for a change that is older than what it remembers.
 */
import * as z from "zod/mini";
import { forEachConcurrently } from "../common/concurrency.ts";
import * as primitive from "../common/primitives.ts";
import { digestOf } from "../common/strings.ts";
import { eventIdOf } from "../events/event.ts";
import { publishedBetween, subjectPartition } from "../events/feed-repository.ts";
import type { ChangeReference, EventDraft } from "../events/kind.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { padded } from "../store/dynamodb/keys.ts";
import { queryOnce, type RawItem } from "../store/dynamodb/reads.ts";
import { isTemporary } from "../store/dynamodb/temporary.ts";

/** A change that may be published already. */
export interface SoughtChange extends ChangeReference {
  /** Its events, or one of them: all are stored together. */
  readonly drafts: readonly Pick<EventDraft, "type">[];
  /** When the change was made, ISO 8601 UTC. A time that is too early only costs reads. */
  readonly changed_at: string;
}

/**
 * How far a publisher's clock may be behind the clock that dated a change. AWS clocks differ by milliseconds;
 * the rest tolerates a wrong clock. Each additional second costs reads for frequently changed records.
 */
const maxClockSkewMs = 10_000;

/**
 * Characters of the digest that identifies a change in an entry. Short, because write units depend on the
 * entry's size.
 */
const nameLength = 16;

const nameOf = (source: string): string => digestOf(source).slice(0, nameLength);

const entry = z.object({
  /** A time after the feed's head was read and before the batch was stored, ISO 8601 UTC. */
  published_at: primitive.text,
  changes: z.array(primitive.text),
});

/** The entries to store for these changes, each with the partition of its record. */
export const entriesOf = (
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

/** The feed's head, and when it was read (ISO 8601). */
interface ReadHead {
  readonly sequence: number;
  readonly read_at: string;
}

/** What an instance of the publisher knows of an account's feed. */
interface FeedMemory {
  /** All events stored since then, in milliseconds since 1970, and up to the head `until` are in `seen`. */
  since: number;
  until: number;
  /** Events by their ids, each with when the head above it was read. */
  readonly seen: Map<string, number>;
}

/** What an instance knows of feeds, by their accounts. */
export type FeedMemories = Map<number, FeedMemory>;

/** Maximum events that an instance remembers of an account, and accounts. */
const [maxRemembered, maxAccounts] = [20_000, 200];

/**
 * Maximum events to read for each record of a batch. To search the entries of a record takes a read unit, and
 * so do the batches of some events.
 */
const maxEventsForRecord = 8;

/** The instance's memory; a new one if there is none, or if searching costs less than reading on from it. */
function memoryOf(
  memories: FeedMemories,
  accountId: number,
  { sequence, read_at }: ReadHead,
  records: number,
): FeedMemory {
  const found = memories.get(accountId);
  if (found !== undefined && sequence - found.until <= records * maxEventsForRecord) return found;
  if (memories.size >= maxAccounts) memories.clear();
  const memory: FeedMemory = { since: Date.parse(read_at), until: sequence, seen: new Map() };
  memories.set(accountId, memory);
  return memory;
}

/** Reads on up to a head, and forgets the oldest events if they are too many. */
async function readOn(
  db: Database,
  accountId: number,
  memory: FeedMemory,
  { sequence: head, read_at }: ReadHead,
): Promise<void> {
  if (head <= memory.until) return;
  const ids = await publishedBetween(db, accountId, memory.until, head);
  for (const id of ids) memory.seen.set(id, Date.parse(read_at));
  memory.until = Math.max(memory.until, head);
  for (const [id, at] of memory.seen) {
    if (memory.seen.size <= maxRemembered) break;
    memory.seen.delete(id);
    memory.since = Math.max(memory.since, at);
  }
}

/** Finds which of these changes are published. The result is valid until the head moves. */
export async function findPublished(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
  head: ReadHead,
  memories: FeedMemories,
): Promise<(source: string) => boolean> {
  const records = bySubject(accountId, changes);
  const memory = memoryOf(memories, accountId, head, records.size);
  try {
    await readOn(db, accountId, memory, head);
  } catch (error) {
    if (isTemporary(error)) throw error;
    // A batch that can't be read is no obstacle: entries say what is published.
    memories.delete(accountId);
    return findPublished(db, accountId, changes, head, memories);
  }
  const { since, seen } = memory;
  const isSeen = ({ source, drafts }: SoughtChange) =>
    drafts.some(({ type }) => seen.has(eventIdOf(source, type)));
  const names = new Set(changes.filter(isSeen).map(({ source }) => nameOf(source)));
  // A few at a time: each concurrent call opens a connection, which costs more than waiting.
  await forEachConcurrently(records, async ([pk, its]) => {
    const older = its.filter(({ changed_at }) => Date.parse(changed_at) - maxClockSkewMs < since);
    const unknown = older.filter(({ source }) => !names.has(nameOf(source)));
    if (unknown.length === 0) return;
    for (const name of await namesFound(db, pk, unknown)) names.add(name);
  });
  return (source) => names.has(nameOf(source));
}

/**
 * Entries read by the first query for a record, and the maximum for later queries. Most records have fewer
 * entries than the first query reads, which costs a unit or two. An entry takes at most 2 KB, so a query
 * stays below DynamoDB's 1 MB.
 */
const [firstPageSize, maxPageSize] = [16, 256];

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
  const first = Math.min(...changes.map(({ changed_at }) => Date.parse(changed_at)));
  const since = new Date(first - maxClockSkewMs).toISOString();
  const missing = new Set(changes.map(({ source }) => nameOf(source)));
  const found: string[] = [];
  for await (const item of newestFirst(db, pk)) {
    const { published_at, changes: names } = z.parse(entry, item);
    if (published_at < since) break;
    found.push(...names.filter((name) => missing.delete(name)));
    if (missing.size === 0) break;
  }
  return found;
}

/** The entries of a record, in pages that grow. */
async function* newestFirst(db: Database, pk: string): AsyncGenerator<RawItem, void> {
  let last = padded(Number.MAX_SAFE_INTEGER);
  for (let limit = firstPageSize; ; limit = Math.min(4 * limit, maxPageSize)) {
    const between = [padded(0), last] as const;
    const items = await queryOnce(db, { table: "events", pk, between, direction: "desc", limit });
    yield* items;
    const end = items.at(-1);
    if (end === undefined || items.length < limit) return;
    last = padded(Number(end["sk"]) - 1);
  }
}
