import { paginateScan, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Runtime } from "../../../infra/local/index.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";

interface Running {
  readonly db: Database;
  /**
   * Where functions run. What a function sent before its end is done by the time that no function can still
   * run.
   */
  readonly runtime?: Pick<Runtime, "requestsDone">;
}

/**
 * Expires the locks of all Idempotency-Keys, as if each running call had exceeded the longest time that a
 * function can run.
 */
export async function expireKeyLocks({ db, runtime }: Running): Promise<void> {
  await runtime?.requestsDone();
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
