/**
 * The feed: an account's events, numbered from 1 without a gap. Events are stored together with the feed's
 * head, on the condition that the head has not moved. So an event is visible only with all events before it.
 *
 * A batch of events is one compressed item. Its sort key is its last sequence, so the first batch after a
 * sequence contains the next event. For each record of a batch there is an entry by which the events of the
 * record are found.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { invalidAt } from "../common/problem.ts";
import { jsonBytes } from "../common/strings.ts";
import { dayLength, dayOf } from "../common/times.ts";
import { decompress } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key, padded } from "../store/dynamodb/keys.ts";
import {
  aloneAt,
  getItem,
  getItems,
  type Lookup,
  queryPages,
  queryRange,
  type Range,
  type RawItem,
} from "../store/dynamodb/reads.ts";
import { daysStored, type Event, event, retentionDays } from "./event.ts";

const table = "events";

/** The attribute of the head with the first sequence of a day. */
export const dayAttribute = (day: number): string => `day:${day}`;

export interface FeedHead {
  /** The last sequence; 0 if the feed is empty. */
  readonly sequence: number;
  /** The oldest sequence that is retained; the next sequence if none is. */
  readonly oldest: number;
  /** How far publishing is behind the changes, in whole seconds: see `lagOf`. */
  readonly lagSeconds: number;
  /** The days on which events were published, with the first sequence of each. */
  readonly days: readonly (readonly [day: number, first: number])[];
}

export const feedHeadLookup = (accountId: number): Lookup => aloneAt(table, "feed-head", accountId);

export const feedBatchKey = (accountId: number, last: number): Key => ({
  pk: joined("feed", accountId),
  sk: padded(last),
});

/** The partition of a record's entries, which name the batches with its events. */
export const subjectPartition = (accountId: number, kind: string, id: string): string =>
  joined("feed-subject", accountId, kind, id);

const headItem = z.object({
  sequence: primitive.int,
  /** When the latest batch was published (ISO 8601), and the age of its oldest change in milliseconds. */
  published_at: z.optional(primitive.time),
  lag: z.optional(primitive.int),
});

/** The bounds of the feed at a time (ISO 8601), from the head's item. */
export function feedHeadOf(item: RawItem | undefined, now: string): FeedHead {
  if (item === undefined) return { sequence: 0, oldest: 1, lagSeconds: 0, days: [] };
  const head = z.parse(headItem, item);
  const { sequence } = head;
  const days = Object.entries(item).flatMap(([name, first]) =>
    name.startsWith("day:") && typeof first === "number" ? [[Number(name.slice(4)), first] as const] : [],
  );
  const kept = days.filter(([day]) => day >= dayOf(now) - retentionDays);
  const oldest = Math.min(sequence + 1, ...kept.map(([, first]) => first));
  return { sequence, oldest, lagSeconds: lagOf(head, now), days };
}

/** A publisher that is behind stores its next batch within this time. Otherwise, it has caught up. */
const maxPauseMs = 5_000;

/** The age of the oldest unpublished change, in whole seconds, as of the latest batch. */
function lagOf({ published_at, lag = 0 }: z.output<typeof headItem>, now: string): number {
  if (published_at === undefined || Date.parse(now) - Date.parse(published_at) > maxPauseMs) return 0;
  return Math.max(0, Math.floor(lag / 1000));
}

export const readFeedHead = async (db: Database, accountId: number, now: string): Promise<FeedHead> =>
  feedHeadOf(await getItem(db, feedHeadLookup(accountId)), now);

/** @throws Problem if a client wants events after one that is not retained, or does not exist yet */
export const expectInFeed = (sent: number, head: FeedHead): number =>
  expectWithin("after", sent, [head.oldest - 1, head.sequence], head);

/** Validates the sequence before which a client wants events. @throws Problem, as `expectInFeed` */
export const expectBeforeEnd = (sent: number, head: FeedHead): number =>
  expectWithin("before", sent, [head.oldest, head.sequence + 1], head);

function expectWithin(
  path: string,
  sent: number,
  [first, last]: readonly [number, number],
  { sequence, oldest }: FeedHead,
): number {
  if (sent >= first && sent <= last) return sent;
  if (sent > last)
    throw invalidAt([{ path, message: `is beyond the feed's end: the latest event is ${sequence}` }]);
  const message = `is too old: the oldest available event is ${oldest}; send ${first} or higher`;
  throw invalidAt([{ path, message, code: "too_old" }]);
}

const events = z.array(event);

/** A batch as it is stored. Its content is the compressed events. */
export const storedBatch = z.object({
  content: z.instanceof(Uint8Array),
  expires_at: primitive.int,
  /** ISO 8601. Batches of release 1.0.0 do not have it; they expire `daysStored` days after it. */
  published_at: z.optional(primitive.time),
});

/** When a batch was published, in milliseconds since 1970. */
export const publicationOf = ({ published_at, expires_at }: z.output<typeof storedBatch>): number =>
  published_at === undefined ? expires_at * 1000 - daysStored * dayLength : Date.parse(published_at);

export const feedBatch = z.pipe(
  storedBatch,
  z.transform(({ content }): readonly Event[] => z.parse(events, decompress(content))),
);

/** Where to begin: after a sequence and upwards, or before one and back to the oldest event. */
export type EventStart =
  | { readonly after: number }
  | { readonly before: number; readonly head: Pick<FeedHead, "sequence" | "oldest"> };

/** A request for events, in the order that its start states. */
export type EventRequest = EventStart & {
  readonly limit: number;
  readonly isWanted?: ((event: Event) => boolean) | undefined;
};

/** Events, and the last examined sequence. */
export interface EventPage {
  readonly events: readonly Event[];
  readonly examined: number;
}

/** Batches per query, unless the caller wants few events. A batch has the events of at most 100 changes. */
const batchesPerQuery = 10;

/** Maximum entries of a record that one call examines. Each costs the read of a batch. */
const maxEntries = 100;

/** Maximum events that one call examines. It bounds the cost of a filter that matches few events. */
const maxExamined = 2_000;

/** Maximum bytes of events, as JSON, that one call returns. A larger event is returned alone. */
const maxBytes = 3_000_000;

const endOfFeed = padded(Number.MAX_SAFE_INTEGER);

/** The batches from the one with this event, oldest first. */
export const batchesFrom = (accountId: number, sequence: number): Range => ({
  table,
  pk: feedBatchKey(accountId, 0).pk,
  between: [padded(sequence), endOfFeed],
});

/** The sort keys of the batches that a request examines, and of the entries that name them. */
async function boundsOf(
  db: Database,
  accountId: number,
  start: EventStart,
): Promise<Required<Pick<Range, "between" | "direction">>> {
  if ("after" in start) return { between: [padded(start.after + 1), endOfFeed], direction: "asc" };
  const { before, head } = start;
  const oldest = padded(head.oldest);
  if (before > head.sequence) return { between: [oldest, endOfFeed], direction: "desc" };
  // The batch with the event before it is named by its last event, which may be a later one.
  const [item] = await queryRange(db, { ...batchesFrom(accountId, before - 1), limit: 1 });
  return { between: [oldest, item === undefined ? endOfFeed : sortKeyOf(item)], direction: "desc" };
}

/** An account's events from a start on. `isEnd` is true if the feed has no more in this direction. */
export async function readEvents(
  db: Database,
  accountId: number,
  request: EventRequest,
  batches: number = batchesPerQuery,
): Promise<EventPage & { readonly isEnd: boolean }> {
  const found = new CollectedPage(request);
  const end = (isEnd: boolean) => ({ events: found.events, examined: found.examined, isEnd });
  const { pk } = feedBatchKey(accountId, 0);
  const range: Range = { table, pk, ...(await boundsOf(db, accountId, request)) };
  for await (const items of queryPages(db, range, batches)) {
    for (const item of items) if (!found.add(z.parse(feedBatch, item))) return end(false);
    if (found.count >= maxExamined) return end(false);
  }
  return end(true);
}

/** The event with this sequence; undefined if it is no longer retained. */
export async function findEvent(
  db: Database,
  accountId: number,
  sequence: number,
): Promise<Event | undefined> {
  const [item] = await queryRange(db, { ...batchesFrom(accountId, sequence), limit: 1 });
  return item && z.parse(feedBatch, item).find((one) => one.sequence === sequence);
}

const sorted = z.object({ sk: primitive.text });

const sortKeyOf = (item: RawItem): string => z.parse(sorted, item).sk;

/**
 * The events of one record from a start on, as `readEvents`. The entries of a record may be read before a
 * batch is stored that has an event of it, so the end that they reach is that of `latest`.
 */
export async function readSubjectEvents(
  db: Database,
  accountId: number,
  subject: { readonly kind: string; readonly id: string },
  { latest, ...request }: EventRequest & { readonly latest: number },
): Promise<EventPage & { readonly isEnd: boolean }> {
  const found = new CollectedPage({
    ...request,
    isWanted: (one) =>
      one.subject.kind === subject.kind && one.subject.id === subject.id && request.isWanted?.(one) !== false,
  });
  const end = (isEnd: boolean) => {
    const examined = isEnd && "after" in request ? latest : found.examined;
    return { events: found.events, examined, isEnd };
  };
  const pk = subjectPartition(accountId, subject.kind, subject.id);
  const { between, direction } = await boundsOf(db, accountId, request);
  const [first, last] = [between[0], direction === "asc" ? padded(latest) : between[1]];
  if (last < first) return end(true);
  let read = 0;
  for await (const entries of queryPages(
    db,
    { table, pk, between: [first, last], direction },
    batchesPerQuery,
  )) {
    const lookups = entries.map(
      (entry): Lookup => ({ table, key: { pk: joined("feed", accountId), sk: sortKeyOf(entry) } }),
    );
    const find = await getItems(db, lookups);
    for (const lookup of lookups) {
      const item = find(lookup);
      if (item !== undefined && !found.add(z.parse(feedBatch, item))) return end(false);
    }
    read += entries.length;
    if (read >= maxEntries) return end(false);
  }
  return end(true);
}

/** Collects events of batches in the order of a request, up to the limits of a call. */
class CollectedPage implements EventPage {
  readonly events: Event[] = [];
  examined: number;
  count = 0;
  readonly #request: EventRequest;
  #bytes = 0;

  constructor(request: EventRequest) {
    this.#request = request;
    this.examined = "after" in request ? request.after : request.before;
  }

  #isAhead({ sequence }: Event): boolean {
    if ("after" in this.#request) return sequence > this.examined;
    return sequence < this.examined && sequence >= this.#request.head.oldest;
  }

  /** Adds the wanted events of a batch. @returns whether there is room for more */
  add(batch: readonly Event[]): boolean {
    const { limit, isWanted = () => true } = this.#request;
    for (const one of "after" in this.#request ? batch : batch.toReversed()) {
      if (!this.#isAhead(one)) continue;
      if (isWanted(one)) {
        const bytes = jsonBytes(one);
        if (this.events.length === limit) return false;
        if (this.events.length > 0 && this.#bytes + bytes > maxBytes) return false;
        this.events.push(one);
        this.#bytes += bytes;
      }
      this.examined = one.sequence;
      this.count += 1;
    }
    return true;
  }
}
