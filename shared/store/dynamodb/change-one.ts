import { ConditionalCheckFailedException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import { updateInput } from "./expressions.ts";
import type { RawItem } from "./reads.ts";
import { retrying } from "./retry.ts";
import { type Change, type Count, rejectionOf } from "./writes.ts";

/**
 * Stores one change outside a transaction, at half the cost, and returns the changed item. If DynamoDB's
 * response is lost, the change may be applied twice. Does nothing in a dry run.
 * @throws the `rejection` if a condition fails; Busy
 */
export async function changeOne(db: Database, change: Change | Count): Promise<RawItem> {
  if (db.dryRun !== undefined) return {};
  const tried = await tryChange(db, change);
  if ("changed" in tried) return tried.changed;
  throw change.kind === "change" ? rejectionOf(change) : new Error("a count was refused");
}

/** The item after the change or, if a condition failed, the current item. */
type Tried =
  | { readonly changed: RawItem }
  /** The item's numbers and strings, as strings; empty if there is no item. */
  | { readonly instead: Readonly<Record<string, string | undefined>> };

/** Tries one change outside a transaction. If a condition fails, the result shows why. @throws Busy */
export const tryChange = (db: Database, change: Change | Count): Promise<Tried> =>
  retrying(async () => {
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
  }, isConflict);

const isConflict = (error: unknown): boolean => error instanceof TransactionConflictException;

/** Whether a write outside a transaction is stored. A conflict counts as a failed condition. */
export async function isStored(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || isConflict(error)) return false;
    throw error;
  }
}
