/** A dry run refuses what the call would be refused for, and stores nothing (docs/decisions.md, Dry runs). */
import { expect, test } from "vitest";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { DryRun } from "../../../shared/store/dynamodb/dry-run.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { commit } from "../../../shared/store/dynamodb/transact.ts";
import { type Condition, keyOf, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { Random } from "../../simulation/schedule/random.ts";
import { operations } from "../../support/http/random.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { unique } from "../../support/records/records.ts";

const table = "orders";

const names = ["a", "b", "c", "d"];

/** A random write of one of these items, which have few attributes with few values. */
function writeOf(random: Random, pk: string): Write {
  const key = { pk, sk: random.of(names) };
  const attribute = random.of(["x", "y", "count"]);
  const value = random.below(3);
  const when = [...Array(random.below(3)).keys()].map((): Condition => {
    const [about, bound] = [random.of(["x", "y", "count", "pk"]), random.below(3)];
    return random.of([
      { attribute: about, is: random.of(["present", "absent"] as const) },
      { attribute: about, equals: bound },
      { attribute: about, equalsOrNew: bound },
      { attribute: about, atLeast: bound },
      { attribute: about, atMost: bound },
    ]);
  });
  return random.of<Write>([
    { kind: "insert", table, item: { ...key, [attribute]: value } },
    { kind: "change", table, key, set: { [attribute]: value }, when },
    { kind: "change", table, key, remove: [attribute], when },
    { kind: "change", table, key, add: { count: value + 1 }, when },
    { kind: "count", table, key, add: { count: 1 } },
    { kind: "removal", table, key, when },
  ]);
}

/** Writes of different items. */
const transactionOf = (random: Random, pk: string): readonly Write[] => {
  const writes = [...Array(1 + random.below(3))].map(() => writeOf(random, pk));
  return [...new Map(writes.map((write) => [keyOf(write).sk, write])).values()];
};

/** Sends transactions one after another. @returns the position in each of the write that was refused */
async function outcomesOf(db: Database, transactions: readonly (readonly Write[])[]): Promise<number[]> {
  const outcomes: number[] = [];
  for (const writes of transactions) {
    const failed = await commit(db, writes);
    outcomes.push(writes.findIndex((write) => failed && keyOf(write).sk === keyOf(failed).sk));
  }
  return outcomes;
}

const seeds = Array.from({ length: operations(150, 3000) }, (_, seed) => seed);

test("the transactions of a call are refused in a dry run at the same writes as if it stored them", {
  timeout: 60_000,
}, async () => {
  for (const seed of seeds) {
    const random = new Random(seed);
    const [{ db }, pk] = [faultyStore(), unique("dry")];
    const stored = names.map((sk): Write => {
      const item = { pk, sk, x: random.below(3), count: random.below(3) };
      return { kind: "insert", table, item };
    });
    await commit(db, stored);
    const before = await queryRange(db, { table, pk });
    const call = [...Array(5)].map(() => transactionOf(random, pk));

    const dry = await outcomesOf({ ...db, dryRun: new DryRun() }, call);

    expect(await queryRange(db, { table, pk })).toEqual(before);
    const real = await outcomesOf(db, call);
    expect({ seed, outcomes: dry }).toEqual({ seed, outcomes: real });
  }
});

test("a transaction of 100 items that can all be refused is evaluated as a whole", async () => {
  const [{ db }, pk] = [faultyStore(), unique("dry")];
  const insert = (sk: number): Write => ({
    kind: "insert",
    table,
    item: { pk, sk: String(sk) },
  });
  const writes = [...Array(100).keys()].map(insert);
  await commit(db, [insert(99)]);

  const failed = await commit({ ...db, dryRun: new DryRun() }, writes);

  expect(failed).toEqual(writes[99]);
  expect(await queryRange(db, { table, pk })).toHaveLength(1);
});
