import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../../common/clock.ts";
import { Problem } from "../../common/problem.ts";

/** The longest pause between two attempts, in milliseconds. */
const maxPauseMs = 1_000;

/** Milliseconds that a call waits for others, of the 5 s until it is answered: about twelve attempts. */
export const retryBudgetMs = 4_000;

/** The same for work that is partly stored. A Lambda of 29 s can still answer after it. */
const completionBudgetMs = 15_000;

/**
 * The same for work that no caller waits for, such as an operator's command or a script. Stock may change
 * without a pause, and DynamoDB throttles a large import into an idle table until it has added partitions.
 */
export const unattendedBudgetMs = 60_000;

/** Attempts of work without a budget: also about a minute, since a pause takes half a second on average. */
const maxAttempts = 125;

/** How long finished work may still wait to clean up, in milliseconds. */
export const cleanUpBudgetMs = 500;

/** Thrown if the database stays busy for longer than the budget. The same work may succeed later. */
export class Busy extends Problem {
  constructor(cause?: unknown) {
    const message = "The service is too busy for this call just now; send it again";
    super("too_many", message, { retryAfterSeconds: 1 }, cause);
    this.name = "Busy";
  }
}

/** Thrown if a transaction's response was lost and the database stayed busy. The SDK does not retry it. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("a transaction may be stored or not", { cause });
    this.name = "OutcomeUnknown";
  }
}

/** The time for which work may wait for others; `until` is a time of `clock`. */
interface Budget {
  readonly began: number;
  until: number;
}

/** The budget of the work in progress. It is ambient, because the database's client waits as well. */
const current = new AsyncLocalStorage<Budget>();

/** Runs work with its own budget: its `backOff` throws Busy once it has waited for `milliseconds`. */
export function withBudget<T>(work: () => Promise<T>, milliseconds = retryBudgetMs): Promise<T> {
  const began = clock();
  return current.run({ began, until: began + milliseconds }, work);
}

/** Runs work within the budget of the surrounding work, or else with its own. */
export const inBudget = <T>(work: () => Promise<T>, milliseconds?: number): Promise<T> =>
  current.getStore() === undefined ? withBudget(work, milliseconds) : work();

/** Gives the work in progress more time because part of it is stored. */
export function extendBudget(): void {
  const budget = current.getStore();
  if (budget !== undefined) budget.until = Math.max(budget.until, budget.began + completionBudgetMs);
}

/**
 * Waits between two attempts; `attempt` counts from 1. The pause is random, up to a bound that doubles with
 * each attempt (full jitter), so that writers that collided do not collide again in step.
 * @throws Busy, with `cause`, if the pause would exceed the budget; without one, after `maxAttempts`
 */
export async function backOff(attempt: number, cause?: unknown): Promise<void> {
  const pause = Math.random() * Math.min(maxPauseMs, 10 * 2 ** attempt);
  const budget = current.getStore();
  if (budget === undefined ? attempt > maxAttempts : clock() + pause > budget.until) throw new Busy(cause);
  await sleep(pause);
}

/** @throws Busy, with the last error as its cause, if work that may succeed later outlasts the budget */
export const retrying = <T>(work: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> =>
  inBudget(async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!mayPass(error)) throw error;
        await backOff(attempt, error);
      }
    }
  });
