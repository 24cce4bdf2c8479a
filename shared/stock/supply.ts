/**
 * Reservations that are refused if units are short, decided by the transaction that stores them.
 *
 * The stock of a place is read first: its record and, if it is sharded, all of its shards. What is available
 * beyond the reservation is spare. The transaction reserves on the record, on the condition that each of the
 * items holds at least the units on hand that were read, and that their reserved units did not grow by more
 * than the spare ones, of which each item is given a share. So other orders may be stored in between as long
 * as enough is left, and no interleaving sells a unit twice.
 */
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { type Change, type Condition, stale, type Write } from "../store/dynamodb/writes.ts";
import { stockList } from "../store/lists/definitions.ts";
import { type Counter, countersOf, readShards } from "../store/sharded-counter.ts";
import { insertMovement, movementCounted } from "./movements/movement-repository.ts";
import {
  available,
  type Cause,
  type StockChange,
  type StockLevel,
  type StockPlace,
  stockPlaceKey,
} from "./stock.ts";
import { levelOf, readRecords } from "./stock-repository.ts";

/** A place that has less than a call asks for. */
export interface Shortage extends StockPlace {
  /** Units that the call could have; negative if there is a backorder without it. */
  readonly available: number;
  /** Code of the distribution center. */
  readonly distribution_center: string;
}

/** Stock of one place as it was read, and what earlier reservations of the call add to it. */
interface Place {
  readonly level: StockLevel;
  readonly counters: readonly [Counter, ...Counter[]];
  reserved: number;
}

/** The stock that a call reserves from. Reservations of one call build on one another. */
export interface Supply {
  /** Takes note of a reservation that may exceed what is available. */
  readonly note: (changes: readonly StockChange[]) => void;
  /**
   * The writes of changes that leave nothing short at their places, and the places that are short. Changes of
   * 0 are allowed: they only require that the place is not short. Stale if the stock that is needed is taken
   * in between.
   */
  readonly take: (
    changes: readonly StockChange[],
    cause: Cause,
  ) => { readonly writes: readonly Write[]; readonly short: readonly Shortage[] };
}

/** Reads the stock at these places: one round trip, and one more if some is sharded; none without places. */
export async function readSupply(db: Database, places: readonly StockPlace[]): Promise<Supply> {
  const itemAt = await readRecords(db, places);
  const items = places.map(itemAt).filter((item) => item !== undefined);
  const shardsOf = await readShards(db, stockList.table, items);
  const read = new Map(places.map((place) => [stockPlaceKey(place), placeOf(itemAt(place), shardsOf)]));
  const placeAt = (change: StockChange): Place => {
    const place = read.get(stockPlaceKey(change));
    if (place === undefined) throw new Error(`stock of ${stockPlaceKey(change)} was not read`);
    return place;
  };
  const left = ({ level, reserved }: Place) => available(level) - reserved;
  return {
    note: (changes) => {
      for (const change of changes) {
        const place = read.get(stockPlaceKey(change));
        if (place !== undefined) place.reserved += change.reserved;
      }
    },
    take: (changes, cause) => {
      const short = changes.flatMap((change): readonly Shortage[] => {
        const place = placeAt(change);
        if (left(place) >= change.reserved) return [];
        const { distribution_center } = place.level;
        return [{ ...change, available: left(place), distribution_center }];
      });
      if (short.length > 0) return { writes: [], short };
      const writes = changes.flatMap((change) => {
        const place = placeAt(change);
        const earlier = place.reserved;
        const spare = left(place) - change.reserved;
        place.reserved += change.reserved;
        return reservingWrites(place.counters, change, { earlier, spare }, cause);
      });
      return { writes, short };
    },
  };
}

function placeOf(item: RawItem | undefined, shardsOf: (item: RawItem) => readonly RawItem[]): Place {
  // A center has stock of a product before orders are reserved there.
  if (item === undefined) throw new Error("there is no stock to reserve from");
  const shards = shardsOf(item);
  return { level: levelOf(item, shards), counters: countersOf(item, shards), reserved: 0 };
}

/** The least units on hand and the most reserved units of each item, which add up to enough. */
export function reservingWrites(
  [record, ...shards]: readonly [Counter, ...Counter[]],
  change: StockChange,
  { earlier, spare }: { readonly earlier: number; readonly spare: number },
  cause: Cause,
): readonly Write[] {
  const share = Math.floor(spare / (shards.length + 1));
  const { on_hand, reserved } = change;
  const isMoved = on_hand !== 0 || reserved !== 0;
  const counted = { reserved, ...(on_hand !== 0 && { on_hand }), ...(isMoved && movementCounted(cause)) };
  return [
    guarded(record, counted, earlier + spare - share * shards.length),
    ...shards.map((shard) => guarded(shard, { reserved: 0 }, share)),
    ...(isMoved ? [insertMovement(change, cause)] : []),
  ];
}

/** Adds to an item, on the condition that others reserved at most `spare` units on it since it was read. */
function guarded({ key, item, when }: Counter, add: Readonly<Record<string, number>>, spare: number): Change {
  const bounds = Object.entries({ on_hand: 0, reserved: spare }).map(([attribute, more]): Condition => {
    const read = item?.[attribute];
    if (typeof read !== "number") return { attribute, is: "absent" };
    return attribute === "on_hand" ? { attribute, atLeast: read } : { attribute, atMost: read + more };
  });
  return { kind: "change", table: stockList.table, key, add, when: [...when, ...bounds], rejection: stale };
}
