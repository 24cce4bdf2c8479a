/** Writes in the layout that their items are to have; see `layouts.ts`. */
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

/** The layout that an item of this kind is to be written in. */
export const layoutToWrite = ({ writes }: LayoutsInUse, { layout, change }: LaterKind): number =>
  change === undefined || writes() >= layout ? layout : change.previous;

/** The attribute that says an item's layout; nothing for layout 1. */
const marked = (layout: number): RawItem => (layout === 1 ? {} : { [layoutAttribute]: layout });

/** Attributes in the layout that they are to be written in, whichever of the two they have. */
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

/** A new item in the layout that it is to be stored in. */
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

/** Keeps a change from an item of another layout: of that, it would leave a mixture. */
export const stays = (layout: number): Condition =>
  layout === 1
    ? { attribute: layoutAttribute, is: "absent" }
    : { attribute: layoutAttribute, equalsOrNew: layout };

/** A write as it is sent: in the layout that its item is to have, and refused for an item of another one. */
export function inLayout<T extends Write>(db: Pick<Database, "layouts">, write: T): T | Change {
  const { layouts } = db;
  if (!hasLater(layouts, write.table)) return write;
  if (write.kind === "insert") return { ...write, item: itemToWrite(db, write.table, write.item) };
  const kind = laterKind(layouts, write.table, keyOf(write));
  if (kind === undefined) return write;
  if (kind.change !== undefined) refuseUse(write, kind.change);
  if (write.kind === "count") throw writtenOtherwise(write.table, kind);
  if (write.kind !== "change") return write;
  const layout = layoutToWrite(layouts, kind);
  const changed: Change =
    kind.change === undefined ? write : changeToWrite(write, kind.change, layout === kind.layout);
  return { ...changed, set: { ...changed.set, ...marked(layout) }, when: [...write.when, stays(layout)] };
}

/** @throws if an item of this key is of a kind whose layout is not 1: its layout would not be heeded */
export function expectFirstLayout(
  { layouts }: Pick<Database, "layouts">,
  { table, key }: { readonly table: TableName; readonly key: Key },
): void {
  const kind = hasLater(layouts, table) ? laterKind(layouts, table, key) : undefined;
  if (kind !== undefined) throw writtenOtherwise(table, kind);
}

const writtenOtherwise = (table: TableName, { name }: LaterKind): Error =>
  new Error(`the layout of ${name} (${table}) can't change: counts, or writes beside transactions, store it`);

/**
 * A write with the attributes of the layout that is written now. Writes that others may carry out later are kept so: a release
 * that runs beside this one knows no later layout.
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
  for (const form of [change.from, change.to]) refusePart(write, names, form);
  if (!names.some((name) => old.includes(name))) return write;
  const set = converted(before, change, isCurrent);
  const gone = kept.filter((name) => !(name in set));
  const remove = (write.remove ?? []).filter((name) => !old.includes(name));
  return { ...write, set, remove: [...new Set([...remove, ...gone])] };
}

/** Some attributes of a form can't be made of some of the other: what is missing would be guessed, or lost. */
function refusePart({ table, key }: Change, names: readonly string[], form: readonly string[]): void {
  const missing = form.filter((name) => !names.includes(name));
  if (missing.length > 0 && missing.length < form.length)
    throw new Error(
      `a change of ${key.pk.split("#")[0]} (${table}) must state ${missing.join(", ")} too, as the layout changes them together`,
    );
}

/** What conditions and counters use can't change its form while old and new code run side by side. */
function refuseUse(write: Write, { from, to }: LayoutChange): void {
  const used = [
    ...("when" in write ? write.when.map((condition) => condition.attribute) : []),
    ...("add" in write ? Object.keys(write.add ?? {}) : []),
    ...("append" in write ? Object.keys(write.append ?? {}) : []),
  ];
  const bad = used.find((name) => from.includes(name) || to.includes(name));
  if (bad !== undefined)
    throw new Error(`a layout can't change ${bad} of ${write.table}, which conditions or counters use`);
}
