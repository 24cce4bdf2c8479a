import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { only } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import type { Insert } from "../../../../shared/store/dynamodb/writes.ts";
import { type Idempotency, LockedKey, lock, storeOnce } from "../../../../shared/store/idempotency.ts";
import { unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";

const service = await ownService({ paused: true });
const db = service.db;

let name: string;
beforeEach(() => {
  name = unique("key");
});

const table = "jobs";
const response = { data: "done" };
const answer = { status: 200, body: JSON.stringify(response) };

const effect = (): Insert => ({
  kind: "insert",
  table,
  item: { pk: `test#${unique("effect")}`, sk: only },
});

const isStored = async ({ item: { pk, sk } }: Insert) =>
  (await getItem(db, { table, key: { pk, sk } })) !== undefined;

afterEach(() => vi.restoreAllMocks());

/** The lock of the key, which must be free or have run out. */
async function newLock() {
  const outcome = await lock(db, name, "fingerprint");
  if (outcome.state !== "locked") throw new Error(`the key is ${outcome.state}`);
  return outcome.lock;
}

const held = async (): Promise<LockedKey> => new LockedKey(db, await newLock(), JSON.stringify);

const locked = async (): Promise<Idempotency> => (await held()).idempotency;

const later = (hours: number): void => {
  const time = Date.now() + hours * 3_600_000;
  vi.spyOn(Date, "now").mockImplementation(() => time);
};

/** The call of a retry that takes the key over. */
const takingOver = { command: "any", text: '":running"' } as const;

describe("a key", () => {
  test("is taken over by one of two retries, and expires when it was to expire before", async () => {
    const { expires_at } = await newLock();
    later(1);
    const slow = troubledDatabase(service);
    const others: unknown[] = [];
    slow.add({ before: async () => others.push(await lock(db, name, "fingerprint")) }, takingOver);

    const outcome = await lock(slow.db, name, "fingerprint");

    expect(others).toMatchObject([{ state: "locked", lock: { expires_at } }]);
    expect(outcome).toEqual({ state: "running" });
  });

  test("keeps the answer of the retry that took it over, whatever the run before answers later", async () => {
    const slow = await held();
    later(1);
    const retry = await held();
    await retry.settle(answer);

    await slow.settle({ status: 400, body: "late" });

    expect(await lock(db, name, "fingerprint")).toEqual({ state: "done", answer });
  });

  test("is free once it has expired, even if DynamoDB has not deleted it yet", async () => {
    await (await held()).settle(answer);
    later(25);

    expect(await lock(db, name, "another request")).toMatchObject({ state: "locked" });
  });
});

describe("an answer that is kept within the call's transaction", () => {
  test("is given to the next caller that locks the key", async () => {
    const write = effect();
    await storeOnce({ db, idempotency: await locked() }, [write], response);

    const again = await lock(db, name, "fingerprint");

    expect(again).toEqual({ state: "done", answer });
    expect(await isStored(write)).toBe(true);
  });

  test("is stored once, by the first of two runs of the call; nothing of the other is stored", async () => {
    const slow = await locked();
    await expireKeyLocks({ db });
    const retry = await locked();
    const [first, second] = [effect(), effect()];

    await storeOnce({ db, idempotency: slow }, [first], response);
    await expect(storeOnce({ db, idempotency: retry }, [second], response)).rejects.toThrow("another run");

    expect([await isStored(first), await isStored(second)]).toEqual([true, false]);
    expect(await lock(db, name, "fingerprint")).toEqual({ state: "done", answer });
  });

  test("is given to a retry that takes over the key just before it is stored", async () => {
    const slow = await locked();
    await expireKeyLocks({ db });
    const overtaken = troubledDatabase(service);
    overtaken.add({ before: () => storeOnce({ db, idempotency: slow }, [], response) }, takingOver);

    const retry = await lock(overtaken.db, name, "fingerprint");
    const again = await lock(db, name, "fingerprint");

    expect(overtaken.hits).toBe(1);
    if (retry.state !== "locked") throw new Error(`the key is ${retry.state}`);
    const { idempotency } = new LockedKey(db, retry.lock, JSON.stringify);
    const late = storeOnce({ db, idempotency }, [effect()], {});
    await expect(late).rejects.toThrow("another run");
    expect(again).toEqual({ state: "done", answer });
  });
});

describe("a key of release 1.0.0, whose call died", () => {
  /** The item of a call that said what it would answer once the effects were stored. */
  const dead = async (...effects: readonly Insert[]) => {
    const witnesses = effects.map(({ item: { pk, sk } }) => ({ table, key: { pk, sk } }));
    const run = { state: "running", fingerprint: "fingerprint", token: "t", runs_until: 0, expires_at: 4e9 };
    const kept = { status: 200, answer: gzipSync(answer.body), witnesses };
    const item = { pk: `idempotency#${name}`, sk: only, ...run, ...kept };
    await transact(db, [{ kind: "insert", table, item }]);
  };

  test.each([
    ["all", 2, "done"],
    ["some", 1, "partly-stored"],
    ["none", 0, "locked"],
  ])("when it had stored %s of its records", async (_, count, state) => {
    const effects = [effect(), effect()];
    await dead(...effects);
    await transact(db, effects.slice(0, count));

    expect(await lock(db, name, "fingerprint")).toMatchObject({ state });
  });
});
