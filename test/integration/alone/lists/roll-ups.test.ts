import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { blockOf } from "../../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../../shared/store/lists/counters/counter-tree.ts";
import { headKey, nodeItem, rootKey } from "../../../../shared/store/lists/counters/nodes.ts";
import { pendingOwners } from "../../../../shared/store/lists/counters/pending-roll-ups.ts";
import { childrenOf, readRoots } from "../../../../shared/store/lists/counters/read-nodes.ts";
import { rollUpOwner } from "../../../../shared/store/lists/counters/roll-up.ts";
import { advanceProgress, maxRollUpMs } from "../../../../shared/store/lists/counters/roll-up-progress.ts";
import type { PageRequest } from "../../../../shared/store/lists/page-request.ts";
import { readPage } from "../../../../shared/store/lists/pages.ts";
import { invent } from "../../../support/damages/damage.ts";
import { operations, pick, randomFrom } from "../../../support/http/random.ts";
import { dyingAfter, troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import {
  append,
  appendEach,
  expectedPage,
  facetKeys,
  type Listed,
  move,
  onDays,
  plainList,
  rollUpDeep,
} from "../../../support/store/plain-list.ts";

// Scheduled roll-ups would interfere with those of the tests.
const service = await ownService({ paused: true });
afterEach(() => {
  vi.useRealTimers();
});

const start = Date.parse("2026-03-01T00:00:00Z");

/** An owner of so many full blocks, each of another day, and one block that is not full. */
async function filled(owner: string, blocks: number): Promise<Listed[]> {
  const model: Listed[] = [];
  const random = randomFrom(blocks);
  const batches = Array.from({ length: blocks + 1 }, (_, block) => ({
    chosen: Array.from({ length: plainList.blockSize - (block === blocks ? 2 : 0) }, () =>
      pick(random, facetKeys),
    ),
    clock: start + block * 86_400_000,
  }));
  await appendEach(service.db, model, owner, batches);
  return model;
}

const everything: PageRequest = { page: 1, per_page: 1000, direction: "asc" };

/** One page of all records, over two blocks, and its total: the first five pages in turn. */
const partOf = (turn: number): PageRequest => ({ ...everything, page: 1 + (turn % 5), per_page: 13 });

async function shown(owner: string, request: PageRequest, db: Database = service.db) {
  const { records, total } = await readPage({ db, list: plainList, owner }, request);
  return { ids: records.map(({ id }) => id), total };
}

test("pages stay exact if a roll-up is killed at any of its calls", async () => {
  const owner = "killed";
  const model = await filled(owner, 5);
  const from = Math.floor(start / 86_400_000) + 2;
  const requests: readonly PageRequest[] = [
    { page: 2, per_page: 10, direction: "desc", ...onDays(from, from + 3) },
    {
      page: 1,
      per_page: 10,
      direction: "asc",
      ...onDays(from),
      matches: (facetKey) => facetKey.startsWith("4|"),
    },
  ];

  vi.useFakeTimers({ toFake: ["Date"] });
  let kills = 0;
  for (let rolledUp: unknown; rolledUp === undefined; kills += 1) {
    rolledUp = await rollUpDeep(dyingAfter(service, kills), owner).catch(() => undefined);
    // A page would wait for a roll-up in progress.
    vi.setSystemTime(Date.now() + maxRollUpMs);
    const asked = [partOf(kills), ...requests];
    const pages = await Promise.all(asked.map((request) => shown(owner, request)));
    expect(pages).toEqual(asked.map((request) => expectedPage(model, owner, request)));
  }
  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));

  // Each run gets one transaction further than the one before.
  expect(kills).toBeGreaterThan(2);
});

test("every record is counted once while records move and two roll-ups run", async () => {
  const owner = "moving";
  const model = await filled(owner, 7);
  const random = randomFrom(20_261_123);
  let rolledUp = 0;
  for (let round = 0; round < operations(5, 60); round += 1) {
    const moves = [1, 2, 3].map(() => pick(random, model));
    const progress = [rollUpDeep(service.db, owner), rollUpDeep(service.db, owner)];
    for (const record of moves) await move(service.db, record, pick(random, facetKeys));
    for (const { shards } of await Promise.all(progress)) rolledUp += shards;
    expect(await shown(owner, partOf(round))).toEqual(expectedPage(model, owner, partOf(round)));
  }
  const { records } = await readPage({ db: service.db, list: plainList, owner }, everything);

  expect(rolledUp).toBeGreaterThan(80);
  expect(records.map(({ id, cell }) => ({ id, cell }))).toEqual(
    model.map(({ id, facetKey }) => ({ id, cell: facetKey })),
  );
  for (const facetKey of facetKeys) {
    const request: PageRequest = { ...everything, per_page: 1, matches: (one) => one === facetKey };
    expect(await shown(owner, request)).toEqual(expectedPage(model, owner, request));
  }
});

describe("an owner of many rolled-up blocks", () => {
  const owner = "many";
  let model: readonly Listed[] = [];
  beforeAll(async () => {
    model = await filled(owner, 10);
    await rollUpDeep(service.db, owner);
  });

  test("has nodes moved below a parent that has room, until that is full", async () => {
    const owned = { db: service.db, list: plainList, owner };
    const { nodes } = await readRoots(owned);
    const parents = nodes.filter(({ level }) => level === 1);
    const children = await Promise.all(parents.map((node) => childrenOf(owned, node)));
    expect(children.map(({ length }) => length)).toEqual([4, 4]);
  });

  test.each([2, 3, 4])(
    "has a page read again if it is rolled up before query %i of the page",
    async (last) => {
      for (const record of model.slice(0, 4)) await move(service.db, record, last === 3 ? "9|1" : "9|2");
      const { db, add } = troubledDatabase(service);
      let queries = 0;
      const rollUp = async () => {
        queries += 1;
        if (queries === last) await rollUpDeep(service.db, owner);
      };
      add({ before: rollUp }, { command: "Query", times: 99 });
      const request: PageRequest = {
        page: 2,
        per_page: 3,
        direction: "asc",
        matches: (facetKey) => facetKey === "9|2",
      };

      const page = await shown(owner, request, db);

      expect(page).toEqual(expectedPage(model, owner, request));
      // Roots, two levels of nodes, a block; and all again.
      expect(queries).toBeGreaterThan(last + 3);
    },
  );
});

test("reading all blocks of an owner repeats none that a roll-up moves below a parent meanwhile", async () => {
  const owner = "adopted";
  const model = await filled(owner, 4);
  await rollUpDeep(service.db, owner);
  const full = Array(plainList.blockSize).fill("1|1");
  await append(service.db, model, owner, full, start + 5 * 86_400_000);
  const { db, add } = troubledDatabase(service);
  let queries = 0;
  let moved = 0;
  const rollUp = async () => {
    queries += 1;
    if (queries === 2) moved = (await rollUpDeep(service.db, owner)).nodes;
  };
  add({ before: rollUp }, { command: "Query", times: 99 });

  const blocks: number[] = [];
  for await (const { block } of readBlocks({ db, list: plainList, owner })) blocks.push(block);

  expect(moved).toBe(2);
  expect(blocks).toEqual([...new Set(model.map(({ id }) => blockOf(plainList, id)))]);
});

test("pages and reads of all blocks wait for a roll-up in progress", async () => {
  const owner = "halfway";
  const model = await filled(owner, 3);
  const seen = (await readRoots({ db: service.db, list: plainList, owner })).progress;
  const goes = (count: number, before = seen) =>
    transact(service.db, [advanceProgress({ list: plainList, owner }, before, { count, began: Date.now() })]);
  const began = seen.count + 1;
  await goes(began);
  let hasEnded = false;
  setTimeout(async () => {
    hasEnded = true;
    await goes(began + 1, { count: began, began: 0 });
  }, 300);
  const shownBlocks = async () => {
    const blocks: number[] = [];
    for await (const { block } of readBlocks({ db: service.db, list: plainList, owner })) {
      expect(hasEnded).toBe(true);
      blocks.push(block);
    }
    return blocks;
  };
  const shownPage = async () => {
    const page = await shown(owner, everything);
    expect(hasEnded).toBe(true);
    return page;
  };

  const [blocks, page] = await Promise.all([shownBlocks(), shownPage()]);

  expect(blocks).toHaveLength(4);
  expect(page).toEqual(expectedPage(model, owner, everything));
});

describe("a roll-up whose transaction arrives after it counts as abandoned", () => {
  /** Has a roll-up wait for `arrives` before its transaction is stored, and for `ends` before it ends. */
  async function lateRollUp(owner: string) {
    const model = await filled(owner, 5);
    await rollUpDeep(service.db, owner);
    // None is in the block that the page is located in: a change of that is noticed anyway.
    for (const block of [1, 2, 3]) {
      const record = model[block * plainList.blockSize];
      if (record !== undefined) await move(service.db, record, "9|2");
    }
    const { db, add } = troubledDatabase(service);
    const sent = Promise.withResolvers<void>();
    const arrives = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const ends = Promise.withResolvers<void>();
    const hold = (reached: typeof sent, until: typeof sent) => {
      reached.resolve();
      return until.promise;
    };
    add({ before: async () => undefined });
    add({ before: () => hold(sent, arrives) });
    add({ before: () => hold(stored, ends) });
    vi.useFakeTimers({ toFake: ["Date"] });
    const rolledUp = rollUpDeep(db, owner);
    await sent.promise;
    vi.setSystemTime(Date.now() + maxRollUpMs);
    const arrive = () => hold(arrives, stored);
    const end = () => {
      ends.resolve();
      return rolledUp;
    };
    return { model, arrive, end };
  }

  test("has a page read again", async () => {
    const owner = "late";
    const late = await lateRollUp(owner);
    const { db, add } = troubledDatabase(service);
    add({ before: late.arrive }, { command: "Query", text: `${plainList.name}-nodes#` });
    const sought = new Set(["9|2", late.model[0]?.facetKey]);
    const request: PageRequest = { ...everything, per_page: 1, matches: (facetKey) => sought.has(facetKey) };

    const reading = shown(owner, request, db);
    const page = await Promise.race([reading, sleep(1_000)]);
    vi.setSystemTime(Date.now() + maxRollUpMs);
    const { shards } = await late.end();

    expect(shards).toBeGreaterThan(0);
    expect(page ?? (await reading)).toEqual(expectedPage(late.model, owner, request));
  });
});

test("a roll-up whose transaction is stored although its answer is lost is not in progress afterwards", async () => {
  const owner = "unanswered";
  await filled(owner, 5);
  const { db, add } = troubledDatabase(service);
  add({ before: async () => undefined });
  add("lose-response", { times: 4 });

  await expect(rollUpDeep(db, owner)).rejects.toThrow("socket hang up");

  const { progress } = await readRoots({ db: service.db, list: plainList, owner });
  expect(progress.count % 2).toBe(0);
});

test("nodes with a node of another level between them do not get one parent", async () => {
  const owner = "apart";
  const model = await filled(owner, 6);
  await rollUpDeep(service.db, owner);
  const [parent] = (await readRoots({ db: service.db, list: plainList, owner })).nodes;
  const key = rootKey(plainList, owner, 0, (parent?.first ?? 0) - 1);
  await invent(service.db, { table: "tallies", key }, nodeItem({ key, counts: new Map() }));
  const full = Array(plainList.blockSize).fill("1|1");
  for (const day of [7, 8, 9]) await append(service.db, model, owner, full, start + day * 86_400_000);

  const { nodes } = await rollUpDeep(service.db, owner);

  expect(parent?.level).toBe(1);
  expect(nodes).toBeGreaterThan(0);
  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));
});

test("an owner is marked for roll-up once a block is full, until the schedule has rolled it up", async () => {
  const owner = "noted";
  const isPending = async () => {
    for await (const one of pendingOwners(service.db)) {
      if (one.list.name === plainList.name && one.owner === owner) return true;
    }
    return false;
  };
  const model: Listed[] = [];
  await append(service.db, model, owner, ["1|1"], start);
  const early = await isPending();
  await append(service.db, model, owner, Array(plainList.blockSize).fill("1|1"), start);
  const late = await isPending();

  await service.runtime.runSchedule("jobs/roll-up-counters");

  expect([early, late, await isPending()]).toEqual([false, true, false]);
  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));
});

test("an owner whose old records change continuously still has nodes moved below parents", async () => {
  const owner = "at-work";
  const model = await filled(owner, 5);
  const { db, add } = troubledDatabase(service);
  const [old] = model;
  const change = async () => {
    if (old !== undefined) await move(service.db, old, old.facetKey === "1|1" ? "4|1" : "1|1");
  };
  add({ before: change }, { times: 6 });

  const { nodes } = await rollUpOwner({ db, list: plainList, owner }, Number.POSITIVE_INFINITY, {
    branches: 4,
    minShards: 4,
    pauseMs: 0,
  });

  expect(nodes).toBe(4);
  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));
});

test("a roll-up that sees a new block sooner than the head leaves the block alone", async () => {
  const owner = "leasing";
  const model = await filled(owner, 3);
  const head = { table: "tallies", key: headKey(plainList, owner) } as const;
  const { current } = await readRoots({ db: service.db, list: plainList, owner });
  const [, previous] = (await readRoots({ db: service.db, list: plainList, owner })).nodes
    .map(({ first }) => first)
    .toReversed();
  const withHead = (block = 0) =>
    transact(service.db, [{ kind: "change", ...head, set: { block }, when: [] }]);
  await withHead(previous);

  const { nodes } = await rollUpDeep(service.db, owner);
  await withHead(current);

  expect(nodes).toBe(0);
  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));
});

test("the shards of the current block are not rolled up, nor are a few of old blocks", async () => {
  const owner = "few";
  const model = await filled(owner, 1);
  const first = await rollUpOwner({ db: service.db, list: plainList, owner }, Number.POSITIVE_INFINITY);
  const [old] = model;
  if (old !== undefined) await move(service.db, old, "9|2");

  const second = await rollUpOwner({ db: service.db, list: plainList, owner }, Number.POSITIVE_INFINITY);

  // Each of the twelve records is in its own shard.
  expect(first).toEqual({ shards: plainList.blockSize, nodes: 0 });
  expect(second).toEqual({ shards: 0, nodes: 0 });
  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));
});
