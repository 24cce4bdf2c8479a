/**
 * Finds out which changes are published. A batch of the feed has an entry for each record that its events are
 * about. The entry lists the record's changes in the batch, and the time of their publication. So the entries
 * of a record are searched from the newest backwards, until they are older than the change.
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

/** A change that may be published already. */
export interface SoughtChange extends ChangeReference {
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

/**
 * Finds which of these changes are published. If read after the head, the result is valid until the head
 * moves.
 */
export async function findPublished(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
): Promise<(source: string) => boolean> {
  const names = new Set<string>();
  // A few at a time: each concurrent call opens a connection, which costs more than waiting.
  await forEachConcurrently(bySubject(accountId, changes), async ([pk, its]) => {
    for (const name of await namesFound(db, pk, its)) names.add(name);
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
