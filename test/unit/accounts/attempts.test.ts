import { afterEach, expect, test, vi } from "vitest";
import { attempting } from "../../../shared/accounts/sign-in-attempts.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

afterEach(() => void vi.useRealTimers());

/** Attempts to sign in that fail with this error, with what each of them throws. */
async function attempts(error: Error, times: number, { store, db } = faultyStore()) {
  const thrown: unknown[] = [];
  for (let time = 1; time <= times; time += 1) {
    const guess = { user_name: "ada", source: "192.0.2.1" };
    const signIn = async () => {
      throw error;
    };
    await attempting(db, guess, signIn).catch((one: unknown) => thrown.push(one));
  }
  return { thrown, store };
}

test.each([new Error("broken"), new Busy()])(
  "sign-ins that the service fails to check count as no failures of the user: %s",
  async (error) => {
    const { thrown } = await attempts(error, 7);

    expect(thrown).toEqual(Array(7).fill(error));
  },
);

test("sign-ins that are refused count as failures, for a quarter of an hour each", async () => {
  const refused = new Problem("unauthorized", "wrong");

  const { thrown } = await attempts(refused, 6);

  expect(thrown.slice(0, 5)).toEqual(Array(5).fill(refused));
  const retryAfterSeconds = expect.closeTo(15 * 60, -2);
  expect(thrown[5]).toMatchObject({ kind: "too_many", details: { retryAfterSeconds } });
});

test("once the oldest of five failures is a quarter of an hour old, one more attempt is taken; until then, others are told when", async () => {
  const [refused, connection, begin] = [new Problem("unauthorized", "wrong"), faultyStore(), Date.now()];
  const failing = async (times: number, minutes: number) => {
    vi.setSystemTime(begin + minutes * 60_000);
    const { thrown } = await attempts(refused, times, connection);
    return thrown.map((error) =>
      error !== refused && error instanceof Problem ? error.details.retryAfterSeconds : "taken",
    );
  };
  await failing(1, 0);
  await failing(4, 1);

  const [early, late] = [await failing(1, 14.9), await failing(2, 15)];

  expect([early, late]).toEqual([[6], ["taken", 60]]);
});

test("a sign-in that fails is answered by its own error, though its place can't be returned", async () => {
  const [{ store, db }, busy] = [faultyStore(), new Busy()];
  store.fault = (command, input) =>
    command === "TransactWriteItems" && input.includes("REMOVE") ? new Error("down") : undefined;

  const { thrown } = await attempts(busy, 1, { store, db });

  expect(thrown).toEqual([busy]);
});
