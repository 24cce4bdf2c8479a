import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { only } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { type Insert, stale } from "../../../../shared/store/dynamodb/writes.ts";
import { HeldKey, lock } from "../../../../shared/store/idempotency.ts";
import { storeOnce } from "../../../../shared/store/store-once.ts";
import { unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { type OwnService, startService } from "../../../support/runtime/own-service.ts";
import { endClaims } from "../../../support/store/claims.ts";

let service: OwnService;
let db: Database;
beforeAll(async () => {
  service = await startService({ paused: true });
  db = service.db;
});
afterAll(() => service.runtime.stop());

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
  rejection: stale,
});

const isStored = async ({ item: { pk, sk } }: Insert) =>
  (await getItem(db, { table, key: { pk, sk } })) !== undefined;

/** Locks the key, which must be free or have run out. */
async function locked(): Promise<HeldKey> {
  const outcome = await lock(db, name, "fingerprint");
  if (outcome.state !== "locked") throw new Error(`the key is ${outcome.state}`);
  return new HeldKey(db, outcome.lock, JSON.stringify);
}

describe("an answer that is kept within the call's transaction", () => {
  test("is given to whoever locks the key after it", async () => {
    const write = effect();
    await storeOnce({ db, idempotency: await locked() }, [write], response);

    const again = await lock(db, name, "fingerprint");

    expect(again).toEqual({ state: "done", answer });
    expect(await isStored(write)).toBe(true);
  });

  test("is not kept, nor is anything else stored, once a retry has taken the key over", async () => {
    const slow = await locked();
    await endClaims({ db });
    const retry = await locked();
    const [late, right] = [effect(), effect()];

    await expect(storeOnce({ db, idempotency: slow }, [late], response)).rejects.toThrow("taken over");
    await storeOnce({ db, idempotency: retry }, [right], response);

    expect([await isStored(late), await isStored(right)]).toEqual([false, true]);
  });

  test("keeps a retry from taking over the key, also one that has just found the key run out", async () => {
    const slow = await locked();
    await endClaims({ db });
    const overtaken = troubledDatabase(service);
    const takingOver = { command: "any", text: '":running"' } as const;
    overtaken.add({ before: () => storeOnce({ db, idempotency: slow }, [], response) }, takingOver);

    const retry = await lock(overtaken.db, name, "fingerprint");
    const later = await lock(db, name, "fingerprint");

    expect(overtaken.hits).toBe(1);
    expect([retry, later]).toEqual([{ state: "running" }, { state: "done", answer }]);
  });
});
