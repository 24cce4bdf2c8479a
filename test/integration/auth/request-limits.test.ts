import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { limitAccount } from "../../../infra/operator/set-up/accounts.ts";
import { findAccount } from "../../../shared/accounts/account-repository.ts";
import type { RequestLimit } from "../../../shared/accounts/request-limit.ts";
import { newStore } from "../../support/business/world.ts";
import { type Answer, numberAt } from "../../support/http/client.ts";
import { putAccount } from "../../support/records/accounts.ts";
import { productOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
let store = await newStore(service);

/** One request comes back each second: the slowest limit there is. */
const limitTo = (burst: number) => limit({ per_second: 1, burst });

async function limit(to?: RequestLimit): Promise<void> {
  const account = await findAccount(service.db, store.accountId);
  if (account === undefined) throw new Error("the store has no account");
  await limitAccount(service.db, account, to);
}

/** Limits the requests, and has so many of them missing, as if they had been sent just now. */
async function limitedLacking(burst: number, missing: number): Promise<void> {
  await limitTo(burst);
  await fillAt(Date.now() + missing * 1000);
}

/** Has the bucket of the store's requests be full at a time, in epoch milliseconds. */
async function fillAt(at: number): Promise<void> {
  const { db } = service;
  await db.client.send(
    new UpdateCommand({
      TableName: db.tableName("identity"),
      Key: { pk: `requests#${store.accountId}`, sk: "-" },
      UpdateExpression: "SET full_at = :at",
      ConditionExpression: "attribute_exists(full_at)",
      ExpressionAttributeValues: { ":at": at * 1000 },
    }),
  );
}

/** Runs calls, and answers the seconds that they took, too: so many requests may have come back meanwhile. */
async function timed<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const begin = performance.now();
  const result = await run();
  return { result, seconds: Math.ceil((performance.now() - begin) / 1000) };
}

const ping = (): Promise<Answer> => store.oms.post("/ping");

const times = <T>(count: number, run: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, run));

const passed = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length;

describe("an account with a limit", () => {
  beforeEach(async () => {
    store = await newStore(service);
  });

  test("shows what is left with each answer, even a failure", async () => {
    await limitTo(100);

    const first = await ping();
    const failed = await store.oms.get("/orders/999999999");

    expect(first.headers.get("ratelimit-policy")).toBe('"account";q=100;w=100');
    expect(first.headers.get("ratelimit")).toBe('"account";r=99;t=1');
    expect(failed.status).toBe(404);
    expect(failed.headers.get("ratelimit")).toMatch(/^"account";r=9[89];t=[12]$/);
  });

  test("is refused with 429 once nothing is left, and may come again when the answer says", async () => {
    await limitedLacking(3, 5);

    const refused = await ping();
    const wait = Number(refused.headers.get("retry-after"));
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    const again = await ping();

    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      response: {
        success: false,
        message: "The account has sent too many requests; nothing was done, try again later",
      },
    });
    expect(refused.headers.get("ratelimit")).toMatch(/^"account";r=0;t=[345]$/);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(3);
    expect(again.status).toBe(200);
  });

  test("stores nothing by a call that is refused, and its Idempotency-Key is free", async () => {
    await limitedLacking(2, 60);
    const key = { "Idempotency-Key": "refused" };
    const create = () => store.oms.post("/inventory/products", { data: [productOf()] }, key);

    const refused = await create();
    await limit();
    const total = numberAt((await store.oms.get("/inventory/products")).body, "metadata.total_records");
    const again = await create();

    expect([refused.status, total, again.status]).toEqual([429, 0, 200]);
    expect(again.headers.get("idempotent-replayed")).toBeNull();
  });

  test("counts concurrent calls once each, across all instances and endpoints", async () => {
    await limitTo(10);

    const { result, seconds } = await timed(() =>
      Promise.all([
        times(12, ping),
        times(12, () => store.oms.get("/inventory/products")),
        times(12, () => store.v2.post("/ping")),
      ]),
    );

    expect(passed(result.flat())).toBeGreaterThanOrEqual(10);
    expect(passed(result.flat())).toBeLessThanOrEqual(10 + seconds);
    expect(new Set(result.flat().map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  test("loses no requests to callers without its key", async () => {
    await limitTo(3);
    await ping();
    const stranger = service.client("/apirest/v4/oms", { ...store.credentials, Key: "wrong" });

    const guesses = await times(4, () => stranger.post("/ping"));
    const answers = await times(2, ping);

    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(guesses.map(({ headers }) => headers.get("ratelimit"))).toEqual(guesses.map(() => null));
    expect(passed(answers)).toBe(2);
  });

  test("pays for a call that waits by the seconds that it may wait", async () => {
    await limitTo(10);
    const waited = await store.oms.get("/events?wait=2");
    await limitedLacking(10, 8);
    const refused = await store.oms.get("/events?wait=20");

    expect(waited.headers.get("ratelimit")).toBe('"account";r=8;t=2');
    expect(refused.status).toBe(429);
  });

  test("keeps it with a new key, and only the new key counts", async () => {
    const { accountId: account_id } = store;
    await limitTo(3);
    await ping();
    const renewed = { name: "Test Store", activated: true, key_scope: "write", key: "another" } as const;
    await putAccount(service.db, { account_id, ...renewed });
    const client = service.client("/apirest/v4/oms", { AccountID: String(account_id), Key: "another" });

    const answer = await client.post("/ping");

    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit")).toMatch(/^"account";r=[12];/);
  });

  test("begins with a full bucket when its limit is changed, whatever it sent by a slower one", async () => {
    await limitedLacking(100, 100);
    const refused = await ping();
    await limit({ per_second: 100, burst: 50 });

    const answers = await times(4, ping);

    expect(refused.status).toBe(429);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test("is without one again when the limit is switched off", async () => {
    await limitedLacking(1, 60);
    const refused = await ping();
    await limit();

    // An instance learns of it by the account's next request.
    await times(4, ping);
    const answers = await times(4, ping);

    expect(refused.status).toBe(429);
    expect(passed(answers)).toBe(4);
    expect(answers.map(({ headers }) => headers.get("ratelimit"))).toEqual([null, null, null, null]);
  });
});
