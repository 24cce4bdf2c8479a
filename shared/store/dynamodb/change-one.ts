import { ConditionalCheckFailedException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expectFirstLayout } from "../layouts/layout-writes.ts";
import type { Database } from "./database.ts";
import { updateInput } from "./expressions.ts";
import type { RawItem } from "./reads.ts";
import { backOff, inBudget } from "./retry.ts";
import type { Change, Count } from "./writes.ts";

/**
 * Carries out one change by itself, which costs half of what it costs in a transaction, and answers the item as it is then.
 * Where DynamoDB's answer is lost, the change may be carried out twice.
 * @throws the `rejection` where a condition does not hold; Busy
 */
export const changeOne = (db: Database, change: Change | Count): Promise<RawItem> =>
  besideTransactions(async () => {
    expectFirstLayout(db, change);
    try {
      const { Attributes = {} } = await db.client.send(
        new UpdateCommand({ ...updateInput(db, change), ReturnValues: "ALL_NEW" }),
      );
      return Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException && change.kind === "change")
        throw change.rejection();
      throw error;
    }
  });

/** Tries again where a transaction on the item is under way. */
const besideTransactions = <T>(attempt: () => Promise<T>): Promise<T> =>
  inBudget(async () => {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof TransactionConflictException)) throw error;
        await backOff(count, error);
      }
    }
  });

/** A change that was carried out, with the item as it is then; or one whose conditions do not hold, with the item as it is. */
export type Tried =
  | { readonly changed: RawItem }
  /** The item's numbers and texts, as texts; none where there is no item. */
  | { readonly instead: Readonly<Record<string, string | undefined>> };

/**
 * Tries one change by itself. Where its conditions do not hold, no second call is needed to learn why.
 * @throws Busy
 */
export const tryChange = (db: Database, change: Change): Promise<Tried> =>
  besideTransactions(async () => {
    expectFirstLayout(db, change);
    try {
      const { Attributes = {} } = await db.client.send(
        new UpdateCommand({
          ...updateInput(db, change),
          ReturnValues: "ALL_NEW",
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      );
      return { changed: Attributes };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const item = Object.entries(error.Item ?? {}).map(([name, { S, N }]) => [name, S ?? N] as const);
      return { instead: Object.fromEntries(item) };
    }
  });
