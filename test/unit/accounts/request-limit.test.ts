import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { endpoint as listEvents } from "../../../functions/oms/events/list-events.ts";
import {
  quotaOf,
  type RequestLimit,
  taking,
  tokensOf,
  windowOf,
} from "../../../shared/accounts/request-limit.ts";
import { countKnown, quotaOfAccount, tieBucket } from "../../../shared/accounts/request-limit-repository.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

const limit: RequestLimit = { per_second: 10, burst: 5 };
const second = 1_000_000;
const now = Date.parse("2026-03-01T12:00:00Z") * 1000;

afterEach(() => void vi.useRealTimers());

/** A bucket alone: takes tokens as the table's item would be changed. */
class Bucket {
  fullAt = 0;

  take(tokens: number, at: number, of = limit): boolean {
    const step = taking(of, this.fullAt, tokens, at);
    if ("wait" in step) return false;
    const { set, add } = step.change;
    this.fullAt = set === undefined ? this.fullAt + Number(add?.["full_at"]) : Number(set["full_at"]);
    return true;
  }
}

describe("a bucket of requests", () => {
  test("lets as many through at once as it holds, and then as many as come back", () => {
    const bucket = new Bucket();

    const atOnce = Array.from({ length: 7 }, () => bucket.take(1, now));
    const later = Array.from({ length: 3 }, () => bucket.take(1, now + 0.2 * second));

    expect(atOnce).toEqual([true, true, true, true, true, false, false]);
    expect(later).toEqual([true, true, false]);
  });

  test("says how long what is refused has to wait, and then lets it through", () => {
    const bucket = new Bucket();
    bucket.take(5, now);

    const refused = taking(limit, bucket.fullAt, 2, now);

    expect(refused).toEqual({ wait: 0.2 * second });
    expect(bucket.take(2, now + 0.2 * second - 1)).toBe(false);
    expect(bucket.take(2, now + 0.2 * second)).toBe(true);
  });

  test("never lets more through in any time than it holds and what comes back in that time", () => {
    const calls = fc.array(fc.record({ pause: fc.nat(2 * second), tokens: fc.integer({ min: 1, max: 5 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(calls, (sent) => {
        const bucket = new Bucket();
        let at = now;
        const taken = sent.flatMap(({ pause, tokens }) => {
          at += pause;
          return bucket.take(tokens, at) ? [{ at, tokens }] : [];
        });
        for (const [from, first] of taken.entries()) {
          let sum = 0;
          for (const { at: when, tokens } of taken.slice(from)) {
            sum += tokens;
            expect(sum).toBeLessThanOrEqual(5 + ((when - first.at) * 10) / second + 1e-6);
          }
        }
      }),
    );
  });
});

test.each([
  [0, 1],
  [-3, 1],
  [1, 1],
  [2.2, 3],
  [20, 5],
  [Number.POSITIVE_INFINITY, 5],
])("a request that counts as %s takes %s tokens", (weight, tokens) => {
  expect(tokensOf(limit, weight)).toBe(tokens);
});

test("a quota tells whole requests that are left, and whole seconds", () => {
  expect(quotaOf(limit, 0, now)).toEqual({ limit, remaining: 5, reset: 0 });
  expect(quotaOf(limit, now + 0.15 * second, now)).toEqual({ limit, remaining: 3, reset: 1 });
  expect(quotaOf(limit, now + 0.5 * second, now, 0.1 * second)).toEqual({
    limit,
    remaining: 0,
    reset: 1,
    wait: 1,
  });
  expect(windowOf(limit)).toBe(1);
});

test.each([
  [undefined, 1],
  ["0", 1],
  ["20", 20],
  ["21", 1],
  ["100000", 1],
  ["-5", 1],
  ["x", 1],
])("a read of the feed with wait=%s counts as %i requests", (wait, weight) => {
  expect(listEvents.weight?.({ wait })).toBe(weight);
});

test("the limits of a thousand accounts stay known while no other account calls", async () => {
  const { db } = faultyStore();
  const requestOf = (account_id: number) => ({ account_id, key_hash: "hash", weight: 1 });
  for (let account_id = 1; account_id <= 1000; account_id += 1) {
    await transact(db, [tieBucket(account_id, "hash")]);
    await quotaOfAccount(db, requestOf(account_id), limit, undefined);
  }

  await countKnown(db, requestOf(1000));

  expect(await countKnown(db, requestOf(1))).toBeDefined();
});

test("the same limit set again refills the bucket, once a refused request's own tokens would be back", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: now / 1000 });
  const { db } = faultyStore();
  const refill = () => transact(db, [tieBucket(1, "hash", { filled: true })]);
  const send = async (weight: number) => {
    const request = { account_id: 1, key_hash: "hash", weight };
    return await quotaOfAccount(db, request, limit, await countKnown(db, request));
  };
  // What other tests left is forgotten.
  await quotaOfAccount(db, { account_id: 1, key_hash: "hash", weight: 1 }, undefined, undefined);
  await refill();
  await send(5);
  await refill();

  const early = await send(2);
  vi.setSystemTime(now / 1000 + 200);
  const late = await send(2);

  expect(early).toEqual({ limit, remaining: 0, reset: 1, wait: 1 });
  expect(late).toEqual({ limit, remaining: 3, reset: 1 });
});
