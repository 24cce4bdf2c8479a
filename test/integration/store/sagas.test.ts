import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { endpoint } from "../../../functions/oms/orders/create-orders.ts";
import { storeEach } from "../../../shared/store/bulk/bulk.ts";
import { getItem, getItems } from "../../../shared/store/dynamodb/reads.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import {
  type Change,
  type Count,
  type PlannedWrites,
  type RecordWrites,
  rejectionOf,
  SagaInProgress,
  sagaAttribute,
  stale,
  type Write,
} from "../../../shared/store/dynamodb/writes.ts";
import { storeOnce } from "../../../shared/store/idempotency.ts";
import { postponeSaga, sagaRemoval } from "../../../shared/store/sagas/open-sagas.ts";
import { commitRecord, readSagaItems, resumeSaga } from "../../../shared/store/sagas/saga.ts";
import { unique } from "../../support/records/records.ts";
import { dyingAfter, troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { keyed } from "../../support/store/sagas.ts";

const table = "orders";

const service = await sharedService();
const db = service.db;

/** A record of version 1 that is there already. */
let record: { readonly pk: string; readonly sk: string };
beforeEach(async () => {
  record = { pk: unique("stepped"), sk: "record" };
  await transact(db, [{ kind: "insert", table, item: { ...record, version: 1 } }]);
});

/** So many counters take a first transaction, two steps and the last one. */
const counters = 250;

const effects = (): readonly Count[] =>
  Array.from({ length: counters }, (_, index) => ({
    kind: "count",
    table,
    key: { pk: record.pk, sk: `counter-${index}` },
    add: { n: 1 },
  }));

/** The record's next version, with an effect on all counters. */
const change = (from: number, more: Partial<Change> = {}): RecordWrites => [
  {
    kind: "change",
    table,
    key: record,
    set: { version: from + 1 },
    when: [{ attribute: "version", equals: from }],
    ...more,
  },
  ...effects(),
];

/** The name of the saga that has the record locked. */
async function lockingSaga(): Promise<string> {
  const item = await getItem(db, { table, key: record });
  return String(item?.[sagaAttribute]);
}

/** The record's version, and what the counters say, each value once. */
async function state() {
  const find = await getItems(db, effects());
  const counts = new Set(effects().map((effect) => Number(find(effect)?.["n"] ?? 0)));
  const item = await getItem(db, { table, key: record });
  return {
    version: item?.["version"],
    counts: [...counts],
    isLocked: item !== undefined && sagaAttribute in item,
  };
}

const dies = { before: () => Promise.reject(new Error("died")) };
const passes = { after: async () => undefined };

/** Stores a change whose call dies after so many transactions. */
async function leftBehind(writes: RecordWrites, transactions: number): Promise<void> {
  const dying = troubledDatabase(service, ...Array.from({ length: transactions }, () => passes), dies);
  await expect(commitRecord(dying.db, writes)).rejects.toThrow("died");
}

/**
 * A process that reads what is left of the record's steps, and dies once it has carried out so many of them.
 */
const carryOut = async (steps: number) =>
  expect(resumeSaga(dyingAfter(service, steps), await lockingSaga())).rejects.toThrow("died");

describe("a record that a saga stores", () => {
  test("takes effect whole, and is free then", async () => {
    expect(await commitRecord(db, change(1))).toBeUndefined();

    expect(await state()).toEqual({ version: 2, counts: [1], isLocked: false });
  });

  test("is rejected with nothing stored if its condition fails", async () => {
    const broken = await commitRecord(db, change(7));

    expect(broken && rejectionOf(broken)).toEqual(stale());
    expect(await state()).toEqual({ version: 1, counts: [0], isLocked: false });
  });

  test.each([
    ["is one step ahead", () => carryOut(1)],
    ["finishes first", async () => resumeSaga(db, await lockingSaga())],
  ])("runs each step once when another runner %s", async (_case, before) => {
    const slow = troubledDatabase(service, passes, { before });

    await commitRecord(slow.db, change(1));

    expect(await state()).toEqual({ version: 2, counts: [1], isLocked: false });
  });

  test("is not touched by a function that still carries out an earlier change of it", async () => {
    const finish = async () => resumeSaga(db, await lockingSaga());
    const slow = troubledDatabase(service, passes, {
      before: async () => {
        await finish();
        await leftBehind(change(2), 1);
      },
    });

    await commitRecord(slow.db, change(1));
    const between = await state();
    await finish();

    expect(between).toEqual({ version: 2, counts: [1], isLocked: true });
    expect(await state()).toEqual({ version: 3, counts: [2], isLocked: false });
  });

  test("can't be changed or removed by anybody else before its last step, but be counted on", async () => {
    await leftBehind(change(1), 2);
    const when = [{ attribute: "version", equals: 1 } as const];
    const count: Write = { kind: "count", table, key: record, add: { seen: 1 } };

    const rejection = new SagaInProgress(await lockingSaga());

    await expect(transact(db, change(1).slice(0, 1))).rejects.toThrow(rejection);
    const removal: Write = { kind: "removal", table, key: record, when };
    await expect(transact(db, [removal])).rejects.toThrow(rejection);
    await expect(commitRecord(db, change(1))).resolves.toMatchObject({ kind: "change" });
    await transact(db, [count]);

    await resumeSaga(db, await lockingSaga());
    expect(await state()).toEqual({ version: 2, counts: [1], isLocked: false });
  });

  test("does not end as busy, which says that nothing is stored, once its first transaction is", async () => {
    const seconds = process.uptime();
    // The time for which the call may wait is over once the first transaction is stored.
    const after = async () => vi.spyOn(process, "uptime").mockReturnValue(seconds + 20);
    const busy = troubledDatabase(service, { after }, "conflict");
    onTestFinished(() => void vi.restoreAllMocks());

    const outcomes = await storeEach<PlannedWrites, string>(busy.db, [[], change(1)], (all) =>
      all.map((writes) => ({ writes, result: "stored" })),
    ).catch((error: unknown) => error);

    expect(outcomes).toBeInstanceOf(Error);
    expect(outcomes).not.toBeInstanceOf(Busy);
    expect(busy.hits).toBe(2);
    await resumeSaga(db, await lockingSaga());
    expect(await state()).toEqual({ version: 2, counts: [1], isLocked: false });
  });

  test("is not begun again by being postponed once it is done", async () => {
    await leftBehind(change(1), 1);
    const saga = await lockingSaga();
    await resumeSaga(db, saga);

    await postponeSaga(db, saga);

    expect(await readSagaItems(db, saga)).toBeUndefined();
  });

  test("is removed by a repair only in the run that the repair has read", async () => {
    await leftBehind(change(1), 1);
    const saga = await lockingSaga();

    await expect(transact(db, sagaRemoval(saga, "an earlier run"))).rejects.toThrow(stale());

    await resumeSaga(db, saga);
    expect(await state()).toEqual({ version: 2, counts: [1], isLocked: false });
  });

  test("is rejected with nothing stored if its plan does not fit in an item", async () => {
    const noise = randomBytes(390_000);

    const tooLarge = commitRecord(db, change(1, { set: { noise } }));

    await expect(tooLarge).rejects.toMatchObject({ kind: "invalid" });
    expect(await state()).toEqual({ version: 1, counts: [0], isLocked: false });
  });

  test("is stored with its receipt, which the plan need not hold", async () => {
    const [noise, more] = [0, 1].map(() => randomBytes(150_000).toString("base64"));
    const send = keyed(endpoint, (database, idempotency) =>
      storeOnce({ db: database, idempotency }, change(1, { set: { version: 2, noise } }), { noise, more }),
    );

    const [answer, retried] = [await send(db), await send(db)];

    expect(await state()).toEqual({ version: 2, counts: [1], isLocked: false });
    expect([answer.statusCode, retried.headers?.["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(retried.body).toBe(answer.body);
  });
});
