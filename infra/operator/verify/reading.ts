/** Reads whole tables, each once for all checks together. */

import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type Key, keyIn } from "../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { inLatestLayout, UnknownLayout } from "../../../shared/store/layouts/layouts.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import { partitionOf } from "../../data-model/kinds.ts";
import { scanTable } from "../../data-model/scan.ts";
import type { Verification } from "./finding.ts";

/** Reads the items of one kind, in no particular order. */
export interface ItemReader {
  readonly table: TableName;
  /** The partition keys up to the first `#`. */
  readonly kind: string;
  /** Whether the keys are enough. A table is read with its attributes if any of its readers needs them. */
  readonly keysOnly?: true;
  /** Whether the item is read, which may be unreadable; all are by default. */
  readonly isVerified?: (item: RawItem) => boolean;
  /** Whether the item is reported if it can't be read; all are by default. */
  readonly isReported?: (item: RawItem) => boolean;
  readonly read: (item: RawItem) => void;
}

/** The id of what a partition belongs to, after the first `#` of its key. */
export const idInPartition = ({ pk }: RawItem): number => Number(String(pk).split("#")[1]);

/** Segments read concurrently: about as many as one processor can handle. */
const usualSegments = 4;

/** An item in the current layout; undefined if this release can't read its layout. */
function readable(db: Database, table: TableName, item: RawItem): RawItem | undefined {
  try {
    return inLatestLayout(db, table, item);
  } catch (error) {
    if (error instanceof UnknownLayout) return undefined;
    throw error;
  }
}

/** What is called while tables are read, besides the readers. */
interface ReadEvents {
  /** With every item as it is stored. */
  readonly onItem?: (table: TableName, item: RawItem) => void;
  /** Once with an item on which a reader threw. */
  readonly onUnreadable?: (table: TableName, key: Key) => void;
}

/** Reads tables one after another. */
export async function readTables(
  { db, onRead, segments = usualSegments }: Pick<Verification, "db" | "onRead" | "segments">,
  tables: Iterable<TableName>,
  readers: readonly ItemReader[],
  { onItem, onUnreadable }: ReadEvents = {},
): Promise<void> {
  for (const table of tables) {
    const own = readers.filter((reader) => reader.table === table);
    const byKind = Map.groupBy(own, ({ kind }) => kind);
    const keysOnly = own.every((reader) => reader.keysOnly === true);
    await scanTable(db, { table, keysOnly }, segments, ({ items, units }) => {
      for (const stored of items) {
        onItem?.(table, stored);
        const key = keyIn(stored);
        const item = keysOnly ? stored : readable(db, table, stored);
        if (item !== undefined && !hasRead(byKind.get(partitionOf(key)) ?? [], item))
          onUnreadable?.(table, key);
      }
      onRead?.({ table, items: items.length, units });
    });
  }
}

/** Whether all readers that report the item could read it. */
function hasRead(readers: readonly ItemReader[], item: RawItem): boolean {
  let isReadable = true;
  for (const { read, isVerified, isReported } of readers)
    try {
      if (isVerified?.(item) !== false) read(item);
    } catch {
      if (isReported?.(item) !== false) isReadable = false;
    }
  return isReadable;
}
