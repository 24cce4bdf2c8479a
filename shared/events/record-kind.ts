import * as z from "zod/mini";
import { joined } from "../store/dynamodb/keys.ts";
import type { BlockList } from "../store/lists/definitions.ts";
import type { ItemChange } from "../streams/change.ts";
import { type EventKind, type PendingEvents, previousValues } from "./kind.ts";

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

/** What happened to a record that is `after` now; undefined where nothing did. Its version names the change. */
export function pendingEventsOf<T extends Recorded>(
  { subject, version, idOf }: Pick<Particulars<T>, "subject" | "version" | "idOf">,
  after: T,
  by: string | null,
  happened: PendingEvents["happened"],
): PendingEvents | undefined {
  if (happened.length === 0) return undefined;
  const id = String(idOf(after));
  return {
    source: joined(subject, id, after.version),
    version,
    account_id: after.account_id,
    occurred_at: after.updated_at,
    by,
    subject: { kind: subject, id },
    happened,
  };
}

/** The events of `after` in place of `before`. */
function happenedTo<T>(
  { record, present, typesOf }: Particulars<T>,
  before: T | undefined,
  after: T,
): PendingEvents["happened"] {
  const shown = (one: T): object => z.parse(record, present(one));
  const data = shown(after);
  const previous = before === undefined ? null : previousValues(shown(before), data);
  return typesOf(before, after).map((type) => ({ type, data, previous }));
}

/**
 * The record before and after a change. Undefined where the change took the record away, or left its version as it was: items also
 * change in what is none of the record's, such as its place in an index or its hold for steps.
 */
export function recordVersionsIn<T extends Recorded>(
  { stored }: Pick<Particulars<T>, "stored">,
  change: ItemChange,
): { readonly before: T | undefined; readonly after: T } | undefined {
  if (change.after === undefined) return undefined;
  const before = change.before && z.parse(stored, change.before);
  const after = z.parse(stored, change.after);
  return before?.version === after.version ? undefined : { before, after };
}

/** A kind of record that does not say who changed it. `changesOf` are the items of its list, where it has one. */
export const recordEvents = <T extends Recorded>(
  particulars: Particulars<T> & (Pick<EventKind, "changesOf"> | { readonly list: BlockList }),
): EventKind => ({
  subject: particulars.subject,
  changesOf: "list" in particulars ? itemsOfList(particulars.list) : particulars.changesOf,
  types: particulars.types,
  record: particulars.record,
  tell: async (_db, changes) =>
    changes.map((change) => {
      const records = recordVersionsIn(particulars, change);
      if (records === undefined) return undefined;
      const happened = happenedTo(particulars, records.before, records.after);
      return pendingEventsOf(particulars, records.after, null, happened);
    }),
});
