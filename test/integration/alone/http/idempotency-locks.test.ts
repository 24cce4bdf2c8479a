import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { only } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { type Insert, stale } from "../../../../shared/store/dynamodb/writes.ts";
import { type Lock, lock, settlement } from "../../../../shared/store/idempotency.ts";
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
const answer = { status: 200, body: '{"data":"done"}' };

const effect = (): Insert => ({
  kind: "insert",
  table,
  item: { pk: `test#${unique("effect")}`, sk: only },
  rejection: stale,
});

const isStored = async ({ item: { pk, sk } }: Insert) =>
  (await getItem(db, { table, key: { pk, sk } })) !== undefined;

/** Locks the key, which must be free or have run out. */
async function locked(): Promise<Lock> {
  const outcome = await lock(db, name, "fingerprint");
  if (outcome.state !== "locked") throw new Error(`the key is ${outcome.state}`);
  return outcome.lock;
}

describe("an answer that is kept within the call's transaction", () => {
  test("is given to whoever locks the key after it", async () => {
    const write = effect();
    await transact(db, [write, ...settlement(await locked(), answer)]);

    const again = await lock(db, name, "fingerprint");

    expect(again).toEqual({ state: "done", answer });
    expect(await isStored(write)).toBe(true);
  });

  test("is not kept, nor is anything else stored, once a retry has taken the key over", async () => {
    const slow = await locked();
    await endClaims({ db });
    const retry = await locked();
    const [late, right] = [effect(), effect()];

    await expect(transact(db, [late, ...settlement(slow, answer)])).rejects.toThrow("taken over");
    await transact(db, [right, ...settlement(retry, answer)]);

    expect([await isStored(late), await isStored(right)]).toEqual([false, true]);
  });

  test("keeps a retry from taking over the key, also one that has just found the key run out", async () => {
    const slow = await locked();
    await endClaims({ db });
    const overtaken = troubledDatabase(service);
    const takingOver = { command: "any", text: '":running"' } as const;
    overtaken.add({ before: () => transact(db, settlement(slow, answer)) }, takingOver);

    const retry = await lock(overtaken.db, name, "fingerprint");
    const later = await lock(db, name, "fingerprint");

    expect(overtaken.hits).toBe(1);
    expect([retry, later]).toEqual([{ state: "running" }, { state: "done", answer }]);
  });
});
