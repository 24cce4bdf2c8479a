import { describe, expect, test } from "vitest";
import { invalid } from "../../../shared/common/problem.ts";
import { type Plan, storeEach } from "../../../shared/store/bulk/bulk.ts";
import type { Key } from "../../../shared/store/dynamodb/keys.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import {
  type Change,
  type Insert,
  type PlannedWrites,
  stale,
  type Write,
} from "../../../shared/store/dynamodb/writes.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const table = "inventory";
const newKey = (): Key => ({ pk: unique("bulk"), sk: "-" });

const insert = (key: Key, fields: object = {}, rejection = stale): Insert => ({
  kind: "insert",
  table,
  item: { ...key, ...fields },
  rejection,
});

/** Goes from one version to the next, and says which record did it. */
const change = (key: Key, from: number, by: string, rejection = stale): Change => ({
  kind: "change",
  table,
  key,
  set: { version: from + 1, [`version_${from + 1}_by`]: by },
  when: [{ attribute: "version", equals: from }],
  rejection,
});

const count = (key: Key): Write => ({ kind: "count", table, key, add: { count: 1 } });

const read = (key: Key) => getItem(service.db, { table, key });
const versionOf = async (key: Key): Promise<number> => Number((await read(key))?.["version"]);

/** A record that only counts on an item of another. */
const counting = (result: string, key: Key): Plan<string> => plan(result, insert(newKey()), count(key));

const plan = (result: string, ...writes: PlannedWrites): Plan<string> => ({ result, writes });

/** Stores records by their names; `attempts` notes which of them were planned together. */
async function store(
  names: readonly string[],
  planEach: (open: readonly string[]) => Promise<readonly Plan<string>[]>,
) {
  const attempts: (readonly string[])[] = [];
  const outcomes = await storeEach(service.db, names, async (open) => {
    attempts.push(open);
    return planEach(open);
  });
  return { outcomes, attempts };
}

const results = (...names: readonly string[]) => names.map((result) => ({ result }));

describe("records of a call that change one item, each building on the one before", () => {
  test("are stored, each on what the one before it made of the item", async () => {
    const item = newKey();
    await transact(service.db, [insert(item, { version: 7 })]);

    const { outcomes } = await store(["a", "b", "c"], async (open) =>
      open.map((name, position) => plan(name, change(item, 7 + position, name))),
    );

    expect(outcomes).toEqual(results("a", "b", "c"));
    expect(await read(item)).toMatchObject({
      version: 10,
      version_8_by: "a",
      version_9_by: "b",
      version_10_by: "c",
    });
  });

  test("are all planned again if another write overtakes the first, even if the later versions still match", async () => {
    const item = newKey();
    await transact(service.db, [insert(item, { version: 7 })]);

    let first = true;
    const { outcomes, attempts } = await store(["a", "b", "c"], async (open) => {
      const version = await versionOf(item);
      // The other's change makes the version what the second record of the call expects.
      if (first) await transact(service.db, [change(item, 7, "another")]);
      first = false;
      return open.map((name, position) => plan(name, change(item, version + position, name)));
    });

    expect(attempts).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
    expect(outcomes).toEqual(results("a", "b", "c"));
    expect(await read(item)).toMatchObject({
      version: 11,
      version_8_by: "another",
      version_9_by: "a",
      version_10_by: "b",
      version_11_by: "c",
    });
  });

  test("are planned again, those that build on one which fails for good, and only they", async () => {
    const [made, taken, free] = [newKey(), newKey(), newKey()];
    await transact(service.db, [insert(taken)]);
    const isTaken = () => invalid("is taken");

    let first = true;
    const { outcomes, attempts } = await store(["fails", "builds", "free"], async (open) => {
      const plans = new Map([
        ["fails", plan("fails", insert(taken, {}, isTaken), insert(made, { count: 0 }))],
        ["builds", first ? counting("builds", made) : plan("builds", insert(made, { count: 100 }))],
        ["free", plan("free", insert(free))],
      ]);
      first = false;
      return open.flatMap((name) => plans.get(name) ?? []);
    });

    expect(attempts).toEqual([["fails", "builds", "free"], ["builds"]]);
    expect(outcomes).toEqual([{ problem: isTaken() }, ...results("builds", "free")]);
    expect(await read(made)).toMatchObject({ count: 100 });
  });

  test("are planned again even if they depend on it through another record", async () => {
    const [item, made, counted] = [newKey(), newKey(), newKey()];
    await transact(service.db, [insert(item, { version: 1 })]);

    let first = true;
    const { attempts } = await store(["a", "b", "c"], async (open) => {
      const version = first ? 0 : 1;
      first = false;
      const plans = new Map([
        ["a", plan("a", change(item, version, "a"), insert(made, { count: 0 }))],
        ["b", plan("b", insert(counted, { count: 0 }), count(made))],
        ["c", counting("c", counted)],
      ]);
      return open.flatMap((name) => plans.get(name) ?? []);
    });

    expect(attempts).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
    expect(await Promise.all([made, counted].map(read))).toMatchObject([{ count: 1 }, { count: 1 }]);
  });
});

describe("records of a call that count on one item", () => {
  test("are stored without one that went stale: they build on nothing of it", async () => {
    const [item, tally] = [newKey(), newKey()];
    await transact(service.db, [insert(item, { version: 1 })]);

    let first = true;
    const { attempts } = await store(["a", "b"], async (open) => {
      const version = first ? 0 : 1;
      first = false;
      return open.map((name) =>
        plan(name, name === "a" ? change(item, version, "a") : insert(newKey()), count(tally)),
      );
    });

    expect(attempts).toEqual([["a", "b"], ["a"]]);
    expect(await read(tally)).toMatchObject({ count: 2 });
  });

  test("are stored in one transaction with the one that inserts it", async () => {
    const made = newKey();

    const { outcomes, attempts } = await store(["a", "b", "c"], async (open) =>
      open.map((name) => (name === "a" ? plan(name, insert(made, { count: 1 })) : counting(name, made))),
    );

    expect(attempts).toHaveLength(1);
    expect(outcomes).toEqual(results("a", "b", "c"));
    expect(await read(made)).toMatchObject({ count: 3 });
  });
});

test("records that are large are stored in as many transactions as it takes", async () => {
  const [tally, names] = [newKey(), Array.from({ length: 20 }, (_, position) => `record ${position}`)];
  const text = "x".repeat(300_000);

  const { outcomes } = await store(names, async (open) =>
    open.map((name) => plan(name, insert(newKey(), { text }), count(tally))),
  );

  expect(outcomes).toEqual(results(...names));
  expect(await read(tally)).toMatchObject({ count: 20 });
});
