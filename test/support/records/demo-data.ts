import { connectTo, loadDemoData } from "../../../infra/demo/load.ts";
import type { Runtime } from "../../../infra/local/index.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { type TableName, tableNames } from "../../../shared/store/tables.ts";
import { itemsOf } from "../store/scan.ts";
import { putAll } from "../tables/put-all.ts";

/** A table with its items. */
export interface Content {
  readonly table: TableName;
  readonly items: readonly RawItem[];
}

/** These tables of a runtime with their items. */
export const contentsOf = (
  runtime: Runtime,
  tables: readonly TableName[] = tableNames,
): Promise<readonly Content[]> => {
  const db = connectTo(runtime);
  return Promise.all(tables.map(async (table) => ({ table, items: await itemsOf(db, table) })));
};

/** Stores these items in empty tables. */
export async function putItems(db: Database, contents: readonly Content[]): Promise<void> {
  await Promise.all(contents.map(({ table, items }) => putAll(db, table, items)));
}

/** Stores these items in the tables of a new runtime. */
export const putContents = (runtime: Runtime, contents: readonly Content[]): Promise<void> =>
  putItems(connectTo(runtime), contents);

let demo: readonly Content[] | undefined;

/**
 * Gives the demo data to a new runtime, which must be paused. The first one of a worker stores it by the
 * service's own flows, the others get a copy of what these have stored: the flows take a second, as long as
 * many a file's tests.
 */
export async function giveDemoData(runtime: Runtime): Promise<void> {
  if (demo !== undefined) return putContents(runtime, demo);
  await loadDemoData(runtime);
  demo = await contentsOf(runtime);
}
