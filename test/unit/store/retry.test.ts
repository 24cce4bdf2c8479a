import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import {
  Busy,
  backOff,
  extendBudget,
  inBudget,
  retryBudgetMs,
  withBudget,
} from "../../../shared/store/dynamodb/retry.ts";

const reason = new Error("throttled");

async function tryForEver(): Promise<never> {
  for (let attempt = 1; ; attempt += 1) await backOff(attempt, reason);
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("work that waits for others", () => {
  test("ends as busy within its budget, and says for the log why", async () => {
    const began = performance.now();

    const error = await failureOf(withBudget(tryForEver, 80));

    expect(error).toBeInstanceOf(Busy);
    expect(error).toMatchObject({ kind: "too_many", cause: reason, details: { retryAfterSeconds: 1 } });
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test("ends in time for an answer within the 5 s that the guides promise", () => {
    expect(retryBudgetMs).toBeLessThan(5_000);
  });

  test("ends at once where its pause would outlast the budget", async () => {
    vi.spyOn(Math, "random").mockReturnValueOnce(0.9);

    const error = await failureOf(withBudget(() => backOff(10, reason), 200));

    expect(error).toBeInstanceOf(Busy);
  });

  test("ends as busy without a budget, too", async () => {
    const random = vi.spyOn(Math, "random").mockReturnValue(0);

    const error = await failureOf(tryForEver());

    random.mockRestore();
    expect(error).toBeInstanceOf(Busy);
  });

  test("shares the budget of the work that it is part of", async () => {
    const error = await failureOf(
      withBudget(async () => {
        await sleep(30);
        await inBudget(() => backOff(1, reason));
      }, 20),
    );

    expect(error).toBeInstanceOf(Busy);
  });

  test("has more time once a part of it is stored", async () => {
    const work = async () => {
      extendBudget();
      await sleep(30);
      await backOff(1);
    };

    await expect(withBudget(work, 20)).resolves.toBeUndefined();
  });
});
