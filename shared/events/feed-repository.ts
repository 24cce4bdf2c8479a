/**
 * The feed: an account's events, numbered from 1 without a gap. Whoever stores events stores the feed's head with them, on
 * the condition that nobody else has meanwhile. So an event is visible only with all events below it.
 *
 * Events that are stored together are one item, a chunk, compressed. Its sort key is its last sequence, so the first chunk
 * beyond a sequence holds the next event. An entry for each record that a chunk tells of finds the events of one record.
 */
import * as z from "zod/mini";
import { dayOf } from "../common/days.ts";
import * as primitive from "../common/primitives.ts";
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

/** The attribute of a head that holds the first sequence of a day. */
export const dayAttribute = (day: number): string => `day:${day}`;

/** Where the feed of an account ends, and where it begins. */
export interface FeedHead {
  /** The last sequence; 0 where there is no event yet. */
  readonly sequence: number;
  /** The oldest sequence that is kept. It is the next sequence where none is kept. */
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

/** Where the entries lie that say which chunks tell of a record. */
export const subjectPartition = (accountId: number, kind: string, id: string): string =>
  joined("feed-subject", accountId, kind, id);

const headItem = z.object({ sequence: primitive.int });

/** The days of a head on which events were published, with the first sequence of each. */
export const daysOfHead = (item: RawItem): readonly (readonly [day: number, first: number])[] =>
  Object.entries(item).flatMap(([name, first]) =>
    name.startsWith("day:") && typeof first === "number" ? [[Number(name.slice(4)), first] as const] : [],
  );

/** What a head's item says at a time (ISO 8601). */
export function feedHeadOf(item: RawItem | undefined, now: string): FeedHead {
  if (item === undefined) return { sequence: 0, oldest: 1 };
  const { sequence } = z.parse(headItem, item);
  const kept = daysOfHead(item).filter(([day]) => day >= dayOf(now) - retentionDays);
  return { sequence, oldest: Math.min(sequence + 1, ...kept.map(([, first]) => first)) };
}

export const readFeedHead = async (db: Database, accountId: number, now: string): Promise<FeedHead> =>
  feedHeadOf(await getItem(db, feedHeadLookup(accountId)), now);

const events = z.array(event);

const chunk = z.pipe(
  z.object({ content: z.instanceof(Uint8Array) }),
  z.transform(({ content }): readonly Event[] => z.parse(events, decompressed(content))),
);

/** Which events are asked for, oldest first. */
export interface EventRequest {
  /** The sequence after which they begin. */
  readonly after: number;
  readonly limit: number;
  /** Which of them; all without it. */
  readonly isWanted?: ((event: Event) => boolean) | undefined;
}

/** Events, and the sequence up to which the feed was looked through for them. */
export interface EventPage {
  readonly events: readonly Event[];
  readonly examined: number;
}

/** Chunks that are read together, unless the caller wants few events. A chunk holds the events of a hundred changes at most. */
const chunksTogether = 10;

/** Entries of a record that one call looks through at most: each leads to a chunk. */
const maxEntries = 100;

/** Events that one call looks through at most, so that a filter that finds few costs no more than this. */
const maxExamined = 2_000;

/** Bytes of events, as JSON, that one call answers at most. A single larger event is answered alone. */
const maxBytes = 3_000_000;

/** Where the chunks lie that hold an event and those behind it. */
const chunksFrom = (accountId: number, sequence: number): Range => ({
  table,
  pk: feedBatchKey(accountId, 0).pk,
  between: [padded(sequence), padded(Number.MAX_SAFE_INTEGER)],
});

/**
 * An account's events after a sequence. The events that were looked at and not wanted count as examined. `isEnd` says that
 * the feed had no more of them.
 */
export async function readEvents(
  db: Database,
  accountId: number,
  request: EventRequest,
  chunks: number = chunksTogether,
): Promise<EventPage & { readonly isEnd: boolean }> {
  const found = new Gathered(request);
  const end = (isEnd: boolean) => ({ events: found.events, examined: found.examined, isEnd });
  for await (const items of queryPages(db, chunksFrom(accountId, request.after + 1), chunks)) {
    for (const item of items) if (!found.add(z.parse(chunk, item))) return end(false);
    if (found.examined - request.after >= maxExamined) return end(false);
  }
  return end(true);
}

/** The event with this sequence; undefined where it is not kept any more. */
export async function findEvent(
  db: Database,
  accountId: number,
  sequence: number,
): Promise<Event | undefined> {
  const [item] = await queryOnce(db, { ...chunksFrom(accountId, sequence), limit: 1 });
  return item && z.parse(chunk, item).find((one) => one.sequence === sequence);
}

const subjectEntry = z.object({ sk: primitive.text });

/** The events of one record after a sequence. `latest` is the end of the feed, up to which there are no others. */
export async function readSubjectEvents(
  db: Database,
  accountId: number,
  subject: { readonly kind: string; readonly id: string },
  { latest, ...request }: EventRequest & { readonly latest: number },
): Promise<EventPage> {
  const found = new Gathered({
    ...request,
    isWanted: (one) =>
      one.subject.kind === subject.kind && one.subject.id === subject.id && request.isWanted?.(one) !== false,
  });
  const pk = subjectPartition(accountId, subject.kind, subject.id);
  for (let looked = 0; found.examined < latest && looked < maxEntries; looked += chunksTogether) {
    const between = [padded(found.examined + 1), padded(latest)] as const;
    const entries = await queryOnce(db, { table, pk, between, limit: chunksTogether });
    const lookups = entries.map((entry): Lookup => {
      const { sk } = z.parse(subjectEntry, entry);
      return { table, key: { pk: joined("feed", accountId), sk } };
    });
    const find = await getItems(db, lookups);
    for (const lookup of lookups) {
      const item = find(lookup);
      if (item !== undefined && !found.add(z.parse(chunk, item))) return found;
    }
    if (entries.length < chunksTogether) return { events: found.events, examined: latest };
  }
  return found;
}

/** Events of chunks, oldest first, up to the limits of a call. */
class Gathered implements EventPage {
  readonly events: Event[] = [];
  examined: number;
  readonly #request: EventRequest;
  #bytes = 0;

  constructor(request: EventRequest) {
    this.#request = request;
    this.examined = request.after;
  }

  /** Takes the wanted events of a chunk. @returns whether there is room for more */
  add(chunk: readonly Event[]): boolean {
    const { limit, isWanted = () => true } = this.#request;
    for (const one of chunk) {
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
