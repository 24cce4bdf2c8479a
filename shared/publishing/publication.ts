/**
 * What the publisher reads and stores. Every transaction stores the head of one account's feed, on the condition that
 * nobody has stored it since it was read. So whatever is read after the head holds until then.
 */

import * as z from "zod/mini";
import { dayOf, secondsAfter } from "../common/days.ts";
import { type Event, retentionDays } from "../events/event.ts";
import {
  dayAttribute,
  daysOfHead,
  feedBatchKey,
  feedHeadLookup,
  feedHeadOf,
} from "../events/feed-repository.ts";
import type { ChangeReference } from "../events/kind.ts";
import { type StockUnits, stockUnits } from "../stock/stock.ts";
import type { StockPlace } from "../stock/stock-repository.ts";
import { compressed } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import { type FindItem, getItem, getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { transactionLimit } from "../store/dynamodb/transact.ts";
import { type Insert, stale, type Write } from "../store/dynamodb/writes.ts";
import { entriesOf, findPublished, type SoughtChange } from "./published-changes.ts";

const table = "events";

/** Days after which DynamoDB deletes what lies in the feed: later than it is kept, so that no kept event lacks. */
const daysStored = retentionDays + 2;

const noUnits: StockUnits = { on_hand: 0, reserved: 0, incoming: 0 };

export const publishedLevelLookup = ({ product_id, distribution_center_id }: StockPlace): Lookup => ({
  table,
  key: { pk: joined("published-level", product_id, distribution_center_id), sk: only },
});

/** What is published of an account so far. */
export interface FeedState {
  /** The head's item; undefined where the account has no event yet. */
  readonly head: RawItem | undefined;
  /** When the head had been read, ISO 8601 UTC. All that lies in the feed was stored by then. */
  readonly read_at: string;
  /** Whether the events of a change are in the feed, by the change's `source`. */
  readonly has: (source: string) => boolean;
  /** A level as the feed told of it last. */
  readonly levelAt: (place: StockPlace) => StockUnits;
}

/** Reads what is published of these changes and places: two round trips, of which the head's is the first. */
export async function readFeedState(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
  places: readonly StockPlace[],
): Promise<FeedState> {
  const head = await getItem(db, feedHeadLookup(accountId));
  const read_at = new Date().toISOString();
  const [has, find] = await Promise.all([
    findPublished(db, accountId, changes),
    getItems(db, places.map(publishedLevelLookup)),
  ]);
  return {
    head,
    read_at,
    has,
    levelAt: levelsFound(find),
  };
}

/**
 * Looks at the head again, for a read unit. Two publishers often begin at once, as one call changes several tables; the later
 * one's transaction would be refused, and charged all the same.
 * @throws Stale where others have stored events since `published` was read
 */
export async function expectSameHead(db: Database, accountId: number, { head }: FeedState): Promise<void> {
  const now = await getItem(db, feedHeadLookup(accountId));
  if (now?.["sequence"] !== head?.["sequence"]) throw stale();
}

/** Levels as the feed told of them last: one round trip. */
export async function readPublishedLevels(
  db: Database,
  places: readonly StockPlace[],
): Promise<FeedState["levelAt"]> {
  const find = await getItems(db, places.map(publishedLevelLookup));
  return levelsFound(find);
}

const levelsFound =
  (find: FindItem): FeedState["levelAt"] =>
  (place) => {
    const item = find(publishedLevelLookup(place));
    return item === undefined ? noUnits : z.parse(stockUnits, item);
  };

/** What is stored together: events, the changes that they tell of, and the levels that they lead to. */
export interface FeedBatch {
  readonly events: readonly Event[];
  readonly changes: readonly ChangeReference[];
  readonly levels: readonly (readonly [place: StockPlace, level: StockUnits])[];
}

/** Items that the changes of a publication may add to the head and the chunk: the entries of their records, and levels. */
export const maxAdded = transactionLimit - 2;

/**
 * Stores the next events of an account; stale where others have stored some since the head was read.
 * @throws where there are none: the head would lose its place
 */
export function feedWrites(
  accountId: number,
  { head, read_at }: Pick<FeedState, "head" | "read_at">,
  { events, changes, levels }: FeedBatch,
): readonly Write[] {
  const before = feedHeadOf(head, read_at).sequence;
  const last = events.at(-1)?.sequence;
  if (last === undefined) throw new Error("there are no events to be stored");
  const expires_at = secondsAfter(read_at, daysStored);
  const { sk } = feedBatchKey(accountId, last);
  return [
    moveHead(accountId, head, { before, last }, read_at),
    put({ ...feedBatchKey(accountId, last), content: fitting(events), expires_at }),
    ...entriesOf(accountId, changes, read_at).map((entry) => put({ ...entry, sk, expires_at })),
    ...levels.map(([place, level]): Write => {
      const { key } = publishedLevelLookup(place);
      return { kind: "change", table, key, set: { ...level }, when: [], own: true, rejection: stale };
    }),
  ];
}

/** Puts an item whose key is nobody else's, as the head vouches. */
const put = (item: Insert["item"]): Insert => ({ kind: "insert", table, item, own: true, rejection: stale });

/** Moves the head to `last`. The first events of a day note where the day begins, and the days that are over go. */
function moveHead(
  accountId: number,
  head: RawItem | undefined,
  { before, last }: { readonly before: number; readonly last: number },
  now: string,
): Write {
  const { key } = feedHeadLookup(accountId);
  const today = dayOf(now);
  const days = head === undefined ? [] : daysOfHead(head);
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
    rejection: stale,
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
