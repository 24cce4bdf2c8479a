import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { Busy, OutcomeUnknown } from "./retry.ts";
import { Stale } from "./writes.ts";

/**
 * Whether an error may pass without a change of the data or the code: the database is busy, unreachable or
 * denies access. Any other error comes again with each attempt at the same item.
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Busy ||
  error instanceof OutcomeUnknown ||
  error instanceof Stale ||
  (error instanceof Error && "$metadata" in error && !isRefusal(error));

/** Whether DynamoDB refuses what a call would store. */
const isRefusal = (error: Error): boolean =>
  error.name === "ValidationException" ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === "ValidationError"));
