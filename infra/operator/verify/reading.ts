/** Tables as a verification reads them: each once, for all checks together. */
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { scanTable } from "../../../shared/store/dynamodb/scan.ts";
import { current, UnknownLayout } from "../../../shared/store/layouts/layouts.ts";
import type { TableName } from "../../../shared/store/tables.ts";
import type { Verification } from "./finding.ts";

/** Items of one kind, and what takes them. The items of a kind come in no order. */
export interface Taking {
  readonly table: TableName;
  /** How the partitions begin, up to the first `#`. */
  readonly kind: string;
  readonly take: (item: RawItem) => void;
}

/** The kind of an item. */
export const kindOf = ({ pk }: RawItem): string => {
  const text = String(pk);
  const end = text.indexOf("#");
  return end < 0 ? text : text.slice(0, end);
};

/** Parts of a table that are read side by side: about as many as one processor has time for. */
export const usualSegments = 4;

/** An item in the current layout; undefined for one of a layout that this release can't read. */
function readable(db: Database, table: TableName, item: RawItem): RawItem | undefined {
  try {
    return current(db, table, item);
  } catch (error) {
    if (error instanceof UnknownLayout) return undefined;
    throw error;
  }
}

/** Reads the tables whose items are taken, one after another; `look` is shown every item as it is stored. */
export async function readTables(
  { db, onRead, segments = usualSegments }: Pick<Verification, "db" | "onRead" | "segments">,
  takings: readonly Taking[],
  look: (table: TableName, item: RawItem) => void = () => undefined,
): Promise<void> {
  for (const [table, ofTable] of Map.groupBy(takings, (taking) => taking.table)) {
    const takers = Map.groupBy(ofTable, ({ kind }) => kind);
    await scanTable(db, { table }, segments, ({ items, units }) => {
      for (const stored of items) {
        look(table, stored);
        const item = readable(db, table, stored);
        if (item !== undefined) for (const { take } of takers.get(kindOf(item)) ?? []) take(item);
      }
      onRead?.({ table, items: items.length, units });
    });
  }
}
