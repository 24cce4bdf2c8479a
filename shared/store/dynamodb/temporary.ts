import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { Busy, OutcomeUnknown } from "./retry.ts";
import { Stale } from "./writes.ts";

/** Busy, unreachable or denied: the same call may succeed later. Other errors recur with each attempt. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof Busy ||
  error instanceof OutcomeUnknown ||
  error instanceof Stale ||
  (error instanceof Error && "$metadata" in error && !isRefusal(error));

/** Whether DynamoDB rejects the content of a call. */
const isRefusal = (error: Error): boolean =>
  error.name === "ValidationException" ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === "ValidationError"));
