/**
 * What changed since a time (`updated_since` of lists; docs/decisions.md, Changes since a time): the feed is
 * read from its newest batch back to the time.
 *
 * An event may be published long after its change: under load, or once a change that was set aside becomes
 * readable. A client that was answered earlier would miss that change if only the time of the change counted.
 * So a change that is published late counts as made `settledAfterMs` before its publication. A change that is
 * not published when a client reads will be published later, and therefore counts as made after
 * `complete_until`, which the client sends next.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { invalidAt, type Problem } from "../common/problem.ts";
import { clockSkewMs, dayLength } from "../common/times.ts";
import type { AccountReader } from "../runtime/context.ts";
import { decompress } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { queryPages } from "../store/dynamodb/reads.ts";
import type { Search } from "../store/lists/found.ts";
import type { Page } from "../store/lists/pages.ts";
import { type ListRequest, readList } from "../store/lists/read-list.ts";
import type { Records } from "../store/lists/repository.ts";
import { retentionDays } from "./event.ts";
import { batchesFrom, publicationOf, readFeedHead, storedBatch } from "./feed-repository.ts";

const settledAfterMs = 5_000;

/**
 * How long a batch may take between the read of the head that dates it and the moment at which it is visible.
 * Hanging calls are sent again until the publishing function is stopped after 50 s.
 */
const onTheWayMs = 50_000;

/** How far a time may be ahead of the clock, because the client's clock may be. */
const aheadMs = 60_000;

const maxChanged = 10_000;

/** Maximum events that a call reads: some 2,000 read units. */
const maxRead = 50_000;

/** Batches of one query, so that a call about the last minutes reads little more than these. */
const batchesPerQuery = 25;

const changeEvent = z.object({
  type: primitive.text,
  occurred_at: primitive.time,
  subject: z.object({ id: primitive.text }),
  data: z.nullable(z.looseObject({})),
  previous: z.nullable(z.looseObject({})),
});

export type ChangeEvent = z.output<typeof changeEvent>;

/** The keys of changed records, and the time (ISO 8601) up to which none is missing. */
export interface ChangedRecords<K> {
  readonly changed: ReadonlySet<K>;
  readonly complete_until: string;
}

/**
 * The records of an account that changed at or after `since` (ISO 8601 UTC); undefined without it. A record
 * is known by what `keyOf` makes of an event, undefined for an event of something else. Reads the head of
 * the feed, and the events since then. `instead` is what the list can be asked for if the feed can't tell.
 * @throws Problem `invalid` at `updated_since`, if that is further back than the feed, ahead of the clock, or
 * too many changed
 */
export async function changedSince<K>(
  db: Database,
  accountId: number,
  since: string | undefined,
  keyOf: (event: ChangeEvent) => K | undefined,
  instead = "all records",
): Promise<ChangedRecords<K> | undefined> {
  if (since === undefined) return undefined;
  const wrong = wrongSince(instead);
  const now = Date.now();
  const sinceMs = Date.parse(since);
  const earliest = (Math.floor(now / dayLength) - retentionDays) * dayLength;
  if (sinceMs > now + aheadMs) throw wrong("lies in the future");
  if (sinceMs < earliest)
    throw wrong(`is too far back: changes are kept since ${new Date(earliest).toISOString()}`);
  const head = await readFeedHead(db, accountId, new Date(now).toISOString());
  const complete = Math.min(now - settledAfterMs - onTheWayMs, now - head.lagSeconds * 1000);
  const changed = new Set<K>();
  let read = 0;
  const range = { ...batchesFrom(accountId, head.oldest), direction: "desc" } as const;
  search: for await (const items of queryPages(db, range, batchesPerQuery)) {
    for (const item of items) {
      const batch = z.parse(storedBatch, item);
      const published = publicationOf(batch);
      if (published + clockSkewMs < sinceMs) break search;
      const events = z.parse(z.array(changeEvent), decompress(batch.content));
      for (const event of events) {
        const isSince = timeOf(event) >= sinceMs || published - settledAfterMs >= sinceMs;
        const key = isSince ? keyOf(event) : undefined;
        if (key !== undefined) changed.add(key);
      }
      read += events.length;
      if (changed.size > maxChanged) throw wrong(`matches more than ${maxChanged} changed records`);
      if (read > maxRead) throw wrong(`is followed by more than ${maxRead} events`);
    }
  }
  return { changed, complete_until: new Date(complete).toISOString() };
}

/** Incoming units are dated by the stream, to the second. */
const timeOf = ({ occurred_at, data }: ChangeEvent): number =>
  Date.parse(occurred_at) + (data?.["reason"] === "incoming" ? 999 : 0);

/** The id of the record that an event is about, if the event's type has this prefix: `order.` */
export const subjectOf =
  (prefix: string) =>
  ({ type, subject }: ChangeEvent): number | undefined =>
    type.startsWith(prefix) ? Number(subject.id) : undefined;

/**
 * As `readList`, for what changed since `since`. The types of the events begin with the name of the list.
 * `instead` is as in `changedSince`.
 */
export async function readChangedList<T>(
  { db, account_id }: AccountReader,
  records: Pick<Records<T>, "list" | "parse">,
  since: string | undefined,
  request: ListRequest,
  searches: readonly (Search | undefined)[],
  instead?: string,
): Promise<Page<T> & { readonly complete_until: string | undefined }> {
  const found = await changedSince(db, account_id, since, subjectOf(`${records.list.name}.`), instead);
  const changes: Search | undefined = found && {
    field: "updated_since",
    remedy: "ask for a later time, or without the other filters",
    find: async () => [...found.changed],
  };
  const page = await readList(records, db, account_id, request, [...searches, changes]);
  return { ...page, complete_until: found?.complete_until };
}

const wrongSince =
  (instead: string) =>
  (message: string): Problem =>
    invalidAt([
      {
        path: "updated_since",
        message: `${message}; read GET /apirest/v4/oms/events, or list ${instead}`,
      },
    ]);
