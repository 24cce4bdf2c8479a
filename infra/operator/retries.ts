import { withBudget } from "../../shared/store/dynamodb/retry.ts";

/**
 * Retries work for up to a minute: no caller is waiting, stock may change without a pause, and DynamoDB
 * throttles a large import into an idle table until it has added partitions.
 * @throws Busy if it still fails then
 */
export const withLongBudget = <T>(work: () => Promise<T>): Promise<T> => withBudget(work, 60_000);
