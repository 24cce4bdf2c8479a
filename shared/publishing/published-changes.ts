/**
 * Which changes are published. Each record that a chunk of the feed tells of has an entry there. The entry also names the
 * changes of the record that the chunk tells of, and says when it was stored. So a change is looked for in the entries of its
 * record, from the newest one backwards, until they are older than the change.
 */
import * as z from "zod/mini";
import { forEachConcurrently } from "../common/concurrency.ts";
import { digestOf } from "../common/digest.ts";
import * as primitive from "../common/primitives.ts";
import { subjectPartition } from "../events/feed-repository.ts";
import type { ChangeReference } from "../events/kind.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { padded } from "../store/dynamodb/keys.ts";
import { queryOnce, type RawItem } from "../store/dynamodb/reads.ts";

/** A change that may be published. */
export interface SoughtChange extends ChangeReference {
  /** When it was made, ISO 8601 UTC. An earlier time only costs reads. */
  readonly changed_at: string;
}

/**
 * Milliseconds by which the clock of a publisher may be behind the clock that dated a change. AWS keeps its clocks within
 * milliseconds of each other. The rest is for a clock that goes wrong; each second more costs the reads of a busy record.
 */
const clockMargin = 10_000;

/** Characters of the digest that names a change in an entry. Units are charged by the size of entries. */
const nameLength = 16;

const nameOf = (source: string): string => digestOf(source).slice(0, nameLength);

/** What an entry says of changes. */
const entry = z.object({
  /** When the feed's head had been read and the chunk was not stored yet, ISO 8601 UTC. */
  published_at: primitive.text,
  changes: z.array(primitive.text),
});

/** What the entries of a chunk say of these changes, each with the partition of its record. */
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

/**
 * Finds out which of these changes are published. Read after the feed's head, the answer holds for as long as the head.
 * @returns whether the change of a name is
 */
export async function findPublished(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
): Promise<(source: string) => boolean> {
  const names = new Set<string>();
  // Some at a time: each call at once opens a connection of its own, which costs more than to wait.
  await forEachConcurrently(bySubject(accountId, changes), async ([pk, its]) => {
    for (const name of await namesFound(db, pk, its)) names.add(name);
  });
  return (source) => names.has(nameOf(source));
}

/**
 * Entries that the first call for a record reads, and any call at most. Most records have fewer than the first reads, which
 * costs a unit or two. An entry takes at most 2 KB, so DynamoDB hands out all of a call, which may be 1 MB.
 */
const [firstPage, largestPage] = [16, 256];

/**
 * The names of those changes that a record's entries hold.
 *
 * An entry's time lies behind that of all changes that its chunk tells of, and behind the storing of all chunks before it.
 * So an entry that is older than a change ends the search: neither it nor any before it can name the change.
 */
async function namesFound(
  db: Database,
  pk: string,
  changes: readonly SoughtChange[],
): Promise<readonly string[]> {
  const first = Math.min(...changes.map(({ changed_at }) => Date.parse(changed_at)));
  const since = new Date(first - clockMargin).toISOString();
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
  for (let limit = firstPage; ; limit = Math.min(4 * limit, largestPage)) {
    const between = [padded(0), last] as const;
    const items = await queryOnce(db, { table: "events", pk, between, direction: "desc", limit });
    yield* items;
    const end = items.at(-1);
    if (end === undefined || items.length < limit) return;
    last = padded(Number(end["sk"]) - 1);
  }
}
