import type * as z from "zod/mini";
import { isDeepEqual } from "../common/deep-equal.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import type { TableName } from "../store/tables.ts";
import type { ItemChange } from "../streams/change.ts";
import type { Event } from "./event.ts";

/** What happened to a record, and the record as it is since then. */
export interface EventDraft {
  readonly type: string;
  readonly data: object;
  /** The earlier values of the fields that changed; null for a new record. */
  readonly previous: object | null;
}

/** A product in one distribution center. */
interface StockPlace {
  readonly product_id: number;
  readonly distribution_center_id: number;
}

/** By how many units a stock level changed, and why. The publisher adds the units to the level that it published last. */
export interface StockLevelChanged {
  readonly type: string;
  readonly place: StockPlace & { readonly sku: string; readonly distribution_center: string };
  readonly units: { readonly on_hand: number; readonly reserved: number; readonly incoming: number };
  readonly why: RawItem;
}

/** A change, and the record that its events are about. */
export interface ChangeReference extends Pick<Event, "subject"> {
  /** Names the change: the same however often the change is told, as its subject is. */
  readonly source: string;
}

/** What one change of an item makes known. */
export interface PendingEvents
  extends ChangeReference,
    Pick<Event, "account_id" | "occurred_at" | "by" | "version"> {
  readonly happened: readonly (EventDraft | StockLevelChanged)[];
}

/** The events of a change, and when it was made (ISO 8601 UTC). */
export interface Told {
  readonly changeEvents: PendingEvents;
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
  readonly tell: (
    db: Database,
    changes: readonly ItemChange[],
  ) => Promise<readonly (PendingEvents | undefined)[]>;
}

/** The places whose stock levels the events of a change move. */
export const stockPlacesIn = ({ happened }: PendingEvents): readonly StockPlace[] =>
  happened.flatMap((one) => ("place" in one ? [one.place] : []));

/** The earlier values of the fields that changed. */
export function previousValues(before: object, after: object): object {
  const later = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => !isDeepEqual(value, later.get(name))),
  );
}
