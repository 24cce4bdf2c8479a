import { isDeepStrictEqual } from "node:util";
import type { TableDefinition } from "../../assembly/tables.ts";
import { type Item, sizeOfItem } from "./item-size.ts";

/**
 * What AWS charges for an item in its table, for an entry in an index, or for all that one query evaluated.
 */
export interface Charge {
  readonly kind: "read" | "write";
  readonly table: string;
  /** The index that was written or queried; undefined for the table itself. */
  readonly index: string | undefined;
  /** The item's key in DynamoDB's JSON; undefined for a query. */
  readonly key: Item | undefined;
  /** The size from which the units were rounded up. */
  readonly bytes: number;
  readonly units: number;
}

/** An item that a request names by its table and its key. */
export interface ItemKey {
  readonly table: TableDefinition;
  readonly key: Item;
}

/** Units per unit of size: half for an eventually consistent read, two for a transactional read or write. */
export type Factor = 0.5 | 1 | 2;

const readBlock = 4096;
const writeBlock = 1024;

/** Units of `bytes`, rounded up. A read of a missing item is charged as one of the smallest item. */
const unitsOf = (bytes: number, block: number): number => Math.max(1, Math.ceil(bytes / block));

/** The read of one item, whether it exists or not. */
export const readCharge = ({ table, key }: ItemKey, item: Item | undefined, factor: Factor): Charge => {
  const bytes = sizeOfItem(item);
  const units = factor * unitsOf(bytes, readBlock);
  return { kind: "read", table: table.TableName, index: undefined, key, bytes, units };
};

/** A query or scan, by the items or index entries that it evaluated: rounded up once. */
export const queryCharge = (
  { TableName }: TableDefinition,
  index: string | undefined,
  evaluated: readonly Item[],
  factor: Factor,
): Charge => {
  const bytes = evaluated.reduce((total, item) => total + sizeOfItem(item), 0);
  const units = factor * unitsOf(bytes, readBlock);
  return { kind: "read", table: TableName, index, key: undefined, bytes, units };
};

/**
 * The write of one item, charged by the larger of the item before and after. Each index is charged by what
 * the write changes in it. A transaction doubles the charge of the table, but not those of its indexes.
 */
export const writeCharges = (
  { table, key }: ItemKey,
  before: Item | undefined,
  after: Item | undefined,
  factor: Factor,
): readonly Charge[] => {
  const charge = (index: string | undefined, bytes: number, times: number): Charge => {
    const units = times * unitsOf(bytes, writeBlock);
    return { kind: "write", table: table.TableName, index, key, bytes, units };
  };
  const indexes = [...(table.LocalSecondaryIndexes ?? []), ...(table.GlobalSecondaryIndexes ?? [])];
  return [
    charge(undefined, Math.max(sizeOfItem(before), sizeOfItem(after)), factor),
    ...indexes.flatMap((index) =>
      entryChanges(entryOf(table, index, before), entryOf(table, index, after)).map((bytes) =>
        charge(index.IndexName, bytes, 1),
      ),
    ),
  ];
};

type Index = NonNullable<TableDefinition["LocalSecondaryIndexes"]>[number];

/** An item as an index stores it. */
interface Entry {
  readonly key: Item;
  readonly attributes: Item;
}

/** The entry of an item; undefined if an attribute of the index's key is missing. */
const entryOf = (table: TableDefinition, index: Index, item: Item | undefined): Entry | undefined => {
  if (item === undefined) return undefined;
  const keyNames = keyNamesOf(index);
  if (keyNames.some((name) => item[name] === undefined)) return undefined;
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection;
  const projected = [...keyNamesOf(table), ...keyNames, ...NonKeyAttributes];
  return {
    key: pick(item, keyNames),
    attributes: ProjectionType === "ALL" ? item : pick(item, projected),
  };
};

/** The bytes of each write that changes an index from one entry to the other: two if its key changes. */
const entryChanges = (before: Entry | undefined, after: Entry | undefined): readonly number[] => {
  if (isDeepStrictEqual(before, after)) return [];
  const sizes = [before, after].flatMap((entry) =>
    entry === undefined ? [] : [sizeOfItem(entry.attributes)],
  );
  return isDeepStrictEqual(before?.key, after?.key) ? [Math.max(...sizes)] : sizes;
};

export const keyNamesOf = ({ KeySchema }: Pick<TableDefinition, "KeySchema">): readonly string[] =>
  KeySchema.map(({ AttributeName }) => AttributeName);

/** These attributes of an item in this order, without the missing ones. */
export const pick = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
