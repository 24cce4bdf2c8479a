import { paginateScan, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../shared/store/database.ts";

/** As if every running call had exceeded the longest time that a function can run. */
export async function endClaims(db: Database): Promise<void> {
  const TableName = db.tableName("jobs");
  for await (const { Items = [] } of paginateScan({ client: db.client }, { TableName })) {
    const running = Items.filter((item) => item["state"] === "running" && item["runs_until"] !== 0);
    for (const { pk, sk } of running) {
      const UpdateExpression = "SET runs_until = :past";
      const ExpressionAttributeValues = { ":past": 0 };
      await db.client.send(
        new UpdateCommand({ TableName, Key: { pk, sk }, UpdateExpression, ExpressionAttributeValues }),
      );
    }
  }
}
