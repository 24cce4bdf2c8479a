import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../shared/store/database.ts";
import type { RawItem } from "../../shared/store/reads.ts";
import type { TableName } from "../../shared/store/tables.ts";

/** Every item of a table: what no function may do, since its cost grows with the table. */
export async function itemsOf(db: Database, table: TableName): Promise<readonly RawItem[]> {
  const items: RawItem[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const input = { TableName: db.tableName(table), ExclusiveStartKey: start, ConsistentRead: true };
    const { Items = [], LastEvaluatedKey } = await db.client.send(new ScanCommand(input));
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}
