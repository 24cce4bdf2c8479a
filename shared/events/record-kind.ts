import * as z from "zod/mini";
import { joined } from "../store/keys.ts";
import type { BlockList } from "../store/lists/definitions.ts";
import type { Change } from "../streams/change.ts";
import { changedFrom, type EventKind, type Tidings } from "./kind.ts";

/** What every record has that events tell of. */
interface Recorded {
  readonly account_id: number;
  /** ISO 8601 UTC. */
  readonly updated_at: string;
  /** Rises with every change. */
  readonly version: number;
}

/** What of a kind of record is its own. */
interface Particulars<T> extends Pick<EventKind, "subject" | "types" | "record"> {
  readonly list: BlockList;
  /** The day since which its events have their present shape. */
  readonly version: string;
  /** How a record is stored. */
  readonly stored: z.ZodMiniType<T>;
  readonly idOf: (record: T) => number;
  /** A record as clients see it. What `record` does not declare is left out. */
  readonly present: (record: T) => object;
  /** The types of the events of `after` in place of `before`. A new record has no `before`. */
  readonly typesOf: (before: T | undefined, after: T) => readonly string[];
}

/** The items of a list: how their `pk` begins. */
export const itemsOfList = ({ table, name }: BlockList): EventKind["changesOf"] => ({
  table,
  prefixes: [joined(name, "")],
});

/** What `after` in place of `before` makes known; undefined where that is nothing, or is known already. */
export function tidingsOf<T extends Recorded>(
  { subject, version, record, idOf, present, typesOf }: Omit<Particulars<T>, "list">,
  before: T | undefined,
  after: T,
  by: string | null = null,
): Tidings | undefined {
  // Items also change in what is none of the record's: its place in an index, or its hold for steps.
  if (before?.version === after.version) return undefined;
  const types = typesOf(before, after);
  if (types.length === 0) return undefined;
  const shown = (one: T): object => z.parse(record, present(one));
  const data = shown(after);
  const previous = before === undefined ? null : changedFrom(shown(before), data);
  const id = String(idOf(after));
  return {
    source: joined(subject, id, after.version),
    version,
    account_id: after.account_id,
    occurred_at: after.updated_at,
    by,
    subject: { kind: subject, id },
    happened: types.map((type) => ({ type, data, previous })),
  };
}

/** The record before and after a change; undefined where the change took the record away. */
export function recordsIn<T>(
  { stored }: Pick<Particulars<T>, "stored">,
  { before, after }: Change,
): { readonly before: T | undefined; readonly after: T } | undefined {
  if (after === undefined) return undefined;
  return { before: before && z.parse(stored, before), after: z.parse(stored, after) };
}

/** A kind of record that does not say who changed it. */
export const recordKind = <T extends Recorded>(particulars: Particulars<T>): EventKind => ({
  subject: particulars.subject,
  changesOf: itemsOfList(particulars.list),
  types: particulars.types,
  record: particulars.record,
  tell: async (_db, changes) =>
    changes.map((change) => {
      const records = recordsIn(particulars, change);
      return records && tidingsOf(particulars, records.before, records.after);
    }),
});
