import type * as z from "zod/mini";
import type { PublishedChange } from "../data/published-changes.ts";
import type { StockPlace } from "../data/stock.ts";
import type { Event } from "../domain/events/event.ts";
import { same } from "../domain/same.ts";
import type { StockUnits } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";
import type { RawItem } from "../store/reads.ts";
import type { TableName } from "../store/tables.ts";
import type { Change } from "../streams/change.ts";

/** What happened to a record, and the record as it is since then. */
export interface Happened {
  readonly type: string;
  readonly data: object;
  /** The earlier values of the fields that changed; null for a new record. */
  readonly previous: object | null;
}

/** By how many units a stock level changed, and why. The publisher adds the units to the level that it published last. */
export interface Moved {
  readonly type: string;
  readonly place: StockPlace & { readonly sku: string; readonly distribution_center: string };
  readonly units: StockUnits;
  readonly why: RawItem;
}

/** What one change of an item makes known. */
export interface ChangeEvents
  extends PublishedChange,
    Pick<Event, "account_id" | "occurred_at" | "by" | "version"> {
  readonly happened: readonly (Happened | Moved)[];
}

/** The events of a change, and when it was made (ISO 8601 UTC). */
export interface Told {
  readonly changeEvents: ChangeEvents;
  readonly changed_at: string;
}

/** A kind of record whose changes become events. A kind is one file, listed in `kinds/index.ts`. */
export interface EventKind {
  /** What subjects of this kind are called. */
  readonly subject: string;
  /** The items of which it is told: their table, and how their `pk` begins. */
  readonly changesOf: {
    readonly table: TableName;
    readonly prefixes: readonly string[];
    /** The texts that the items have, by attribute, where other items of the table have such keys, too. */
    readonly where?: Readonly<Record<string, string>>;
  };
  /** The types of its events, and what each says. */
  readonly types: Readonly<Record<string, string>>;
  /** What an event's `data` shows. */
  readonly record: z.ZodMiniObject;
  /** What each of these changes makes known, in their order; undefined where that is nothing. */
  readonly tell: (db: Database, changes: readonly Change[]) => Promise<readonly (ChangeEvents | undefined)[]>;
}

/** The places whose stock levels the events of a change move. */
export const placesIn = ({ happened }: ChangeEvents): readonly StockPlace[] =>
  happened.flatMap((one) => ("place" in one ? [one.place] : []));

/** The earlier values of the fields that changed. */
export function changedFrom(before: object, after: object): object {
  const later = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => !same(value, later.get(name))));
}
