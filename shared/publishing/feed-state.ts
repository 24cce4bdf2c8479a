/**
 * What the publisher reads of an account's feed, and how it stores a batch of events. Every transaction moves the feed's
 * head, on the condition that it has not moved since it was read. So what is read after the head still holds then.
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

/** Days after which DynamoDB deletes items of the feed: longer than the retention, so that no retained event is deleted early. */
const daysStored = retentionDays + 2;

const noUnits: StockUnits = { on_hand: 0, reserved: 0, incoming: 0 };

export const publishedLevelLookup = ({ product_id, distribution_center_id }: StockPlace): Lookup => ({
  table,
  key: { pk: joined("published-level", product_id, distribution_center_id), sk: only },
});

/** The feed of an account, as far as a batch needs it. */
export interface FeedState {
  /** The head's item; undefined if the account has no event yet. */
  readonly head: RawItem | undefined;
  /** When the head had been read, ISO 8601 UTC. Everything below the head was stored by then. */
  readonly read_at: string;
  /** Whether the events of a change are published, by its `source`. */
  readonly has: (source: string) => boolean;
  /** A level as it was last published. */
  readonly levelAt: (place: StockPlace) => StockUnits;
}

/** Reads the state of the feed for these changes and places in two round trips, the head in the first. */
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
  return { head, read_at, has, levelAt: levelsFound(find) };
}

/**
 * Reads the head again, for one read unit. Two publishers often begin at once, since one call changes several tables. The
 * later one's transaction would fail, and be charged all the same.
 * @throws Stale if the head has moved
 */
export async function expectSameHead(db: Database, accountId: number, { head }: FeedState): Promise<void> {
  const now = await getItem(db, feedHeadLookup(accountId));
  if (now?.["sequence"] !== head?.["sequence"]) throw stale();
}

/** Levels as they were last published: one round trip. */
export async function readPublishedLevels(
  db: Database,
  places: readonly StockPlace[],
): Promise<FeedState["levelAt"]> {
  return levelsFound(await getItems(db, places.map(publishedLevelLookup)));
}

const levelsFound =
  (find: FindItem): FeedState["levelAt"] =>
  (place) => {
    const item = find(publishedLevelLookup(place));
    return item === undefined ? noUnits : z.parse(stockUnits, item);
  };

/** What is stored together: events, the changes that emitted them, and the levels that they lead to. */
export interface FeedBatch {
  readonly events: readonly Event[];
  readonly changes: readonly ChangeReference[];
  readonly levels: readonly (readonly [place: StockPlace, level: StockUnits])[];
}

/** Items that a batch may store besides the head and its events: entries of records, and levels. */
export const maxAdded = transactionLimit - 2;

/** Stores the next events of an account; stale if the head has moved. @throws if there are no events */
export function feedWrites(
  accountId: number,
  { head, read_at }: Pick<FeedState, "head" | "read_at">,
  { events, changes, levels }: FeedBatch,
): readonly Write[] {
  const before = feedHeadOf(head, read_at).sequence;
  const last = events.at(-1)?.sequence;
  if (last === undefined) throw new Error("there are no events to store");
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

/** Inserts an item whose key no other publisher uses, because the head's condition holds. */
const put = (item: Insert["item"]): Insert => ({ kind: "insert", table, item, own: true, rejection: stale });

/** Moves the head to `last`. The first batch of a day notes the first sequence of the day, and drops expired days. */
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
  const expired = days.filter(([day]) => day < today - daysStored).map(([day]) => dayAttribute(day));
  const unmoved = { attribute: "sequence", equals: before } as const;
  return {
    kind: "change",
    table,
    key,
    set: { sequence: last, ...(isFirstOfDay ? { [dayAttribute(today)]: before + 1 } : {}) },
    remove: expired,
    when: [head === undefined ? { attribute: "sequence", is: "absent" } : unmoved],
    rejection: stale,
  };
}

/** Bytes that the events of an item may take. DynamoDB allows 409,600 for the whole item. */
const maxContentBytes = 390_000;

/**
 * Events as bytes. Events that do not fit into an item lose the earlier values, and if that is not enough the records.
 * This takes a record that nearly fills its own item with text that can't be compressed.
 */
function fitting(events: readonly Event[]): Uint8Array {
  const whole = compressed(events);
  if (whole.length <= maxContentBytes) return whole;
  const shorter = compressed(events.map((one) => ({ ...one, previous: null })));
  if (shorter.length <= maxContentBytes) return shorter;
  return compressed(events.map((one) => ({ ...one, data: null, previous: null })));
}
