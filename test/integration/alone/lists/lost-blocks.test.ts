import { beforeAll, describe, expect, test } from "vitest";
import { AllCounters } from "../../../../infra/operator/list-repair/all-counters.ts";
import {
  advanceCounter,
  advanceHead,
  type RepairPlan,
  repairNode,
} from "../../../../infra/operator/list-repair/lost-blocks.ts";
import { rebuildBlock } from "../../../../infra/operator/list-repair/rebuild.ts";
import { clock } from "../../../../shared/common/clock.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem, queryRange } from "../../../../shared/store/dynamodb/reads.ts";
import { backOff } from "../../../../shared/store/dynamodb/retry.ts";
import { isCommitted } from "../../../../shared/store/dynamodb/transact.ts";
import {
  counterShardKey,
  lastBlockKey,
  shardsPerBlock,
  countersTable as table,
} from "../../../../shared/store/lists/counters/counters.ts";
import { addCounts } from "../../../../shared/store/lists/counters/counts.ts";
import { childKey, headKey, nodeItem, type Parent } from "../../../../shared/store/lists/counters/nodes.ts";
import { parseNode, pathsBelow, readRoots } from "../../../../shared/store/lists/counters/read-nodes.ts";
import { rollUpOwner } from "../../../../shared/store/lists/counters/roll-up.ts";
import { invent, lose, loseAll } from "../../../support/damages/damage.ts";
import { type CrateList, crateList, expectExact, insertCrates } from "../../../support/records/crates.ts";
import { dyingAfter } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

// Scheduled roll-ups would interfere with those of the tests.
const service = await ownService({ paused: true });

const owner = 100;
const red = { color: 1, size: 10 };
const pace = { settleMs: 0, retryBudgetMs: 5_000 };

/** Fills a block with records, and returns its number. */
async function filledBlock(crates: CrateList): Promise<number> {
  const [first = 0] = await insertCrates(service.db, crates, owner, Array(20).fill(red), "current");
  return first / crates.list.blockSize;
}

/** Removes a block's node and shards. */
async function forget({ list }: CrateList, block: number): Promise<void> {
  const owned = { db: service.db, list, owner: String(owner) };
  const { nodes } = await readRoots(owned);
  const node = (await pathsBelow(owned, nodes)(block).catch(() => [])).at(-1);
  const keys = Array.from({ length: shardsPerBlock }, (_, shard) =>
    counterShardKey(list, String(owner), block, shard),
  );
  await loseAll(
    service.db,
    [...keys, ...(node === undefined ? [] : [node.key])].map((key) => ({ table, key })),
  );
}

/**
 * Remembers the head and the counter. Returns a function that restores them, like a restore of the table to
 * this moment.
 */
async function moment({ list }: CrateList) {
  const keys: readonly Key[] = [headKey(list, String(owner)), lastBlockKey(list)];
  const items = await Promise.all(keys.map((key) => getItem(service.db, { table, key })));
  return async () => {
    for (const [position, key] of keys.entries()) {
      const item = items[position];
      if (item !== undefined) await invent(service.db, { table, key }, item);
    }
  };
}

/** Fills blocks, and rolls them up into nodes of two children. */
async function rolledUpBlocks(crates: CrateList, count: number): Promise<readonly number[]> {
  const blocks: number[] = [];
  while (blocks.length < count) blocks.push(await filledBlock(crates));
  const settings = { branches: 2, minShards: 1, pauseMs: 0 };
  await rollUpOwner(
    { db: service.db, list: crates.list, owner: String(owner) },
    Number.POSITIVE_INFINITY,
    settings,
  );
  return blocks;
}

/** The first root node that has children. */
async function topParent({ list }: CrateList) {
  const { nodes } = await readRoots({ db: service.db, list, owner: String(owner) });
  const parent = nodes.find(({ level }) => level > 0);
  if (parent === undefined) throw new Error("nothing was rolled up");
  return parent;
}

/** The counters of a list, as a verification reads them, including those below the nodes in `lost`. */
async function blockRangesOf({ list }: CrateList, ...lost: readonly Parent[]): Promise<AllCounters> {
  const counters = new AllCounters();
  const take = async (pk: string): Promise<void> => {
    for (const item of await queryRange(service.db, { table, pk })) {
      counters.add(item);
      const node = parseNode(item);
      if (node !== undefined && node.level > 0) await take(childKey(list, node, node.first).pk);
    }
  };
  await take(headKey(list, String(owner)).pk);
  for (const parent of lost) await take(childKey(list, parent, parent.first).pk);
  return counters;
}

/** Plans and stores a repair until its writes are stored or none are needed. Returns whether any were. */
async function repaired(db: Database, planned: (db: Database) => RepairPlan): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const writes = await planned(db)();
    if (writes?.length === 0) return false;
    if (writes !== undefined && (await isCommitted(db, writes))) return true;
    await backOff(Math.min(attempt, 3));
  }
}

/** Whether a repair has something to write. */
const isNeeded = async (plan: RepairPlan): Promise<boolean> => (await plan())?.length !== 0;

/** All steps of a repair of a block whose last record has the highest id of its owner. */
async function repair(db: Database, crates: CrateList, block: number): Promise<void> {
  const place = { owner: String(owner), block };
  const next = { block, next: crates.list.blockSize };
  const node = { level: 0, first: block, leased_at: "2026-01-01T00:00:00.000Z" };
  await repaired(db, (db) => advanceCounter(db, crates.list, block));
  await repaired(db, (db) => advanceHead({ db, list: crates.list, owner: place.owner }, next));
  await repaired(db, (db) => repairNode({ db, list: crates.list, owner: place.owner }, node));
  await rebuildBlock(db, crates.current, place, pace);
}

/** Pages of all crates, which are red, and of none. */
const pages = [{ color: red.color }, { size: 20 }];

test("a block without counters is listed and counted again, whichever write its repair dies after", async () => {
  const crates = crateList("crate-lost");
  await filledBlock(crates);
  const goBack = await moment(crates);
  const block = await filledBlock(crates);
  let deaths = 0;

  for (let isDone = false; !isDone; ) {
    await forget(crates, block);
    await goBack();
    try {
      await repair(dyingAfter(service, deaths), crates, block);
      isDone = true;
    } catch (error) {
      expect(String(error)).toContain("died");
      deaths += 1;
    }
    await repair(service.db, crates, block);

    await expectExact(service.db, crates, owner, [{ color: red.color }]);
  }
  await expectExact(service.db, crates, owner, pages);
  const [next = 0] = await insertCrates(service.db, crates, owner, [red], "current");

  // At the first write, and after each of four: the counter, the head, the node and the counts.
  expect(deaths).toBe(5);
  expect(next).toBeGreaterThanOrEqual((block + 1) * crates.list.blockSize);
});

describe("of an owner's rolled-up nodes", () => {
  // Each test leaves the nodes as they were, for the next one.
  const crates = crateList("crate-lost-rolled-up");
  const { list } = crates;
  const text = String(owner);
  let blocks: readonly number[];
  beforeAll(async () => {
    blocks = await rolledUpBlocks(crates, 5);
  });

  test("a block below other nodes gets its node back there", async () => {
    const [, second = 0] = blocks;
    const place = { owner: text, block: second };
    const owned = { db: service.db, list, owner: text };
    const { nodes } = await readRoots(owned);
    const depth = (await pathsBelow(owned, nodes)(second)).length;
    await forget(crates, second);
    const plan = (db: Database) => repairNode({ db, list, owner: text }, { level: 0, first: second });

    const added = await repaired(service.db, plan);
    const again = await repaired(service.db, plan);

    const path = await pathsBelow(owned, nodes)(second);
    await rebuildBlock(service.db, crates.current, place, pace);
    expect([added, again]).toEqual([true, false]);
    expect([depth > 1, path.length]).toEqual([true, depth]);
    expect(path.at(-1)).toMatchObject({ level: 0, first: second });
    await expectExact(service.db, crates, owner, pages);
  });

  test("the latest node of its level is restored as a root", async () => {
    const { nodes } = await readRoots({ db: service.db, list, owner: text });
    const levels = nodes.map(({ level }) => level);
    const parent = nodes.find(({ level }) => level === 1);
    if (parent === undefined) throw new Error("no node of level 1 is a root");
    await lose(service.db, { table, key: parent.key });

    await repaired(service.db, (db) => repairNode({ db, list, owner: text }, parent));

    expect(levels[0]).toBeGreaterThan(1);
    expect((await readRoots({ db: service.db, list, owner: text })).nodes).toEqual(nodes);
    expect((await blockRangesOf(crates)).miscountedParents(list)).toEqual([]);
    await expectExact(service.db, crates, owner, pages);
  });

  test("a node whose counts differ from the sum of its children is found and corrected", async () => {
    const before = (await blockRangesOf(crates)).miscountedParents(list);
    const parent = await topParent(crates);
    const wrong = nodeItem({ ...parent, counts: addCounts(parent.counts, parent.counts) });
    await invent(service.db, { table, key: parent.key }, wrong);

    const found = (await blockRangesOf(crates)).miscountedParents(list);
    const plan = (db: Database) => repairNode({ db, list, owner: text }, parent);
    const made = await repaired(service.db, plan);
    const again = await repaired(service.db, plan);

    const { level, first, counts: below } = parent;
    const counted = addCounts(below, below);
    expect([before, found]).toEqual([[], [{ level, first, owner: text, counted, below }]]);
    expect([made, again]).toEqual([true, false]);
    await expectExact(service.db, crates, owner, pages);
  });

  test("a missing node is restored from its children, whichever write its repair dies after, and roll-ups continue", async () => {
    const parent = await topParent(crates);
    await lose(service.db, { table, key: parent.key });
    const found = (await blockRangesOf(crates, parent)).lostParents(list);
    const plan = (db: Database) => repairNode({ db, list, owner: text }, parent);
    let deaths = 0;

    for (let isDone = false; !isDone; ) {
      await lose(service.db, { table, key: parent.key });
      const before = await isNeeded(plan(service.db));
      try {
        await repaired(dyingAfter(service, deaths), plan);
        isDone = true;
      } catch (error) {
        expect(String(error)).toContain("died");
        deaths += 1;
      }
      const after = await repaired(service.db, plan);
      const again = await repaired(service.db, plan);

      expect([before, isDone && after, again]).toEqual([true, false, false]);
      await expectExact(service.db, crates, owner, [{ color: red.color }]);
    }
    await rolledUpBlocks(crates, 3);

    expect(found).toMatchObject([{ level: parent.level, first: parent.first }]);
    // At its only write, and after it.
    expect(deaths).toBe(2);
    await expectExact(service.db, crates, owner, pages);
  });
});

test("the current block gets its node back as a root, so the next block can be leased", async () => {
  const crates = crateList("crate-lost-current");
  const [, , previous = 0, current = 0] = await rolledUpBlocks(crates, 4);
  await forget(crates, previous);
  await forget(crates, current);
  const { nodes } = await readRoots({ db: service.db, list: crates.list, owner: String(owner) });

  await repair(service.db, crates, current);
  await repair(service.db, crates, previous);
  const next = await filledBlock(crates);

  expect(nodes.at(-1)?.level).toBeGreaterThan(0);
  expect(next).toBeGreaterThan(current);
  await expectExact(service.db, crates, owner, pages);
});

test("a block is restored while others write, and no record is counted twice or lost", async () => {
  const crates = crateList("crate-lost-busy");
  await filledBlock(crates);
  const block = await filledBlock(crates);
  await forget(crates, block);
  let isOver = false;
  let written = 0;
  const writer = async (): Promise<void> => {
    for (; !isOver; written += 1) await insertCrates(service.db, crates, owner, [red], "current");
  };
  const roller = async (): Promise<void> => {
    const settings = { branches: 2, minShards: 1, pauseMs: 0 };
    while (!isOver)
      await rollUpOwner({ db: service.db, list: crates.list, owner: String(owner) }, clock() + 50, settings);
  };

  const others = [writer(), writer(), roller()].map((work) => work.catch((error: unknown) => String(error)));
  while (written < 5) await repair(service.db, crates, block);
  isOver = true;
  const failures = (await Promise.all(others)).filter((one) => one !== undefined);
  await repair(service.db, crates, block);

  expect(failures).toEqual([]);
  expect(written).toBeGreaterThanOrEqual(5);
  await expectExact(service.db, crates, owner, pages);
});

test("heads and counters are never moved back, and missing ones are created", async () => {
  const crates = crateList("crate-lost-heads");
  const { list } = crates;
  const [block, text] = [await filledBlock(crates), String(owner)];
  const key = headKey(list, text);
  const counter = (to: number) => (db: Database) => advanceCounter(db, list, to);
  const head = (next: number) => (db: Database) => advanceHead({ db, list, owner: text }, { block, next });
  const began = new Date().toISOString();

  const kept = [await repaired(service.db, counter(block - 1)), await repaired(service.db, head(3))];
  await lose(service.db, { table, key: lastBlockKey(list) });
  await lose(service.db, { table, key });
  const made = [await repaired(service.db, counter(block)), await repaired(service.db, head(20))];

  expect({ kept, made }).toEqual({ kept: [false, false], made: [true, true] });
  const created = await getItem(service.db, { table, key });
  expect(created).toMatchObject({ block, next: 20 });
  expect(String(created?.["latest"]) >= began).toBe(true);
});

test("a counter of blocks that others advance meanwhile is not moved back", async () => {
  const { list } = crateList("crate-lost-race");
  const counter = (to: number) => advanceCounter(service.db, list, to);
  const isStored = async (plan: RepairPlan) => isCommitted(service.db, (await plan()) ?? []);
  const created = await isStored(counter(1));
  const late = await counter(2)();

  const advanced = await isStored(counter(3));

  expect([created, advanced]).toEqual([true, true]);
  expect(await isCommitted(service.db, late ?? [])).toBe(false);
});
