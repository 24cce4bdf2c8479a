/**
 * Layouts of stored items. A kind of item whose form changed states the attributes that it lost, and how to
 * compute those that replace them, which have new names. Items of either layout are read as ones of the
 * later. One release learns to read a layout, and the next one writes it. The steps are in
 * docs/developers.md, Changing what is stored.
 */
import { type Key, keyIn, type RawItem } from "../dynamodb/keys.ts";
import type { TableName } from "../tables.ts";

export interface StoredKind {
  /** For messages: `order`. */
  readonly name: string;
  readonly table: TableName;
  /** The partition key up to its first `#`; all of it if it has none. */
  readonly partition: string;
  /** Matches the sort key, if several kinds share such partitions. */
  readonly sort?: RegExp;
}

/** The difference between a kind's previous layout and its own. */
interface LayoutChange {
  readonly previous: number;
  /** The attributes that only the previous layout has. No key, condition, counter or index uses them. */
  readonly from: readonly string[];
  /** Converts them to the attributes that replace them, which have other names. */
  readonly upcast: (from: RawItem) => RawItem;
}

/** A kind whose layout is not 1. */
export interface LaterKind extends StoredKind {
  /** The layout that introduced the kind's form. If it is the next one, this release only reads it. */
  readonly layout: number;
  /** Undefined once no item of the previous layout is left. */
  readonly change?: LayoutChange;
}

export interface Layouts {
  /** The layout that this release writes. */
  readonly current: number;
  readonly later: readonly LaterKind[];
}

export interface LayoutsInUse extends Layouts {
  /** Whether all data are known to have the current layout. */
  readonly isReached: () => boolean;
  /**
   * Whether a lookup index that was added after release 1.0.0 has the entries of all records. A record of an
   * earlier release has none until `operator data migrate` has run.
   */
  readonly hasIndex: (name: string) => Promise<boolean>;
  readonly refresh: (abortSignal?: AbortSignal) => Promise<void>;
  /** Reads it again if that is due. @throws WrongLayout if this release can't work with the data */
  readonly check: () => Promise<void>;
}

interface WithLayouts {
  readonly layouts: Layouts;
}

/** For data whose layout no release has changed. */
export const firstLayout: Layouts = { current: 1, later: [] };

/** The attribute that holds an item's layout. Items of layout 1 have none. */
export const layoutAttribute = "layout";

/** A stored item does not have its expected form. */
export class Unreadable extends Error {
  override readonly name: string = "Unreadable";
}

/** A stored item has a layout that this release can't read. */
export class UnknownLayout extends Unreadable {
  override readonly name = "UnknownLayout";
}

export const isOfKind = ({ table, partition, sort }: StoredKind, of: TableName, { pk, sk }: Key): boolean =>
  table === of &&
  (pk === partition || (pk.startsWith(partition) && pk.charAt(partition.length) === "#")) &&
  (sort === undefined || sort.test(sk));

const laterKind = ({ later }: Layouts, table: TableName, key: Key): LaterKind | undefined =>
  later.find((kind) => isOfKind(kind, table, key));

export const layoutIn = ({ [layoutAttribute]: layout }: RawItem): unknown => layout ?? 1;

/** The layouts that a release reads for items of this key, the latest first. */
export function acceptedLayouts(layouts: Layouts, table: TableName, key: Key): readonly number[] {
  const kind = laterKind(layouts, table, key);
  if (kind === undefined) return [1];
  return kind.change === undefined ? [kind.layout] : [kind.layout, kind.change.previous];
}

export const pickAttributes = (item: RawItem, names: readonly string[]): RawItem =>
  Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]]));

const omitAttributes = (item: RawItem, names: readonly string[]): RawItem =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** Converts an item to the latest layout of its kind. @throws UnknownLayout */
export function inLatestLayout(db: WithLayouts, table: TableName, item: RawItem): RawItem {
  const { layouts } = db;
  const found = layoutIn(item);
  if (layouts.later.length === 0 && found === 1) return item;
  const kind = laterKind(layouts, table, keyIn(item));
  if (found === (kind?.layout ?? 1)) return item;
  if (kind?.change === undefined || found !== kind.change.previous)
    throw new UnknownLayout(unknown(layouts, table, item));
  const { from, upcast } = kind.change;
  return { ...omitAttributes(item, from), ...upcast(pickAttributes(item, from)) };
}

/** Converts items to the latest layouts. Indexes hold attributes that no layout changes. */
export const allInLatestLayout = (
  db: WithLayouts,
  { table, index }: { readonly table: TableName; readonly index?: string | undefined },
  items: readonly RawItem[],
): readonly RawItem[] => (index === undefined ? items.map((item) => inLatestLayout(db, table, item)) : items);

/** Keys may contain customer data. The kind and the numbers are enough to find the item. */
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

/** Whether items must be read with all attributes, to convert them to the latest layout. */
export const mustBeWhole = ({ layouts }: WithLayouts, table: TableName): boolean =>
  layouts.later.some((kind) => kind.table === table);

/** A kind that this release writes in a later layout than the release before. */
export type MovedKind = LaterKind & Required<Pick<LaterKind, "change">>;

const isMoved = (kind: LaterKind, { current }: Layouts): kind is MovedKind =>
  kind.change !== undefined && kind.layout <= current;

export const movedKinds = (layouts: Layouts): readonly MovedKind[] =>
  layouts.later.filter((kind) => isMoved(kind, layouts));

/** The kind of an item that is still in its previous layout; undefined for other items. */
export const toBeMoved = (layouts: Layouts, table: TableName, item: RawItem): MovedKind | undefined => {
  const kind = laterKind(layouts, table, keyIn(item));
  if (kind === undefined || !isMoved(kind, layouts)) return undefined;
  return layoutIn(item) === kind.change.previous ? kind : undefined;
};
