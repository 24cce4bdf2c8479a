import { unattendedBudgetMs, withBudget } from "../../shared/store/dynamodb/retry.ts";

/** Retries work for up to a minute. @throws Busy if it still fails then */
export const withLongBudget = <T>(work: () => Promise<T>): Promise<T> => withBudget(work, unattendedBudgetMs);
