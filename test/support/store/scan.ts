import { scanPages } from "../../../infra/data-model/scan.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import type { TableName } from "../../../shared/store/tables.ts";

/** Every item of a table: what no function may do, since its cost grows with the table. */
export async function itemsOf(db: Database, table: TableName): Promise<readonly RawItem[]> {
  const items: RawItem[] = [];
  for await (const page of scanPages(db, { table })) items.push(...page);
  return items;
}
