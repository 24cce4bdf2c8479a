import { ConditionalCheckFailedException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import { updateInput } from "./expressions.ts";
import type { RawItem } from "./reads.ts";
import { backOff, inBudget } from "./retry.ts";
import type { Change, Count } from "./writes.ts";

/**
 * Carries out one change by itself, which costs half of what it costs in a transaction, and answers the item as it is then.
 * Where DynamoDB's answer is lost, the change may be carried out twice.
 * @throws the `refusal` where a premise does not hold; Busy
 */
export const changeOne = (db: Database, change: Change | Count): Promise<RawItem> =>
  inBudget(async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { Attributes = {} } = await db.client.send(
          new UpdateCommand({ ...updateInput(db, change), ReturnValues: "ALL_NEW" }),
        );
        return Attributes;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException && change.kind === "change")
          throw change.refusal();
        if (!(error instanceof TransactionConflictException)) throw error;
        await backOff(attempt, error);
      }
    }
  });
