/**
 * How changes of records become events. Each kind of record states in the `events.ts` of its feature which
 * items it is stored as, and which events a change of them emits. The publisher calls `emit` with the changes
 * that DynamoDB Streams delivers (`shared/publishing/publish.ts`); no write path knows of events.
 * docs/developers.md explains how to add an event type.
 */
import * as z from "zod/mini";
import { isDeepEqual } from "../common/deep-equal.ts";
import * as primitive from "../common/primitives.ts";
import type { Versioned } from "../common/versioned.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined } from "../store/dynamodb/keys.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { requestIdAttribute } from "../store/dynamodb/writes.ts";
import type { BlockList } from "../store/lists/block-list.ts";
import type { TableName } from "../store/tables.ts";
import type { ItemChange } from "../streams/change.ts";
import type { Event } from "./event.ts";
import type { EventType } from "./types.ts";

export interface EventDraft {
  readonly type: EventType;
  readonly data: object;
  /** The earlier values of the fields that changed; null for a new record. */
  readonly previous: object | null;
}

/** The units by which a stock level changed. The publisher adds them to the last published level. */
export interface StockLevelChanged {
  readonly type: EventType;
  readonly stock: {
    readonly product_id: number;
    readonly sku: string;
    readonly distribution_center_id: number;
    readonly distribution_center: string;
  };
  readonly units: { readonly on_hand: number; readonly reserved: number; readonly incoming: number };
  readonly why: RawItem;
}

/** Identifies a change of a record. It is the same in every delivery of the stream. */
export interface ChangeReference extends Pick<Event, "subject"> {
  readonly source: string;
}

/** The events that one change of an item emits, before publication. */
export interface PendingEvents
  extends ChangeReference,
    Pick<Event, "account_id" | "occurred_at" | "by" | "request_id" | "version"> {
  readonly drafts: readonly (EventDraft | StockLevelChanged)[];
}

export interface EventKind {
  readonly subject: string;
  /** The items whose changes may emit events: their table and the prefixes of their `pk`. */
  readonly changesOf: {
    readonly table: TableName;
    readonly prefixes: readonly string[];
    /** Attribute values that select the items, if other items of the table have the same prefixes. */
    readonly where?: Readonly<Record<string, string>>;
  };
  /** The types of its events, with a description of each. */
  readonly types: Readonly<Record<string, string>>;
  readonly record: z.ZodMiniObject;
  /** The events of each change, in order; undefined for a change without events. */
  readonly emit: (
    db: Database,
    changes: readonly ItemChange[],
  ) => Promise<readonly (PendingEvents | undefined)[]>;
}

/** The stock whose levels a change affects. */
export const stockKeysIn = ({ drafts }: PendingEvents): readonly StockLevelChanged["stock"][] =>
  drafts.flatMap((draft) => ("stock" in draft ? [draft.stock] : []));

export function previousValues(before: object, after: object): object {
  const later = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => !isDeepEqual(value, later.get(name))),
  );
}

interface OwnedRecord extends Versioned {
  readonly account_id: number;
}

interface RecordKind<T> extends Pick<EventKind, "subject" | "types" | "record"> {
  /** The day on which the current shape of its events was introduced. */
  readonly version: string;
  readonly stored: z.ZodMiniType<T>;
  readonly idOf: (record: T) => number;
  /** By default as it is stored. Fields that `record` does not declare are left out. */
  readonly present?: (record: T) => object;
  /** The types of the events that a change emits. `before` is undefined for a new record. */
  readonly typesOf: (before: T | undefined, after: T) => readonly EventType[];
}

const tracedItem = z.object({ [requestIdAttribute]: primitive.requestId });

/** The id of the call that last changed an item. */
export const requestIdIn = (item: RawItem): string | null => z.parse(tracedItem, item)[requestIdAttribute];

export const itemsOfList = ({ table, name }: BlockList): EventKind["changesOf"] => ({
  table,
  prefixes: [joined(name, "")],
});

/** Undefined without drafts. The record's version identifies the change. */
export function pendingEventsOf<T extends OwnedRecord>(
  { subject, version, idOf }: Pick<RecordKind<T>, "subject" | "version" | "idOf">,
  after: T,
  { by, request_id }: Pick<PendingEvents, "by" | "request_id">,
  drafts: PendingEvents["drafts"],
): PendingEvents | undefined {
  if (drafts.length === 0) return undefined;
  const id = String(idOf(after));
  return {
    source: joined(subject, id, after.version),
    version,
    account_id: after.account_id,
    occurred_at: after.updated_at,
    by,
    request_id,
    subject: { kind: subject, id },
    drafts,
  };
}

/** Undefined if the change removed the record or left its version, as when a saga locks it. */
export function recordVersionsIn<T>(
  stored: z.ZodMiniType<T>,
  versionOf: (one: T) => number,
  change: ItemChange,
): { readonly before: T | undefined; readonly after: T; readonly request_id: string | null } | undefined {
  if (change.after === undefined) return undefined;
  const before = change.before && z.parse(stored, change.before);
  const after = z.parse(stored, change.after);
  if (before !== undefined && versionOf(before) === versionOf(after)) return undefined;
  return { before, after, request_id: requestIdIn(change.after) };
}

/** For records that do not store who changed them. `changesOf` defaults to the items of the list. */
export function recordEvents<T extends OwnedRecord>(
  kind: RecordKind<T> & (Pick<EventKind, "changesOf"> | { readonly list: BlockList }),
): EventKind {
  const { subject, types, record, typesOf, present = (one) => one } = kind;
  const shown = (one: T): object => z.parse(record, present(one));
  return {
    subject,
    types,
    record,
    changesOf: "list" in kind ? itemsOfList(kind.list) : kind.changesOf,
    emit: async (_db, changes) =>
      changes.map((change) => {
        const versions = recordVersionsIn(kind.stored, ({ version }) => version, change);
        if (versions === undefined) return undefined;
        const { before, after, request_id } = versions;
        const data = shown(after);
        const previous = before === undefined ? null : previousValues(shown(before), data);
        const drafts = typesOf(before, after).map((type) => ({ type, data, previous }));
        return pendingEventsOf(kind, after, { by: null, request_id }, drafts);
      }),
  };
}
