/**
 * Reservations that are refused if units are short, decided by the transaction that stores them.
 *
 * The stock of a product in a center is read first: its record and, if it is sharded, all of its shards. What
 * is available beyond the reservation is spare, and is divided among the record and the shards. The
 * transaction reserves on the record. Its conditions are that each item still has the units on hand that were
 * read, and that others have reserved at most its share of the spare units on it since. So other orders may
 * be stored in between as long as enough is left, and no interleaving sells a unit twice.
 *
 * For example, a record has 10 units on hand and 4 reserved, and its one shard 2 and 1, so 7 are available.
 * An order of 3 leaves 4 spare, 2 for each item. It is stored if the record still has at least 10 on hand and
 * at most 6 reserved, and the shard at least 2 on hand and at most 3 reserved.
 *
 * A refusal has no conditions, but the record and the shards were read one after another. Units that were
 * given back on one and then taken on another may have been read as taken on both. So before a refusal, they
 * are read again, and if one has more available, the call is decided again.
 */

import { stockList } from "../catalog/products/product-lists.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { backOff } from "../store/dynamodb/retry.ts";
import { readShards, type ValuePart, valuePartsOf } from "../store/dynamodb/sharded-counter.ts";
import { type Change, type Condition, stale, type Write } from "../store/dynamodb/writes.ts";
import { unitsByStock, withoutHeld } from "./holds/hold.ts";
import { areStillHeld, endedHoldsOf, releaseEnded } from "./holds/hold-repository.ts";
import { entryCounted, entryMovements } from "./movements/movement-repository.ts";
import {
  available,
  type StockChange,
  type StockEntry,
  type StockKey,
  type StockLevel,
  stockKeyText,
} from "./stock.ts";
import { levelOf, readStockRecords } from "./stock-repository.ts";

/** Stock that has too little for an entry. */
export interface Shortage extends StockKey {
  /** Units by which the entry exceeds what is available. */
  readonly missing: number;
  /** Code of the distribution center. */
  readonly distribution_center: string;
}

/** One product's stock in one center as it was read, and what earlier reservations of the call add to it. */
interface ReadStock {
  readonly level: StockLevel;
  readonly parts: readonly [ValuePart, ...ValuePart[]];
  reserved: number;
}

/** The end of an error about a short line: what is available to it, and the units that it requests. */
export function shortMessage(
  { missing, distribution_center }: Shortage,
  sku: string | undefined,
  wanted: number,
): string {
  const left = Math.max(0, wanted - missing);
  return `is short: ${left} of ${sku} available in ${distribution_center}, ${wanted} wanted`;
}

/** The stock that a call reserves from. Reservations of one call build on one another. */
export interface Supply {
  /** The level as it was read; undefined if the center does not keep the product. */
  readonly levelAt: (stock: StockKey) => StockLevel | undefined;
  /** Notes the changes of the call once they are final. They may exceed what is available. */
  readonly note: (changes: readonly StockChange[]) => void;
  /**
   * The writes of these entries, or the stock that is short of what they take. Entries of 0 are allowed: they
   * only require that the stock is not short. The writes are stale if the stock is taken meanwhile.
   */
  readonly reserve: (
    entries: readonly StockEntry[],
  ) => { readonly writes: () => readonly Write[] } | { readonly short: readonly [Shortage, ...Shortage[]] };
}

/**
 * Decides on a call with this stock: one round trip, one more if some is sharded, and one more if sharded
 * stock was found short; none without keys. It runs in `untilFresh`.
 * @throws Stale if stock was found short of which more may be available than was read; Busy if others do not
 * end holds in time
 */
export async function withSupply<T>(
  db: Database,
  keys: readonly StockKey[],
  decide: (supply: Supply) => T,
): Promise<T> {
  const foundShort = new Set<ReadStock>();
  const decided = decide(supplyOf(await readAll(db, keys), foundShort));
  await confirmShort(db, [...foundShort]);
  return decided;
}

/**
 * Reads this stock. If units are held, holds that have ended are released first; a dry run only leaves them
 * out. That takes two more round trips, as in `withoutEnded`.
 */
async function readAll(db: Database, keys: readonly StockKey[], attempt = 1): Promise<readonly ReadStock[]> {
  const itemAt = await readStockRecords(db, keys);
  const items = keys.map(itemAt).filter((item) => item !== undefined);
  // Only the records count held units, so finding the holds takes no shards.
  const levels = items.map((item) => levelOf(item, []));
  const ended = await endedHoldsOf(db, levels);
  // A dry run gives nothing back; it only leaves out what has ended.
  const isReleasing = ended.length > 0 && db.dryRun === undefined;
  if (isReleasing || !(await areStillHeld(db, levels))) {
    const { released, stopped } = isReleasing ? await releaseEnded(db, ended) : { released: 0 };
    if (stopped !== undefined) throw stopped.error;
    // Others are ending the rest, or have given back a hold since its stock was read.
    if (!isReleasing || released < ended.length) await backOff(attempt);
    return readAll(db, keys, attempt + 1);
  }
  const endedUnits = unitsByStock(ended);
  const shardsOf = await readShards(db, stockList.table, items);
  return items.map((item): ReadStock => {
    const shards = shardsOf(item);
    const read = levelOf(item, shards);
    const level = withoutHeld(read, endedUnits.get(stockKeyText(read)));
    return { level, parts: valuePartsOf(item, shards), reserved: 0 };
  });
}

function supplyOf(stock: readonly ReadStock[], foundShort: Set<ReadStock>): Supply {
  const read = new Map(stock.map((one) => [stockKeyText(one.level), one]));
  const stockAt = (key: StockKey): ReadStock => {
    const found = read.get(stockKeyText(key));
    if (found === undefined) throw new Error(`there is no stock of ${stockKeyText(key)} to reserve from`);
    return found;
  };
  return {
    levelAt: (stock) => read.get(stockKeyText(stock))?.level,
    note: (changes) => {
      for (const change of changes) {
        const changed = read.get(stockKeyText(change));
        if (changed !== undefined) changed.reserved += change.reserved;
      }
    },
    reserve: (entries) => {
      const wanted = entries.map((entry) => {
        const from = stockAt(entry);
        const earlier = from.reserved;
        return { entry, from, earlier, spare: available(from.level) - earlier - entry.reserved };
      });
      const short = wanted.filter(({ spare }) => spare < 0);
      for (const { from } of short) foundShort.add(from);
      const [first, ...others] = short.map(({ from: { level }, spare }) => ({ ...level, missing: -spare }));
      if (first !== undefined) return { short: [first, ...others] };
      return {
        writes: () =>
          wanted.flatMap(({ entry, from: { parts }, earlier, spare }) =>
            reservingWrites(parts, entry, { earlier, spare }),
          ),
      };
    },
  };
}

/** @throws Stale if more of some stock may be available than was read */
async function confirmShort(db: Database, stock: readonly ReadStock[]): Promise<void> {
  const parts = stock.flatMap((one) => (one.parts.length > 1 ? one.parts : []));
  const lookupOf = ({ key }: ValuePart): Lookup => ({ table: stockList.table, key });
  const find = await getItems(db, parts.map(lookupOf));
  const availableIn = (item: RawItem | undefined) =>
    Number(item?.["on_hand"] ?? 0) - Number(item?.["reserved"] ?? 0);
  if (parts.some((part) => availableIn(find(lookupOf(part))) > availableIn(part.item))) throw stale();
}

/**
 * The writes that reserve an entry. `spare` units are left once it is stored, which the conditions divide
 * among the record and its shards. The record's condition also allows what `earlier` entries of the call
 * reserve.
 */
export function reservingWrites(
  [record, ...shards]: readonly [ValuePart, ...ValuePart[]],
  entry: StockEntry,
  { earlier, spare }: { readonly earlier: number; readonly spare: number },
): readonly Write[] {
  const share = Math.floor(spare / (shards.length + 1));
  return [
    guardedChange(record, entryCounted(entry), earlier + spare - share * shards.length),
    ...shards.map((shard) => guardedChange(shard, { reserved: 0 }, share)),
    ...entryMovements(entry),
  ];
}

/** Adds to an item, on the condition that others reserved at most `spare` units on it since it was read. */
function guardedChange(
  { key, item, when }: ValuePart,
  add: Readonly<Record<string, number>>,
  spare: number,
): Change {
  const [onHand, reserved] = [item?.["on_hand"], item?.["reserved"]];
  const bounds: readonly Condition[] = [
    typeof onHand === "number"
      ? { attribute: "on_hand", atLeast: onHand }
      : { attribute: "on_hand", is: "absent" },
    reservedAtMost(item, reserved, spare),
  ];
  return { kind: "change", table: stockList.table, key, add, when: [...when, ...bounds] };
}

/** A shard that is not stored yet may be stored meanwhile by another order that only checked it. */
function reservedAtMost(item: RawItem | undefined, reserved: unknown, spare: number): Condition {
  const attribute = "reserved";
  if (typeof reserved === "number") return { attribute, atMost: reserved + spare };
  return item === undefined ? { attribute, equalsOrNew: 0 } : { attribute, is: "absent" };
}
