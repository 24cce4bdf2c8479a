import { expect, test } from "vitest";
import { Stale } from "../../../../shared/store/dynamodb/writes.ts";
import { type Allocation, allocate } from "../../../../shared/store/lists/allocate.ts";
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import { blockOf } from "../../../../shared/store/lists/block-list.ts";
import type { PageRequest } from "../../../../shared/store/lists/page-request.ts";
import { readPage } from "../../../../shared/store/lists/pages.ts";
import { operations, pick, randomFrom, whole } from "../../../support/http/random.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import {
  append,
  appendEach,
  expectedPage,
  facetKeys,
  type Kind,
  kinds,
  type Listed,
  move,
  owners,
  plainList,
  randomRequest,
  remove,
  rollUpDeep,
} from "../../../support/store/plain-list.ts";

// Scheduled roll-ups would interfere with those of the tests.
const service = await ownService({ paused: true });

/**
 * Each round has an append, a move, a removal and some pages; every second one a roll-up, of the owners in
 * turn.
 */
const rounds = operations(16, 1_400);
const pagesOfRound = 4;

test(`the block list pages like a plain array through ${rounds} rounds of random appends, moves, removals, roll-ups and pages`, async () => {
  const random = randomFrom(20_261_121);
  const model: Listed[] = [];
  const { db } = service;
  const met = { shown: new Set<Kind>(), later: 0, pastTheEnd: 0, rolledUp: 0 };
  let clock = Date.parse("2026-01-01T00:00:00Z");
  const someFacetKeys = (least: number) =>
    Array.from({ length: whole(random, least, plainList.blockSize) }, () => pick(random, facetKeys));
  for (const owner of owners) {
    const batches = Array.from({ length: 5 }, () => ({ chosen: someFacetKeys(7), clock }));
    await appendEach(db, model, owner, batches);
  }
  // A kind of page that was empty is requested next, by its first page.
  const turns = kinds.map((kind) => ({ kind, isMissed: false }));
  for (let round = 0; round < rounds; round += 1) {
    clock += whole(random, 0, 12 * 3_600_000);
    const today = Math.floor(clock / 86_400_000);
    const owner = pick(random, owners);
    await append(db, model, owner, someFacetKeys(1), clock);
    await move(db, pick(random, model), pick(random, facetKeys));
    for (const record of model.splice(whole(random, 0, model.length - 1), 1)) await remove(db, record);
    const requests = turns.splice(0, pagesOfRound).map(({ kind, isMissed }) => {
      const request = randomRequest(kind, random, today);
      return { kind, owner: pick(random, owners), request: isMissed ? { ...request, page: 1 } : request };
    });
    if (round % 2 === 1)
      met.rolledUp += (await rollUpDeep(db, owners[Math.floor(round / 2) % 2] ?? "")).nodes;
    const pages = await Promise.all(
      requests.map(({ owner: of, request }) => readPage({ db, list: plainList, owner: of }, request)),
    );

    const found = pages.map(({ records, total }) => ({ ids: records.map((item) => item["id"]), total }));
    expect(found).toEqual(requests.map(({ owner: of, request }) => expectedPage(model, of, request)));
    for (const [position, { kind, request }] of requests.entries()) {
      const isEmpty = found[position]?.ids.length === 0;
      if (isEmpty) met.pastTheEnd += 1;
      else met.shown.add(kind);
      if (isEmpty) turns.unshift({ kind, isMissed: true });
      else turns.push({ kind, isMissed: false });
      if (!isEmpty && request.page > 1) met.later += 1;
    }
  }
  // Several levels of nodes, several blocks of each owner, non-empty pages of every kind, and pages beyond
  // the first and the last.
  expect(met.rolledUp).toBeGreaterThan(9);
  expect(model.length).toBeGreaterThan(3 * rounds);
  expect(new Set(model.map(({ id, owner }) => `${owner} ${blockOf(plainList, id)}`)).size).toBeGreaterThan(6);
  expect(met.shown).toEqual(new Set(kinds));
  expect(met.later).toBeGreaterThan(rounds / 4);
  expect(met.pastTheEnd).toBeGreaterThan(rounds / 4);
  expect(new Set(model.map(({ id }) => id)).size).toBe(model.length);
}, 280_000);

test.each([
  [6, 30],
  [7, 36],
])(
  "the first %i ids of a list that begins in the middle of a block begin with %i, in one block",
  async (count, first) => {
    const list: BlockList = { ...plainList, name: `late-${count}`, firstId: 30 };

    const { firstId } = await allocate(service.db, list, "late", count);
    const next = await allocate(service.db, list, "late", 1);

    expect([firstId, next.firstId]).toEqual([first, first + count]);
  },
);

const clockAt = (time: string) => () => Date.parse(`2026-05-02T${time}Z`);

test("ids and creation times rise together even when a caller's clock is behind", async () => {
  const { db } = service;
  const early = await allocate(db, plainList, "clock", 1, clockAt("10:00:00.000"));
  const behind = await allocate(db, plainList, "clock", 2, clockAt("09:59:59.000"));
  const later = await allocate(db, plainList, "clock", plainList.blockSize, clockAt("08:00:00.000"));

  expect(behind).toEqual({ firstId: early.firstId + 1, at: "2026-05-02T10:00:00.001Z" });
  expect(later.at > behind.at).toBe(true);
  expect(later.firstId % plainList.blockSize).toBe(0);
});

test("ids and creation times rise together even if the rest of a block is used before the next one is leased", async () => {
  const take = (count: number, time: string, db = service.db) =>
    allocate(db, plainList, "rest", count, clockAt(time));
  await take(plainList.blockSize - 1, "10:00:00.000");
  let rest: Allocation | undefined;
  const before = async () => {
    rest = await take(1, "11:00:00.000");
  };

  const next = await take(2, "10:30:00.000", troubledDatabase(service, { before }).db);

  expect(rest && [rest.firstId < next.firstId, rest.at < next.at]).toEqual([true, true]);
});

test("concurrent callers never get the same ids, even while new blocks are leased", async () => {
  const { db } = service;
  // Each caller that finds a block full leases the next one, and only one succeeds, so the calls grow with
  // the square of the callers.
  const counts = Array.from({ length: 9 }, (_, index) => 1 + (index % 7));
  const allocations = await Promise.all(counts.map((count) => allocate(db, plainList, "crowd", count)));

  const ids = allocations.flatMap(({ firstId }, index) =>
    Array.from({ length: counts[index] ?? 0 }, (_, position) => firstId + position),
  );
  expect(new Set(ids).size).toBe(counts.reduce((sum, count) => sum + count, 0));
});

test("pages and totals skip the gap that a failed create leaves", async () => {
  const { db } = service;
  const model: Listed[] = [];
  await append(db, model, "holes", ["1|1", "1|1"], Date.now());
  await allocate(db, plainList, "holes", 3);
  await append(db, model, "holes", ["1|1"], Date.now());

  const { records, total } = await readPage(
    { db, list: plainList, owner: "holes" },
    {
      page: 1,
      per_page: 10,
      direction: "asc",
    },
  );
  expect(records.map((item) => item["id"])).toEqual(model.map(({ id }) => id));
  expect(total).toBe(3);
});

test("records between ids that failed creates left unused are read as one range, which is charged by their bytes alone", async () => {
  const { db } = service;
  const model: Listed[] = [];
  await append(db, model, "sparse", ["1|1", "1|1"], Date.now());
  await allocate(db, plainList, "sparse", 7);
  await append(db, model, "sparse", ["1|1"], Date.now());
  const request: PageRequest = { page: 1, per_page: 10, direction: "asc" };
  const whole = troubledDatabase(service);
  const filtered = troubledDatabase(service);

  const page = await readPage({ db: whole.db, list: plainList, owner: "sparse" }, request);
  const matches = () => true;
  await readPage({ db: filtered.db, list: plainList, owner: "sparse" }, { ...request, matches });

  expect(page.records.map((item) => item["id"])).toEqual(model.map(({ id }) => id));
  expect([whole.reads, filtered.reads]).toEqual([0, 1]);
});

test("a record that several callers remove at once is subtracted from the total once", async () => {
  const { db } = service;
  const model: Listed[] = [];
  await append(db, model, "removals", ["1|1", "1|1", "1|1"], Date.now());
  const [first, gone, last] = model;
  const attempts = Array.from({ length: 5 }, () => (gone === undefined ? undefined : remove(db, gone)));
  const results = await Promise.allSettled(attempts);

  const rejected = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const { records, total } = await readPage(
    { db, list: plainList, owner: "removals" },
    {
      page: 1,
      per_page: 10,
      direction: "asc",
    },
  );
  expect(rejected).toHaveLength(4);
  for (const reason of rejected) expect(reason).toBeInstanceOf(Stale);
  expect(records.map((item) => item["id"])).toEqual([first?.id, last?.id]);
  expect(total).toBe(2);
});

test("a list whose records are all removed is empty, and can be added to", async () => {
  const { db } = service;
  const model: Listed[] = [];
  const request: PageRequest = { page: 1, per_page: 10, direction: "desc" };
  await append(db, model, "emptied", ["1|1", "4|2"], Date.now());
  for (const record of model) await remove(db, record);
  const emptied = await readPage({ db, list: plainList, owner: "emptied" }, request);
  await append(db, model, "emptied", ["4|2"], Date.now());
  const again = await readPage({ db, list: plainList, owner: "emptied" }, request);

  expect(emptied).toEqual({ records: [], total: 0 });
  expect(again.records.map((item) => item["id"])).toEqual([model.at(-1)?.id]);
  expect(again.total).toBe(1);
});
