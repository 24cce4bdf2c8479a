/** Writes items in the layout that the deployment uses; see `layouts.ts`. */
import type { Database } from "../dynamodb/database.ts";
import type { Key } from "../dynamodb/keys.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { type Change, type Condition, keyOf, type Write } from "../dynamodb/writes.ts";
import type { TableName } from "../tables.ts";
import {
  hasLater,
  type LaterKind,
  type LayoutChange,
  type LayoutsInUse,
  laterKind,
  layoutAttribute,
  picked,
  without,
} from "./layouts.ts";

export const layoutToWrite = ({ writes }: LayoutsInUse, { layout, change }: LaterKind): number =>
  change === undefined || writes() >= layout ? layout : change.previous;

/** The attribute that holds an item's layout; none for layout 1. */
const marked = (layout: number): RawItem => (layout === 1 ? {} : { [layoutAttribute]: layout });

/** Converts attributes to the layout in use, whichever of the two they have. */
function converted(
  attributes: RawItem,
  { from, to, upcast, downcast }: LayoutChange,
  isCurrent: boolean,
): RawItem {
  const [old, kept, convert] = isCurrent ? [from, to, upcast] : [to, from, downcast];
  const affected = picked(attributes, old);
  if (Object.keys(affected).length === 0) return attributes;
  return { ...without(attributes, old), ...picked(convert(affected), kept) };
}

export function itemToWrite<T extends Key & RawItem>(
  { layouts }: Pick<Database, "layouts">,
  table: TableName,
  item: T,
): Key & RawItem {
  if (!hasLater(layouts, table)) return item;
  const kind = laterKind(layouts, table, item);
  if (kind === undefined) return item;
  const layout = layoutToWrite(layouts, kind);
  const changed = kind.change === undefined ? item : converted(item, kind.change, layout === kind.layout);
  return { ...changed, pk: item.pk, sk: item.sk, ...marked(layout) };
}

/** Rejects a change of an item in another layout, which would leave a mixture. */
export const hasLayout = (layout: number): Condition =>
  layout === 1
    ? { attribute: layoutAttribute, is: "absent" }
    : { attribute: layoutAttribute, equalsOrNew: layout };

/** A write in the layout in use, which fails for an item of another layout. */
export function inLayout<T extends Write>(db: Pick<Database, "layouts">, write: T): T | Change {
  const { layouts } = db;
  if (!hasLater(layouts, write.table)) return write;
  if (write.kind === "insert") return { ...write, item: itemToWrite(db, write.table, write.item) };
  const kind = laterKind(layouts, write.table, keyOf(write));
  if (kind === undefined) return write;
  if (kind.change !== undefined) rejectUseInConditions(write, kind.change);
  if (write.kind === "count") throw unsupportedWrite(write.table, kind);
  if (write.kind !== "change") return write;
  const layout = layoutToWrite(layouts, kind);
  const changed: Change =
    kind.change === undefined ? write : changeToWrite(write, kind.change, layout === kind.layout);
  return { ...changed, set: { ...changed.set, ...marked(layout) }, when: [...write.when, hasLayout(layout)] };
}

/** @throws if items of this key have a layout other than 1, which this kind of write would ignore */
export function expectFirstLayout(
  { layouts }: Pick<Database, "layouts">,
  { table, key }: { readonly table: TableName; readonly key: Key },
): void {
  const kind = hasLater(layouts, table) ? laterKind(layouts, table, key) : undefined;
  if (kind !== undefined) throw unsupportedWrite(table, kind);
}

const unsupportedWrite = (table: TableName, { name }: LaterKind): Error =>
  new Error(`the layout of ${name} (${table}) can't change: counts, or writes beside transactions, store it`);

/**
 * A write in the layout in use, without the layout's number. Sagas store their writes in this form, because a
 * release that runs beside this one may resume them and knows no later layout.
 */
export function inForm<T extends Write>(db: Pick<Database, "layouts">, write: T): T | Change {
  const { layouts } = db;
  if (!hasLater(layouts, write.table)) return write;
  const kind = laterKind(layouts, write.table, keyOf(write));
  if (kind?.change === undefined) return write;
  const isCurrent = layoutToWrite(layouts, kind) === kind.layout;
  if (write.kind === "change") return changeToWrite(write, kind.change, isCurrent);
  if (write.kind !== "insert") return write;
  const { pk, sk } = write.item;
  return { ...write, item: { ...converted(write.item, kind.change, isCurrent), pk, sk } };
}

function changeToWrite(write: Change, change: LayoutChange, isCurrent: boolean): Change {
  const [old, kept] = isCurrent ? [change.from, change.to] : [change.to, change.from];
  const before = write.set ?? {};
  const names = [...Object.keys(before), ...(write.remove ?? [])];
  for (const form of [change.from, change.to]) rejectPartialChange(write, names, form);
  if (!names.some((name) => old.includes(name))) return write;
  const set = converted(before, change, isCurrent);
  const gone = kept.filter((name) => !(name in set));
  const remove = (write.remove ?? []).filter((name) => !old.includes(name));
  return { ...write, set, remove: [...new Set([...remove, ...gone])] };
}

/** A change sets all attributes of a form or none of them: missing ones would be guessed or lost. */
function rejectPartialChange(
  { table, key }: Change,
  names: readonly string[],
  form: readonly string[],
): void {
  const missing = form.filter((name) => !names.includes(name));
  if (missing.length > 0 && missing.length < form.length)
    throw new Error(
      `a change of ${key.pk.split("#")[0]} (${table}) must state ${missing.join(", ")} too, as the layout changes them together`,
    );
}

/** Attributes in conditions and counters can't change form while old and new code run side by side. */
function rejectUseInConditions(write: Write, { from, to }: LayoutChange): void {
  const used = [
    ...("when" in write ? write.when.map((condition) => condition.attribute) : []),
    ...("add" in write ? Object.keys(write.add ?? {}) : []),
    ...("append" in write ? Object.keys(write.append ?? {}) : []),
  ];
  const bad = used.find((name) => from.includes(name) || to.includes(name));
  if (bad !== undefined)
    throw new Error(`a layout can't change ${bad} of ${write.table}, which conditions or counters use`);
}
