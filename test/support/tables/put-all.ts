import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { batchesOf } from "../../../infra/operator/batches.ts";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import type { TableName } from "../../../shared/store/tables.ts";

/** More calls at once would wait for DynamoDB Local until they time out. */
const batchesAtOnce = 4;

/** Stores items in a table. @throws if DynamoDB does not take all of them */
export async function putAll(db: Database, table: TableName, items: Iterable<RawItem>): Promise<void> {
  const put = async (batch: readonly RawItem[]) => {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await db.client.send(
      new BatchWriteCommand({ RequestItems: { [db.tableName(table)]: requests } }),
    );
    const left = Object.values(UnprocessedItems).flat().length;
    if (left > 0) throw new Error(`${left} items are not stored`);
  };
  await forEachConcurrently(batchesOf(items, 25), put, batchesAtOnce);
}
