/**
 * Layouts of stored items. A kind of item whose form changed states the attributes that it lost and those that replace them,
 * under new names. Items are read as the current layout, and are written as the one that the deployment says: the previous one
 * until `operator data migrate` has begun. docs/developers.md, Changing what is stored, has the steps.
 */
import type { Database } from "../dynamodb/database.ts";
import type { Key } from "../dynamodb/keys.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { Unreadable } from "../dynamodb/unreadable.ts";
import type { TableName } from "../tables.ts";

/** A kind of stored item: its table, and how its keys look. */
export interface StoredKind {
  /** In plain words: `order`. */
  readonly name: string;
  readonly table: TableName;
  /** The partition key up to its first `#`; all of it if it has none. */
  readonly partition: string;
  /** How the sort key begins, if several kinds share such partitions. */
  readonly sort?: RegExp;
}

/** What changed between a kind's previous layout and its current one. */
export interface LayoutChange {
  /** The number of the previous layout. */
  readonly previous: number;
  /** The attributes that the previous layout has and the current one has not. */
  readonly from: readonly string[];
  /** The attributes that replace them. No name is in both; no key, condition, counter or index uses any of these. */
  readonly to: readonly string[];
  /** Makes the attributes `to` of those of `from`. */
  readonly upcast: (from: RawItem) => RawItem;
  /** Makes the attributes `from` of those of `to`. */
  readonly downcast: (to: RawItem) => RawItem;
}

/** A kind whose layout is not 1. */
export interface LaterKind extends StoredKind {
  /** The deployment's layout that gave the kind its form. */
  readonly layout: number;
  /** What changed in this release; undefined for a kind that an earlier release changed. */
  readonly change?: LayoutChange;
}

/** The layouts of a release. */
export interface Layouts {
  /** The layout that a deployment has once its data are those of this release. */
  readonly current: number;
  readonly later: readonly LaterKind[];
}

/** Layouts as a connection uses them. */
export interface LayoutsInUse extends Layouts {
  /** The layout of the deployment that writes are to have now. */
  readonly writes: () => number;
  /** Whether all data have the current layout, as far as is known. */
  readonly isReached: () => boolean;
  /** Reads anew which layout that is. */
  readonly refresh: (abortSignal?: AbortSignal) => Promise<void>;
  /** Reads it anew if that is due. @throws WrongLayout if this release can't work with the deployment's data */
  readonly check: () => Promise<void>;
}

/** Of data that no release has changed. */
export const firstLayout: Layouts = { current: 1, later: [] };

/** The attribute that holds an item's layout. Layout 1 has none. */
export const layoutAttribute = "layout";

/** A stored item has a layout that this release can't read. */
export class UnknownLayout extends Unreadable {
  override readonly name = "UnknownLayout";
}

/** Whether a key is one of a kind. */
export const isOfKind = ({ table, partition, sort }: StoredKind, of: TableName, { pk, sk }: Key): boolean =>
  table === of &&
  (pk === partition || (pk.startsWith(partition) && pk.charAt(partition.length) === "#")) &&
  (sort === undefined || sort.test(sk));

export const keyIn = ({ pk, sk }: RawItem): Key => ({ pk: String(pk), sk: String(sk) });

export const laterKind = ({ later }: Layouts, table: TableName, key: Key): LaterKind | undefined =>
  later.find((kind) => isOfKind(kind, table, key));

/** Whether some kind of this table has another layout than 1. Most releases have none, and need not look at items. */
export const hasLater = ({ later }: Layouts, table: TableName): boolean =>
  later.some((kind) => kind.table === table);

export const layoutIn = ({ [layoutAttribute]: layout }: RawItem): unknown => layout ?? 1;

/** The layouts of items of this key that a release reads: the current one comes first. */
export function acceptedLayouts(layouts: Layouts, table: TableName, key: Key): readonly number[] {
  const kind = laterKind(layouts, table, key);
  if (kind === undefined) return [1];
  return kind.change === undefined ? [kind.layout] : [kind.layout, kind.change.previous];
}

export const picked = (item: RawItem, names: readonly string[]): RawItem =>
  Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]]));

export const without = (item: RawItem, names: readonly string[]): RawItem =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** An item as it was read, in the current layout of its kind. @throws UnknownLayout */
export function current(db: Pick<Database, "layouts">, table: TableName, item: RawItem): RawItem {
  const { layouts } = db;
  const found = layoutIn(item);
  if (layouts.later.length === 0 && found === 1) return item;
  const kind = laterKind(layouts, table, keyIn(item));
  if (found === (kind?.layout ?? 1)) return item;
  if (kind?.change === undefined || found !== kind.change.previous)
    throw new UnknownLayout(unknown(layouts, table, item));
  const { from, upcast } = kind.change;
  return { ...without(item, from), ...upcast(picked(item, from)) };
}

/** Items as they were read of a table, or of an `index` of it: that holds a part of its items, which no layout changes. */
export const allCurrent = (
  db: Pick<Database, "layouts">,
  { table, index }: { readonly table: TableName; readonly index?: string | undefined },
  items: readonly RawItem[],
): readonly RawItem[] => (index === undefined ? items.map((item) => current(db, table, item)) : items);

/** Texts in a key may be a customer's. The kind and the numbers say enough to find the item. */
const idsIn = (key: string, first = 0): string =>
  key
    .split("#")
    .map((part, at) => (at < first || /^\d*$/.test(part) ? part : "…"))
    .join("#");

function unknown(layouts: Layouts, table: TableName, item: RawItem): string {
  const { pk, sk } = keyIn(item);
  const accepted = acceptedLayouts(layouts, table, { pk, sk }).join(" or ");
  return (
    `the item ${idsIn(pk, 1)} ${idsIn(sk)} of the table ${table} has layout ` +
    `${String(layoutIn(item))}, expected ${accepted}; run "operator data verify" of the deployed release`
  );
}

/** Whether items of a table must be read whole, to be read in their current layout. */
export const mustBeWhole = ({ layouts }: Pick<Database, "layouts">, table: TableName): boolean =>
  hasLater(layouts, table);

/** The kinds that this release moves to another layout. */
export const movedKinds = ({ later }: Layouts): readonly LaterKind[] =>
  later.filter(({ change }) => change !== undefined);

/** The kind of a stored item that is still to be moved; undefined for all other items. */
export const toBeMoved = (layouts: Layouts, table: TableName, item: RawItem): LaterKind | undefined => {
  const kind = laterKind(layouts, table, keyIn(item));
  return kind?.change !== undefined && layoutIn(item) === kind.change.previous ? kind : undefined;
};
