/**
 * What the publisher reads and stores. Every transaction stores the head of one account's feed, on the condition that
 * nobody has stored it since it was read. So whatever is read after the head holds until then.
 */
import * as z from "zod/mini";
import { dayOf, secondsAfter } from "../domain/days.ts";
import { daysKept, type Event } from "../domain/events/event.ts";
import { type StockUnits, stockUnits } from "../domain/stock/stock.ts";
import { compressed } from "../store/compressed.ts";
import type { Database } from "../store/database.ts";
import { joined, only } from "../store/keys.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../store/reads.ts";
import { type Insert, stale, type Write } from "../store/writes.ts";
import { chunkKey, dayAttribute, daysIn, headLookup, headOf, subjectPartition } from "./feed.ts";
import type { StockPlace } from "./stock.ts";

const table = "events";

/** Days after which DynamoDB deletes what lies in the feed: later than it is kept, so that no kept event lacks. */
const daysStored = daysKept + 2;

/** Days for which it is noted that a change is published. A stream tells of a change for one day. */
const daysNoted = 3;

const noUnits: StockUnits = { on_hand: 0, reserved: 0, incoming: 0 };

const noteLookup = (accountId: number, source: string): Lookup => ({
  table,
  key: { pk: joined("published", accountId, source), sk: only },
});

const levelLookup = ({ product_id, distribution_center_id }: StockPlace): Lookup => ({
  table,
  key: { pk: joined("published-level", product_id, distribution_center_id), sk: only },
});

/** What is published of an account so far. */
export interface Published {
  /** The head's item; undefined where the account has no event yet. */
  readonly head: RawItem | undefined;
  /** Whether the events of a change are in the feed. */
  readonly has: (source: string) => boolean;
  /** A level as the feed told of it last. */
  readonly levelAt: (place: StockPlace) => StockUnits;
}

/** Reads what is published: two round trips, of which the head's is the first. */
export async function readPublished(
  db: Database,
  accountId: number,
  sources: readonly string[],
  places: readonly StockPlace[],
): Promise<Published> {
  const head = await getItem(db, headLookup(accountId));
  const find = await getItems(db, [
    ...sources.map((source) => noteLookup(accountId, source)),
    ...places.map(levelLookup),
  ]);
  return {
    head,
    has: (source) => find(noteLookup(accountId, source)) !== undefined,
    levelAt: levelsFound(find),
  };
}

/** Levels as the feed told of them last: one round trip. */
export async function readPublishedLevels(
  db: Database,
  places: readonly StockPlace[],
): Promise<Published["levelAt"]> {
  const find = await getItems(db, places.map(levelLookup));
  return levelsFound(find);
}

const levelsFound =
  (find: (lookup: Lookup) => RawItem | undefined): Published["levelAt"] =>
  (place) => {
    const item = find(levelLookup(place));
    return item === undefined ? noUnits : z.parse(stockUnits, item);
  };

/** What is stored together: events, the changes that they tell of, and the levels that they lead to. */
export interface Publication {
  readonly events: readonly Event[];
  readonly sources: readonly string[];
  readonly levels: readonly (readonly [place: StockPlace, level: StockUnits])[];
}

/**
 * Stores the next events of an account; stale where others have stored some since `head` was read.
 * @throws where there are none: the head would lose its place
 */
export function publicationWrites(
  accountId: number,
  head: RawItem | undefined,
  { events, sources, levels }: Publication,
  now: string,
): readonly Write[] {
  const before = headOf(head, now).sequence;
  const last = events.at(-1)?.sequence;
  if (last === undefined) throw new Error("there are no events to be stored");
  const expires_at = secondsAfter(now, daysStored);
  const subjects = new Set(events.map(({ subject: { kind, id } }) => subjectPartition(accountId, kind, id)));
  const { sk } = chunkKey(accountId, last);
  return [
    moveHead(accountId, head, { before, last }, now),
    put({ ...chunkKey(accountId, last), content: fitting(events), expires_at }),
    ...[...subjects].map((pk) => put({ pk, sk, expires_at })),
    ...sources.map((source) =>
      put({ ...noteLookup(accountId, source).key, expires_at: secondsAfter(now, daysNoted) }),
    ),
    ...levels.map(([place, level]): Write => {
      const { key } = levelLookup(place);
      return { kind: "change", table, key, set: { ...level }, when: [], own: true, refusal: stale };
    }),
  ];
}

/** Puts an item whose key is nobody else's, as the head vouches. */
const put = (item: Insert["item"]): Insert => ({ kind: "insert", table, item, own: true, refusal: stale });

/** Moves the head to `last`. The first events of a day note where the day begins, and the days that are over go. */
function moveHead(
  accountId: number,
  head: RawItem | undefined,
  { before, last }: { readonly before: number; readonly last: number },
  now: string,
): Write {
  const { key } = headLookup(accountId);
  const today = dayOf(now);
  const days = head === undefined ? [] : daysIn(head);
  const isFirstOfDay = !days.some(([day]) => day >= today);
  const over = days.filter(([day]) => day < today - daysStored).map(([day]) => dayAttribute(day));
  const unmoved = { attribute: "sequence", equals: before } as const;
  return {
    kind: "change",
    table,
    key,
    set: { sequence: last, ...(isFirstOfDay ? { [dayAttribute(today)]: before + 1 } : {}) },
    remove: over,
    when: [head === undefined ? { attribute: "sequence", is: "absent" } : unmoved],
    refusal: stale,
  };
}

/** Bytes that the events of an item may take. DynamoDB's limit of an item is 409,600. */
const largestChunk = 390_000;

/**
 * Events as bytes. Where they fit no item, they do without the earlier values, or without the record as well. Only a record
 * that nearly fills its own item gets there, with text that can't be compressed.
 */
function fitting(events: readonly Event[]): Uint8Array {
  const whole = compressed(events);
  if (whole.length <= largestChunk) return whole;
  const shorter = compressed(events.map((one) => ({ ...one, previous: null })));
  if (shorter.length <= largestChunk) return shorter;
  return compressed(events.map((one) => ({ ...one, data: null, previous: null })));
}
