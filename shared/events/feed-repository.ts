/**
 * The feed: an account's events, numbered from 1 without a gap. Events are stored together with the feed's
 * head, on the condition that the head has not moved. So an event is visible only with all events before it.
 *
 * A batch of events is one compressed item. Its sort key is its last sequence, so the first batch after a
 * sequence contains the next event. For each record of a batch there is an entry by which the events of the
 * record are found.
 */
import * as z from "zod/mini";
import { dayOf } from "../common/days.ts";
import * as primitive from "../common/primitives.ts";
import { invalidAt } from "../common/problem.ts";
import { jsonBytes } from "../common/strings.ts";
import { decompressed } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key, only, padded } from "../store/dynamodb/keys.ts";
import {
  getItem,
  getItems,
  type Lookup,
  queryOnce,
  queryPages,
  type Range,
  type RawItem,
} from "../store/dynamodb/reads.ts";
import { type Event, event, retentionDays } from "./event.ts";

const table = "events";

/** The attribute of the head with the first sequence of a day. */
export const dayAttribute = (day: number): string => `day:${day}`;

/** The bounds of an account's feed. */
export interface FeedHead {
  /** The last sequence; 0 if the feed is empty. */
  readonly sequence: number;
  /** The oldest sequence that is retained; the next sequence if none is. */
  readonly oldest: number;
}

export const feedHeadLookup = (accountId: number): Lookup => ({
  table,
  key: { pk: joined("feed-head", accountId), sk: only },
});

export const feedBatchKey = (accountId: number, last: number): Key => ({
  pk: joined("feed", accountId),
  sk: padded(last),
});

/** The partition of a record's entries, which name the batches with its events. */
export const subjectPartition = (accountId: number, kind: string, id: string): string =>
  joined("feed-subject", accountId, kind, id);

const headItem = z.object({ sequence: primitive.int });

/** The days on which events were published, with the first sequence of each. */
export const daysOfHead = (item: RawItem): readonly (readonly [day: number, first: number])[] =>
  Object.entries(item).flatMap(([name, first]) =>
    name.startsWith("day:") && typeof first === "number" ? [[Number(name.slice(4)), first] as const] : [],
  );

/** The bounds of the feed at a time (ISO 8601), from the head's item. */
export function feedHeadOf(item: RawItem | undefined, now: string): FeedHead {
  if (item === undefined) return { sequence: 0, oldest: 1 };
  const { sequence } = z.parse(headItem, item);
  const kept = daysOfHead(item).filter(([day]) => day >= dayOf(now) - retentionDays);
  return { sequence, oldest: Math.min(sequence + 1, ...kept.map(([, first]) => first)) };
}

export const readFeedHead = async (db: Database, accountId: number, now: string): Promise<FeedHead> =>
  feedHeadOf(await getItem(db, feedHeadLookup(accountId)), now);

/**
 * Validates the sequence after which a client wants events. @throws Problem if they are no longer retained,
 * or do not exist yet
 */
export function expectInFeed(sent: number, { sequence, oldest }: FeedHead): number {
  const path = "after";
  if (sent < oldest - 1) {
    const message = `is too old: the oldest event that is kept is ${oldest}, so the least to send is ${oldest - 1}`;
    throw invalidAt([{ path, message }]);
  }
  if (sent > sequence)
    throw invalidAt([{ path, message: `is beyond the feed's end: the latest event is ${sequence}` }]);
  return sent;
}

const events = z.array(event);

const feedBatch = z.pipe(
  z.object({ content: z.instanceof(Uint8Array) }),
  z.transform(({ content }): readonly Event[] => z.parse(events, decompressed(content))),
);

/** A request for events, oldest first. */
export interface EventRequest {
  /** The sequence after which to begin. */
  readonly after: number;
  readonly limit: number;
  /** A filter; without it all events match. */
  readonly isWanted?: ((event: Event) => boolean) | undefined;
}

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

/** The batches from the one with this event. */
const batchesFrom = (accountId: number, sequence: number): Range => ({
  table,
  pk: feedBatchKey(accountId, 0).pk,
  between: [padded(sequence), padded(Number.MAX_SAFE_INTEGER)],
});

/** An account's events after a sequence. `isEnd` is true if the feed has no more. */
export async function readEvents(
  db: Database,
  accountId: number,
  request: EventRequest,
  batches: number = batchesPerQuery,
): Promise<EventPage & { readonly isEnd: boolean }> {
  const found = new Page(request);
  const end = (isEnd: boolean) => ({ events: found.events, examined: found.examined, isEnd });
  for await (const items of queryPages(db, batchesFrom(accountId, request.after + 1), batches)) {
    for (const item of items) if (!found.add(z.parse(feedBatch, item))) return end(false);
    if (found.examined - request.after >= maxExamined) return end(false);
  }
  return end(true);
}

/** The event with this sequence; undefined if it is no longer retained. */
export async function findEvent(
  db: Database,
  accountId: number,
  sequence: number,
): Promise<Event | undefined> {
  const [item] = await queryOnce(db, { ...batchesFrom(accountId, sequence), limit: 1 });
  return item && z.parse(feedBatch, item).find((one) => one.sequence === sequence);
}

const subjectEntry = z.object({ sk: primitive.text });

/** The events of one record after a sequence, up to `latest`, the end of the feed. */
export async function readSubjectEvents(
  db: Database,
  accountId: number,
  subject: { readonly kind: string; readonly id: string },
  { latest, ...request }: EventRequest & { readonly latest: number },
): Promise<EventPage> {
  const found = new Page({
    ...request,
    isWanted: (one) =>
      one.subject.kind === subject.kind && one.subject.id === subject.id && request.isWanted?.(one) !== false,
  });
  const pk = subjectPartition(accountId, subject.kind, subject.id);
  for (let read = 0; found.examined < latest && read < maxEntries; read += batchesPerQuery) {
    const between = [padded(found.examined + 1), padded(latest)] as const;
    const entries = await queryOnce(db, { table, pk, between, limit: batchesPerQuery });
    const lookups = entries.map((entry): Lookup => {
      const { sk } = z.parse(subjectEntry, entry);
      return { table, key: { pk: joined("feed", accountId), sk } };
    });
    const find = await getItems(db, lookups);
    for (const lookup of lookups) {
      const item = find(lookup);
      if (item !== undefined && !found.add(z.parse(feedBatch, item))) return found;
    }
    if (entries.length < batchesPerQuery) return { events: found.events, examined: latest };
  }
  return found;
}

/** Collects events of batches, oldest first, up to the limits of a call. */
class Page implements EventPage {
  readonly events: Event[] = [];
  examined: number;
  readonly #request: EventRequest;
  #bytes = 0;

  constructor(request: EventRequest) {
    this.#request = request;
    this.examined = request.after;
  }

  /** Adds the wanted events of a batch. @returns whether there is room for more */
  add(batch: readonly Event[]): boolean {
    const { limit, isWanted = () => true } = this.#request;
    for (const one of batch) {
      if (one.sequence <= this.examined) continue;
      if (isWanted(one)) {
        const bytes = jsonBytes(one);
        if (this.events.length === limit) return false;
        if (this.events.length > 0 && this.#bytes + bytes > maxBytes) return false;
        this.events.push(one);
        this.#bytes += bytes;
      }
      this.examined = one.sequence;
    }
    return true;
  }
}
