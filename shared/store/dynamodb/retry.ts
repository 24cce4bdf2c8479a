import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "../../common/clock.ts";
import { Problem } from "../../common/problem.ts";

/** Longest pause between two attempts, in milliseconds. */
const maxPauseMs = 1_000;

/**
 * How long work may wait for others in all, in milliseconds: about twelve attempts. A call is answered within 5 s. The
 * rest of these is for the last attempt and for giving up.
 */
export const retryBudgetMs = 4_000;

/** The same for work that was stored in part. The rest is waited for longer, and a Lambda of 29 s can still answer. */
const completionBudgetMs = 15_000;

/** How long work that has come to its end may still wait, in milliseconds, to tidy up after itself. */
export const cleanUpBudgetMs = 500;

/** Thrown where others kept the database busy for as long as work may wait. The work may succeed later as it is. */
export class Busy extends Problem {
  constructor(cause?: unknown) {
    const message = "The service is too busy for this call just now; send it again";
    super("too_many", message, { retryAfterSeconds: 1 }, cause);
    this.name = "Busy";
  }
}

/** The time that work may wait for others; `until` is a time of `clock`. */
interface Budget {
  readonly began: number;
  until: number;
}

/** The budget of the work under way. The database's client waits as well, and no caller could hand it a budget. */
const current = new AsyncLocalStorage<Budget>();

/** Runs work with a budget of its own: its `backOff`s throw Busy once it has waited for `milliseconds`. */
export function withBudget<T>(work: () => Promise<T>, milliseconds = retryBudgetMs): Promise<T> {
  const began = clock();
  return current.run({ began, until: began + milliseconds }, work);
}

/** Runs work that waits: within the budget of the work that it is part of, else with a budget of its own. */
export const inBudget = <T>(work: () => Promise<T>): Promise<T> =>
  current.getStore() === undefined ? withBudget(work) : work();

/** Gives the work under way more time, as a part of it is stored. */
export function extendBudget(): void {
  const budget = current.getStore();
  if (budget !== undefined) budget.until = Math.max(budget.until, budget.began + completionBudgetMs);
}

/**
 * Waits between two attempts; `attempt`, from 1, numbers one of them. The pause is random, up to a bound that doubles
 * with each attempt (full jitter). So writers that collided once do not collide again in step.
 * @throws Busy, with `cause`, where the pause would last beyond the budget of the work under way
 */
export async function backOff(attempt: number, cause?: unknown): Promise<void> {
  const pause = Math.random() * Math.min(maxPauseMs, 10 * 2 ** attempt);
  const { until } = current.getStore() ?? { until: Number.POSITIVE_INFINITY };
  if (clock() + pause > until) throw new Busy(cause);
  await sleep(pause);
}
