import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import {
  type Change,
  type Count,
  countWith,
  type Insert,
  itemKeyOf,
  keyOf as keyOfWrite,
  type RecordWrites,
  type Removal,
  storedTogether,
  type Write,
} from "../../../shared/store/dynamodb/writes.ts";
import { abandonedSagas, beginningsOfSagas } from "../../../shared/store/sagas/open-sagas.ts";
import { commitRecord, resumeSaga } from "../../../shared/store/sagas/saga.ts";
import { maxStepWrites, packSteps, planSaga, unpackSteps } from "../../../shared/store/sagas/saga-plan.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

const table = "orders";
const rejection = () => new Error("it is taken");
const keyOf = (sk: string) => ({ pk: "p", sk });
const keyPlace = (write: Write) => keyOfWrite(write).sk;
const insert = (sk: string, own = false): Insert => ({
  kind: "insert",
  table,
  item: { ...keyOf(sk), v: 1 },
  neverFails: own,
  rejection,
});
const change = (sk: string): Change => ({
  kind: "change",
  table,
  key: keyOf(sk),
  set: { v: 2 },
  remove: ["w"],
  when: [{ attribute: "v", equals: 1 }],
  rejection,
});
const removal = (sk: string, when: Removal["when"] = []): Removal => ({
  kind: "removal",
  table,
  key: keyOf(sk),
  when,
  rejection,
});
const count = (sk: string): Count => ({ kind: "count", table, key: keyOf(sk), add: { n: 1 } });
const counts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => count(`c${from + index}`));

const locking = (sk: string) => ({ table, key: keyOf(sk), set: { underway: "s" } });
const locked = [{ attribute: "underway", equals: "s" }];

describe("a new record that a saga stores", () => {
  const record: RecordWrites = [insert("record"), count("tally"), insert("number"), insert("history", true)];

  const number = {
    kind: "insert",
    table,
    item: { ...keyOf("number"), v: 1, underway: "s" },
    neverFails: false,
    rejection,
  };
  const freed = {
    kind: "change",
    table,
    key: keyOf("number"),
    remove: ["underway"],
    when: locked,
    rejection,
  };

  test("takes in its first transaction what others could take, locked, and nothing else", () => {
    expect(planSaga([...record, ...counts(0, 300)], "s").first).toEqual([number]);
  });

  test("shows with its last step, which holds all that is the record's", () => {
    const { steps } = planSaga([...record, ...counts(0, 20)], "s", 10);

    const own = [insert("record"), freed, count("tally"), insert("history", true)];
    expect(steps.at(-1)).toEqual([...own, ...counts(0, 6)]);
  });

  test.each([1, 94, 95, 1000])("has each of its %i effects in one step, and no step too large", (effects) => {
    const { steps } = planSaga([...record, ...counts(0, effects)], "s");

    const places = steps.flat().map(itemKeyOf);
    const expected = [...record, ...counts(0, effects)];
    expect(places.toSorted()).toEqual(expected.map(itemKeyOf).toSorted());
    expect(Math.max(...steps.map((step) => step.length))).toBeLessThanOrEqual(maxStepWrites);
    expect(steps).toHaveLength(Math.ceil((effects + 4) / maxStepWrites));
  });
});

test.each([10, 11])("a stock count and its movements are stored in one step, in steps of %i", (size) => {
  const pairs = Array.from({ length: 40 }, (_, index) =>
    countWith(count(`c${index % 30}`), insert(`m${index}`, true)),
  );

  const { steps } = planSaga([insert("record"), ...pairs.flat()], "s", size);

  const stepOf = (sk: string) => steps.findIndex((step) => step.some((write) => keyPlace(write) === sk));
  for (let index = 0; index < 40; index += 1) expect(stepOf(`m${index}`)).toBe(stepOf(`c${index % 30}`));
  expect(steps.flat()).toHaveLength(1 + 30 + 40);
  expect(Math.max(...steps.map((step) => step.length))).toBeLessThanOrEqual(size);
});

test("effects that belong together may fill a step", () => {
  const together = countWith(count("c"), insert("m", true), insert("n", true));

  const { steps } = planSaga([insert("record"), ...together], "s", 3);

  expect(steps.map((step) => step.map(keyPlace))).toEqual([["c", "m", "n"], ["record"]]);
});

test("effects that belong together and fill more than a step are a mistake", () => {
  const writes: RecordWrites = [insert("record"), ...countWith(count("c"), insert("m", true))];

  expect(() => planSaga(writes, "s", 1)).toThrow("2 writes that belong together do not fit one step");
});

test("a record that is changed without a condition is a mistake, since nothing would lock it", () => {
  for (const record of [removal("record"), { ...change("record"), ignoresLocks: true }])
    expect(() => planSaga([record, ...counts(0, 300)], "s")).toThrow("no condition");
});

describe("a change that a saga stores", () => {
  const { first, steps } = planSaga([change("record"), ...counts(0, 300)], "s");

  test("locks the record under its conditions, and leaves it as it is", () => {
    expect(first).toEqual([{ kind: "change", ...locking("record"), when: change("record").when, rejection }]);
  });

  test("changes the record with its last step alone, as long as it is locked, and unlocks it", () => {
    const changed = { ...change("record"), remove: ["w", "underway"], when: locked };
    expect(steps.at(-1)?.[0]).toEqual(changed);
    expect(steps.flat().filter(({ kind }) => kind === "change")).toHaveLength(1);
  });

  test("locks no item that nobody else can touch, and changes it like any effect", () => {
    const infallible = { ...change("mine"), ignoresLocks: true };

    const plan = planSaga([change("record"), ...counts(0, 300), infallible], "s");

    expect(plan.first).toEqual(first);
    expect(plan.steps.flat().filter((write) => itemKeyOf(write) === itemKeyOf(infallible))).toEqual([
      infallible,
    ]);
    expect(plan.steps.at(-1)).not.toContainEqual(infallible);
  });

  test("removes under a condition as it changes, and without one like any effect", () => {
    const when = [{ attribute: "v", equals: 1 }];
    const plan = planSaga([change("record"), removal("a", when), removal("b"), ...counts(0, 300)], "s");

    expect(plan.first[1]).toEqual({ kind: "change", ...locking("a"), when, rejection });
    expect(plan.steps.at(-1)).toEqual(expect.arrayContaining([removal("a", locked), removal("b")]));
  });
});

test("more writes that can be refused than one transaction holds are a mistake", () => {
  const writes = storedTogether(Array.from({ length: 11 }, (_, index) => change(`r${index}`)));

  expect(() => planSaga(writes, "s", 10)).toThrow("do not fit one step");
});

test("writes are stored under the names that release 1.0.0 reads", () => {
  const writes = [insert("i", true), { ...change("c"), ignoresLocks: true }, { ...count("d"), shard: 3 }];

  const stored: unknown = deserialize(gunzipSync(packSteps([writes])));

  expect(stored).toMatchObject([[{ own: true }, { own: true }, { slot: 3 }]]);
});

test("writes are unpacked as they were packed, but for their rejections", () => {
  const answer: Change = {
    ...change("call"),
    set: { answer: Buffer.from("kept"), none: null, n: [1, { a: "é" }] },
  };
  const all: readonly (readonly Write[])[] = [
    [
      insert("i", true),
      { kind: "count", table, key: keyOf("c"), add: { n: 1 }, set: { at: "today" }, shard: 0 },
      count("d"),
      removal("r", [{ attribute: "a", atLeast: 1 }]),
    ],
    [
      answer,
      {
        ...change("d"),
        when: [
          { attribute: "a", atMost: "z" },
          { attribute: "b", is: "absent" },
          { attribute: "c", equalsOrNew: 3 },
          { attribute: "d", equals: [null, true] },
        ],
      },
    ],
  ];

  const read = unpackSteps(packSteps(all));

  expect(read).toEqual(all.map((writes) => writes.map((write) => ({ ...write, rejection: undefined }))));
});

test("counts that release 1.0.0 packed go to their shards, which it calls slots", () => {
  const { key, ...rest } = { kind: "count", table, key: keyOf("c"), add: { n: 1 } };

  const read = unpackSteps(gzipSync(serialize([[{ key, ...rest, slot: 3 }]])));

  expect(read).toEqual([[{ key, ...rest, shard: 3 }]]);
});

test("a saga is not resumed by the plan of an earlier saga of its record, which a read may still see", async () => {
  const { store: tables, db } = faultyStore();
  const jobs = tables.table("jobs");
  await transact(db, [{ ...insert("record"), rejection: undefined }]);
  /** Stores the next version by a call that dies after the first transaction, and returns the plan. */
  const begun = async (from: number) => {
    tables.calls.length = 0;
    const isSent = () => tables.calls.filter((command) => command === "TransactWriteItems").length > 1;
    tables.fault = () => (isSent() ? new Error("died") : undefined);
    const record = { ...change("record"), set: { v: from + 1 }, when: [{ attribute: "v", equals: from }] };
    await expect(commitRecord(db, [record, ...counts(0, 150)])).rejects.toThrow("died");
    tables.fault = () => undefined;
    return jobs.all.find(({ sk }) => sk?.S === "plan") ?? {};
  };
  const earlier = await begun(1);
  const name = earlier["pk"]?.S ?? "";
  await resumeSaga(db, name);
  const plan = await begun(2);
  jobs.set({ pk: name, sk: "plan" }, earlier);
  let reads = 0;
  tables.fault = (command) => {
    if (command === "BatchGetItem") reads += 1;
    if (reads === 2) jobs.set({ pk: name, sk: "plan" }, plan);
    return undefined;
  };

  await resumeSaga(db, name);

  expect(reads).toBe(2);
  expect(await queryRange(db, { table, pk: "p", begins: "record" })).toEqual([{ ...keyOf("record"), v: 3 }]);
});

test("what a saga stores names the call that began it, whichever call carries it out", async () => {
  const { store: tables, db } = faultyStore();
  const own = Array.from({ length: 250 }, (_, position) => insert(`${position}`, true));
  const traced = (one: Insert): Insert => ({ ...one, traced: true });
  const writes: RecordWrites = [traced(insert("record")), ...own.map(traced)];
  const isSent = () => tables.calls.filter((command) => command === "TransactWriteItems").length > 1;
  tables.fault = () => (isSent() ? new Error("died") : undefined);
  await expect(commitRecord({ ...db, requestId: "first" }, writes)).rejects.toThrow("died");
  tables.fault = () => undefined;
  const begun = await abandonedSagas(db, "9999", 2);
  tables.fault = (_, input) => (input.includes('"S":"plan"') ? new Error("a plan was read") : undefined);
  const [since] = await beginningsOfSagas(db);
  tables.fault = () => undefined;

  for (const name of begun) await resumeSaga({ ...db, requestId: "second" }, name);

  const stored = await queryRange(db, { table, pk: "p" });
  expect(begun).toHaveLength(1);
  expect(Date.now() - Date.parse(since ?? "")).toBeLessThan(10_000);
  expect(await beginningsOfSagas(db)).toEqual([]);
  expect(stored).toHaveLength(251);
  expect(new Set(stored.map(({ request_id }) => request_id))).toEqual(new Set(["first"]));
});
