/**
 * Reads the state of an account's feed for the publisher, and stores batches of events. Every transaction
 * moves the feed's head, on the condition that it has not moved since it was read. So everything that was
 * read after the head is still valid.
 */

import { dayOf, secondsAfter } from "../common/times.ts";
import { daysStored, type Event } from "../events/event.ts";
import {
  dayAttribute,
  type FeedHead,
  feedBatchKey,
  feedHeadLookup,
  feedHeadOf,
  readFeedHead,
} from "../events/feed-repository.ts";
import type { ChangeReference } from "../events/kind.ts";
import { type StockKey, type StockUnits, stockUnits } from "../stock/stock.ts";
import { compress } from "../store/dynamodb/compressed.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItem, getItems, type Lookup, parsed } from "../store/dynamodb/reads.ts";
import { transactionLimit } from "../store/dynamodb/transact.ts";
import { type Insert, stale, still, type Write } from "../store/dynamodb/writes.ts";
import type { FeedMemories } from "./feed-memory.ts";
import { findPublished, publishedEntries, type SoughtChange } from "./published-changes.ts";

const table = "events";

const noUnits: StockUnits = { on_hand: 0, reserved: 0, incoming: 0 };

export const publishedLevelLookup = ({ product_id, distribution_center_id }: StockKey): Lookup =>
  aloneAt(table, "published-level", product_id, distribution_center_id);

export interface FeedState {
  readonly head: FeedHead;
  /** When the read of the head was complete, ISO 8601 UTC. Everything up to the head was stored by then. */
  readonly read_at: string;
  /** Whether the events of the change with this `source` are published. */
  readonly has: (source: string) => boolean;
  readonly levelAt: (key: StockKey) => StockUnits;
}

/** Takes two round trips, the head in the first. `memories` saves reading what was read before. */
export async function readFeedState(
  db: Database,
  accountId: number,
  changes: readonly SoughtChange[],
  stockKeys: readonly StockKey[],
  memories: FeedMemories = new Map(),
): Promise<FeedState> {
  const item = await getItem(db, feedHeadLookup(accountId));
  const read_at = new Date().toISOString();
  const head = feedHeadOf(item, read_at);
  const [has, levelAt] = await Promise.all([
    findPublished(db, accountId, changes, { sequence: head.sequence, read_at }, memories),
    readPublishedLevels(db, stockKeys),
  ]);
  return { head, read_at, has, levelAt };
}

/**
 * Publishers often start at the same time: the transaction of the later one would fail, and be charged.
 * @throws Stale
 */
export async function expectSameHead(
  db: Database,
  accountId: number,
  { head, read_at }: FeedState,
): Promise<void> {
  const now = await readFeedHead(db, accountId, read_at);
  if (now.sequence !== head.sequence) throw stale();
}

/** The last published levels, in one round trip. */
export async function readPublishedLevels(
  db: Database,
  stockKeys: readonly StockKey[],
): Promise<FeedState["levelAt"]> {
  const find = await getItems(db, stockKeys.map(publishedLevelLookup));
  return (key) => parsed(stockUnits, find(publishedLevelLookup(key))) ?? noUnits;
}

/** A change, and when it was stored (ISO 8601, to the second). */
type StoredChange = ChangeReference & Pick<SoughtChange, "changed_at">;

/** Events, the changes that emitted them, and the resulting levels, stored in one transaction. */
export interface NewFeedBatch {
  readonly events: readonly Event[];
  readonly changes: readonly StoredChange[];
  readonly levels: readonly (readonly [stock: StockKey, level: StockUnits])[];
}

/** Maximum items of a batch besides the head and the events: entries of records, and levels. */
export const maxAdded = transactionLimit - 2;

/**
 * The writes of an account's next events; stale if the head has moved.
 * @throws if there are no events
 */
export function feedWrites(
  accountId: number,
  { head, read_at }: Pick<FeedState, "head" | "read_at">,
  { events, changes, levels }: NewFeedBatch,
): readonly Write[] {
  const last = events.at(-1)?.sequence;
  if (last === undefined) throw new Error("there are no events to store");
  const expires_at = secondsAfter(read_at, daysStored);
  const { sk } = feedBatchKey(accountId, last);
  return [
    moveHead(accountId, head, { last, lag: ageOfOldest(events, changes, read_at) }, read_at),
    put({ ...feedBatchKey(accountId, last), content: fitting(events), published_at: read_at, expires_at }),
    ...publishedEntries(accountId, changes, read_at).map((entry) => put({ ...entry, sk, expires_at })),
    ...levels.map(([stock, level]): Write => {
      const { key } = publishedLevelLookup(stock);
      return { kind: "change", table, key, set: { ...level }, when: [], ignoresLocks: true };
    }),
  ];
}

/**
 * How long the oldest change has been stored at a time (ISO 8601), in milliseconds. Events have exact times,
 * but the end of a hold is stored up to a minute after its time.
 */
function ageOfOldest(events: readonly Event[], changes: readonly StoredChange[], now: string): number {
  const ageOf = (times: readonly string[]) =>
    Math.max(...times.map((at) => Date.parse(now) - Date.parse(at)));
  return Math.min(
    ageOf(events.map(({ occurred_at }) => occurred_at)),
    ageOf(changes.map(({ changed_at }) => changed_at)),
  );
}

/** Inserts an item whose key no other publisher uses, because the head's condition holds. */
const put = (item: Insert["item"]): Insert => ({ kind: "insert", table, item, neverFails: true });

/** Moves the head to `last`. The first batch of a day notes its first sequence, and drops expired days. */
function moveHead(
  accountId: number,
  { sequence, days }: FeedHead,
  { last, lag }: { readonly last: number; readonly lag: number },
  now: string,
): Write {
  const { key } = feedHeadLookup(accountId);
  const today = dayOf(now);
  const unmoved = still("sequence", sequence === 0 ? undefined : sequence);
  const isFirstOfDay = !days.some(([day]) => day >= today);
  const expired = days.filter(([day]) => day < today - daysStored).map(([day]) => dayAttribute(day));
  return {
    kind: "change",
    table,
    key,
    set: {
      sequence: last,
      published_at: now,
      lag,
      ...(isFirstOfDay ? { [dayAttribute(today)]: sequence + 1 } : {}),
    },
    remove: expired,
    when: [unmoved],
  };
}

/** Maximum bytes of the events in an item. DynamoDB allows 409,600 for the whole item. */
const maxContentBytes = 390_000;

/**
 * Compresses events. If they do not fit into an item, `previous` is dropped, and then `data` if that is not
 * enough. This happens only if a record nearly fills its own item with incompressible text.
 */
function fitting(events: readonly Event[]): Uint8Array {
  const whole = compress(events);
  if (whole.length <= maxContentBytes) return whole;
  const shorter = compress(events.map((one) => ({ ...one, previous: null })));
  if (shorter.length <= maxContentBytes) return shorter;
  return compress(events.map((one) => ({ ...one, data: null, previous: null })));
}
