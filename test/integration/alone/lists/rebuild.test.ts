import { describe, expect, test } from "vitest";
import { rebuildList } from "../../../../infra/operator/list-repair/rebuild.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import { shardsPerBlock } from "../../../../shared/store/lists/counters/counters.ts";
import { readList } from "../../../../shared/store/lists/read-list.ts";
import {
  blockRangesOf,
  blocksOf,
  crateList,
  drift,
  expectExact,
  insertCrates,
} from "../../../support/records/crates.ts";
import { killedAt, troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService({ paused: true });

const quiet = () => undefined;

describe("a list that gets another facet", () => {
  test("has its records under their new facet keys once it is rebuilt, and is left alone after that", async () => {
    const crates = crateList("crate-quiet");
    const made = Array.from({ length: 17 }, (_, position) => ({
      color: 1 + (position % 3),
      size: 10 + 10 * (position % 2),
    }));
    for (const owner of [100, 101])
      for (let block = 0; block < 3; block += 1) await insertCrates(service.db, crates, owner, made);
    const lines: string[] = [];

    const first = await rebuildList(service.db, crates.current, (line) => lines.push(line), { settleMs: 0 });
    const second = await rebuildList(service.db, crates.current, quiet, { settleMs: 0 });

    expect(first).toEqual({ blocks: 6, moved: 102, corrected: 0 });
    expect(second).toEqual({ blocks: 6, moved: 0, corrected: 0 });
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^block \d+ of 10[01]: 17 records moved, counters right$/);
    for (const owner of [100, 101]) await expectExact(service.db, crates, owner);
  });

  test("keeps exact totals before it is rebuilt, while records are changed and removed", async () => {
    const crates = crateList("crate-before");
    const red = { color: 1, size: 10 };
    const ids = await insertCrates(service.db, crates, 100, [red, red, red, red]);
    const { find } = crates.current;
    const [changed, removed] = [
      await find(service.db, 100, ids[0] ?? 0),
      await find(service.db, 100, ids[1] ?? 0),
    ];
    if (changed === undefined || removed === undefined) throw new Error("the crates are not there");

    await transact(service.db, crates.current.save(changed, { ...changed.record, color: 2, version: 2 }));
    await transact(service.db, crates.current.remove(removed));
    const [block] = await blocksOf(service.db, crates, 100);
    const reds = await readList(crates.current, service.db, 100, {
      page: 1,
      per_page: 10,
      ...crates.byBoth.matching({ color: 1 }),
    });

    expect(block?.stored).toEqual({ "1": 2, "2|10": 1 });
    expect(block?.counted).toEqual({ "1": 2, "2|10": 1 });
    expect([reds.total, reds.records.length]).toEqual([2, 2]);
  });
});

test("a block of many records is read page by page, and each page is moved before the next is read", async () => {
  const crates = crateList("crate-many", 200);
  for (let call = 0; call < 2; call += 1)
    await insertCrates(
      service.db,
      crates,
      100,
      Array.from({ length: 65 }, () => ({ color: 1, size: 10 })),
    );
  const db = service.connect();
  const calls: string[] = [];
  db.client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const ofRecords =
        "KeyConditionExpression" in args.input &&
        args.input.IndexName === undefined &&
        args.input.TableName === db.tableName(crates.list.table);
      if (ofRecords && "Items" in answer.output) calls.push(`${answer.output.Items?.length} read`);
      if ("TransactItems" in args.input) calls.push(`${(args.input.TransactItems?.length ?? 0) - 1} moved`);
      return answer;
    },
    { step: "initialize" },
  );

  const rebuilt = await rebuildList(db, crates.current, quiet, { settleMs: 0 });

  const fifth = "20 moved";
  const pages = [
    ["100 read", fifth, fifth, fifth, fifth, fifth],
    ["30 read", fifth, "10 moved"],
  ];
  expect(calls).toEqual(pages.flat());
  expect(rebuilt).toEqual({ blocks: 1, moved: 130, corrected: 0 });
  await expectExact(service.db, crates, 100);
});

test("records that writers change or remove before they are moved stay as the writers left them", async () => {
  const crates = crateList("crate-raced");
  const { current } = crates;
  const [changed = 0, removed = 0] = await insertCrates(
    service.db,
    crates,
    100,
    Array(3).fill({ color: 1, size: 10 }),
  );
  const write = async () => {
    const before = await current.find(service.db, 100, changed);
    const gone = await current.find(service.db, 100, removed);
    if (before === undefined || gone === undefined) throw new Error("a crate is not there");
    await transact(service.db, [
      ...current.save(before, { ...before.record, color: 3, version: 2 }),
      ...current.remove(gone),
    ]);
  };
  const overtaken = troubledDatabase(service, { before: write });

  const rebuilt = await rebuildList(overtaken.db, current, quiet, { settleMs: 0 });

  expect(rebuilt).toEqual({ blocks: 1, moved: 1, corrected: 0 });
  await expectExact(service.db, crates, 100);
});

test("a record whose facet key becomes right before it is moved stays where it is", async () => {
  const crates = crateList("crate-right");
  const { current, list } = crates;
  const [id = 0] = await insertCrates(service.db, crates, 100, [{ color: 1, size: 20 }], "current");
  const key = recordKey(list, id);
  await transact(service.db, [{ kind: "change", table: list.table, key, set: { size: 10 }, when: [] }]);
  const write = async () => {
    const before = await current.find(service.db, 100, id);
    if (before === undefined) throw new Error("the crate is not there");
    await transact(service.db, current.save(before, { ...before.record, size: 20, version: 2 }));
  };
  const overtaken = troubledDatabase(service, { before: write });

  const rebuilt = await rebuildList(overtaken.db, current, quiet, { settleMs: 0 });

  expect(rebuilt).toEqual({ blocks: 1, moved: 0, corrected: 0 });
  await expectExact(service.db, crates, 100);
});

test("a killed rebuild leaves the counts of each block equal to its records", async () => {
  const crates = crateList("crate-killed");
  const made = Array.from({ length: 19 }, (_, position) => ({ color: 1 + (position % 3), size: 10 }));
  for (let block = 0; block < 2; block += 1) await insertCrates(service.db, crates, 100, made);
  const halfDone = new Set<string>();

  let rebuilt: unknown;
  for (let last = 1; rebuilt === undefined; last += 1) {
    const db = killedAt(service, last);
    rebuilt = await rebuildList(db, crates.current, quiet, { settleMs: 0 }).catch(() => undefined);
    for (const { stored, counted } of await blocksOf(service.db, crates, 100)) {
      expect(counted).toEqual(stored);
      halfDone.add(JSON.stringify(stored));
    }
  }

  expect(halfDone.size).toBeGreaterThan(1);
  await expectExact(service.db, crates, 100);
});

describe("a counter", () => {
  test("is correct if it is 0 because all records have moved", async () => {
    const crates = crateList("crate-emptied");
    const [id = 0] = await insertCrates(service.db, crates, 100, [{ color: 1, size: 10 }], "current");
    const found = await crates.current.find(service.db, 100, id);
    if (found === undefined) throw new Error("the crate is not there");
    const after = { ...found.record, color: 2, version: 2 };
    await transact(service.db, crates.current.save(found, after));

    const rebuilt = await rebuildList(service.db, crates.current, quiet, { settleMs: 0 });

    expect(rebuilt).toEqual({ blocks: 1, moved: 0, corrected: 0 });
    await expectExact(service.db, crates, 100);
  });
});

describe("a wrong counter", () => {
  test("is corrected, even if its block is now empty", async () => {
    const crates = crateList("crate-drifted");
    const [id = 0] = await insertCrates(service.db, crates, 100, [{ color: 1, size: 10 }], "current");
    await drift(service.db, crates, 100, id, { "1|10": 2, "3|10": -1, "2|20": 4 });
    const [gone = 0] = await insertCrates(service.db, crates, 101, [{ color: 1, size: 10 }], "current");
    const found = await crates.current.find(service.db, 101, gone);
    if (found !== undefined) await transact(service.db, crates.current.remove(found));
    await drift(service.db, crates, 101, gone, { "1|10": 1 });

    const rebuilt = await rebuildList(service.db, crates.current, quiet, { settleMs: 0 });

    expect(rebuilt).toEqual({ blocks: 2, moved: 0, corrected: 2 });
    expect(await blocksOf(service.db, crates, 100)).toMatchObject([{ counted: { "1|10": 1 } }]);
    expect(await blocksOf(service.db, crates, 101)).toEqual([{ belonging: {}, stored: {}, counted: {} }]);
  });

  test("is corrected however many of its counts are wrong", async () => {
    const crates = crateList("crate-varied");
    const [id = 0] = await insertCrates(service.db, crates, 100, [{ color: 1, size: 10 }], "current");
    for (const hundred of [1, 2, 3, 4]) {
      const wrong = Array.from({ length: 100 }, (_, number) => [`${hundred}|${1000 + number}`, 1]);
      await drift(service.db, crates, 100, id, Object.fromEntries(wrong));
    }

    const { corrected } = await rebuildList(service.db, crates.current, quiet, { settleMs: 0 });

    expect(corrected).toBe(1);
    await expectExact(service.db, crates, 100);
  });

  test("is corrected once, even if records are stored in between", async () => {
    const crates = crateList("crate-overtaken");
    const red = { color: 1, size: 10 };
    const [id = 0] = await insertCrates(service.db, crates, 100, [red], "current");
    await drift(service.db, crates, 100, id, { "1|10": 5 });
    const overtaken = troubledDatabase(service, {
      // Enough to write to each shard of the block.
      before: () => insertCrates(service.db, crates, 100, Array(shardsPerBlock).fill(red), "current"),
    });

    const { corrected } = await rebuildList(overtaken.db, crates.current, quiet, { settleMs: 0 });

    expect([corrected, overtaken.transactions]).toEqual([1, 2]);
    await expectExact(service.db, crates, 100);
  });

  test("is not taken for correct because of a record stored during the check", async () => {
    const crates = crateList("crate-masked");
    const red = { color: 1, size: 10 };
    const [id = 0] = await insertCrates(service.db, crates, 100, [red, red], "current");
    await drift(service.db, crates, 100, id, { "1|10": 1 });
    const db = service.connect();
    let overtaken = 0;
    db.client.middlewareStack.add(
      (next) => async (args) => {
        const ofIndex = "IndexName" in args.input && args.input.IndexName === "cells";
        if (ofIndex && ++overtaken === 1) await insertCrates(service.db, crates, 100, [red], "current");
        return next(args);
      },
      { step: "initialize" },
    );

    const { corrected } = await rebuildList(db, crates.current, quiet, { settleMs: 0 });

    expect([corrected, overtaken]).toEqual([1, 2]);
    await expectExact(service.db, crates, 100);
  });
});

test("a rebuild names the item that is no record, and does not change its neighbors", async () => {
  const crates = crateList("crate-broken");
  const ids = await insertCrates(service.db, crates, 100, [
    { color: 1, size: 10 },
    { color: 2, size: 20 },
  ]);
  const key = recordKey(crates.list, ids[1] ?? 0);
  const { table } = crates.list;
  await transact(service.db, [{ kind: "change", table, key, remove: ["color"], when: [] }]);

  const rebuilding = rebuildList(service.db, crates.current, quiet, { settleMs: 0 });

  await expect(rebuilding).rejects.toThrow(`the item ${key.pk} ${key.sk} is no record of its list`);
  const ranges = await blockRangesOf(service.db, crates, 100);
  expect(ranges.map(({ counts }) => [...counts])).toEqual([
    [
      ["1", 1],
      ["2", 1],
    ],
  ]);
});
