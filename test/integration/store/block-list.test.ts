import { beforeAll, expect, test } from "vitest";
import { dayOf } from "../../../shared/domain/days.ts";
import type { Database } from "../../../shared/store/database.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { blockOf, listAttributes, recordKey } from "../../../shared/store/lists/block-list.ts";
import type { BlockList } from "../../../shared/store/lists/definitions.ts";
import { type PageRequest, readPage } from "../../../shared/store/lists/pages.ts";
import { tallyInsert, tallyMove, tallyRemoval } from "../../../shared/store/lists/tallies.ts";
import { transact } from "../../../shared/store/transact.ts";
import { Stale, stale } from "../../../shared/store/writes.ts";
import { operations, pick, randomFrom, whole } from "../../support/random.ts";
import type { Service } from "../../support/service.ts";
import { sharedService } from "../../support/shared-service.ts";

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

/** Small blocks, so that a few thousand records lie in many of them. */
const list: BlockList = { table: "orders", name: "test", blockSize: 40 };
const cells = ["1|1", "1|2", "4|1", "4|2", "9|1", "9|2", "10|1"] as const;
const owners = ["left", "right"] as const;

/** Every kind of page that can be asked for. */
const kinds = (["asc", "desc"] as const).flatMap((direction) =>
  (["all", "status", "type", "both"] as const).flatMap((filter) =>
    (["ever", "since", "until", "between"] as const).map((days) => ({ direction, filter, days })),
  ),
);
type Kind = (typeof kinds)[number];

/** How many appends, moves, removals and pages there are, ten a round. */
const steps = operations(500, 10_000);

interface Listed {
  readonly id: number;
  readonly owner: string;
  readonly day: number;
  cell: string;
}

/** What the list is held against: a plain array. */
function expectedPage(model: readonly Listed[], owner: string, request: PageRequest) {
  const { page, per_page, direction, matches = () => true } = request;
  const { fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = request;
  const wanted = model.filter(
    (record) =>
      record.owner === owner && matches(record.cell) && record.day >= fromDay && record.day <= toDay,
  );
  const ordered = wanted
    .map(({ id }) => id)
    .sort((left, right) => (direction === "asc" ? left - right : right - left));
  return { ids: ordered.slice((page - 1) * per_page, page * per_page), total: wanted.length };
}

async function append(
  db: Database,
  model: Listed[],
  owner: string,
  chosen: readonly string[],
  clock: number,
) {
  const { firstId, at } = await allocate(db, list, owner, chosen.length, () => clock);
  const added = chosen.map((cell, position) => ({ id: firstId + position, owner, day: dayOf(at), cell }));
  await transact(
    db,
    added.flatMap(({ id, cell }) => [
      {
        kind: "insert",
        table: list.table,
        item: { id, ...listAttributes(list, id, cell, at) },
        refusal: stale,
      },
      tallyInsert(list, owner, id, cell),
    ]),
  );
  model.push(...added);
}

async function move(db: Database, record: Listed, cell: string) {
  await transact(db, [
    {
      kind: "change",
      table: list.table,
      key: recordKey(list, record.id),
      set: { cell },
      when: [],
      refusal: stale,
    },
    ...tallyMove(list, record.owner, record.id, record.cell, cell),
  ]);
  record.cell = cell;
}

/** Takes a record away; stale where it is gone already. */
const remove = (db: Database, { id, owner, cell }: Listed) =>
  transact(db, [
    {
      kind: "removal",
      table: list.table,
      key: recordKey(list, id),
      when: [{ attribute: "pk", is: "present" }],
      refusal: stale,
    },
    tallyRemoval(list, owner, id, cell),
  ]);

function randomRequest(
  { direction, filter, days }: Kind,
  random: () => number,
  lastDay: number,
): PageRequest {
  const status = pick(random, ["1|", "4|", "9|", "10|"]);
  const type = pick(random, ["|1", "|2"]);
  const filters = {
    all: {},
    status: { matches: (cell: string) => cell.startsWith(status) },
    type: { matches: (cell: string) => cell.endsWith(type) },
    both: { matches: (cell: string) => cell === status + type.slice(1) },
  };
  const from = whole(random, lastDay - 12, lastDay + 1);
  const spans = {
    ever: {},
    since: { fromDay: from },
    until: { toDay: from },
    between: { fromDay: from, toDay: from + whole(random, 0, 5) },
  };
  const page = whole(random, 1, pick(random, [1, 3, 30]));
  return { page, per_page: whole(random, 1, 100), direction, ...filters[filter], ...spans[days] };
}

test(`the block list pages like a plain array through ${steps} random appends, moves, removals and pages`, async () => {
  const random = randomFrom(20_261_121);
  const model: Listed[] = [];
  const { db } = service;
  const met = { shown: new Set<Kind>(), later: 0, pastTheEnd: 0 };
  let clock = Date.parse("2026-01-01T00:00:00Z");
  for (let round = 0; round < steps / 10; round += 1) {
    clock += whole(random, 0, 6 * 3_600_000);
    const today = Math.floor(clock / 86_400_000);
    const owner = pick(random, owners);
    const chosen = Array.from({ length: whole(random, 1, 12) }, () => pick(random, cells));
    await append(db, model, owner, chosen, clock);
    await move(db, pick(random, model), pick(random, cells));
    for (const record of model.splice(whole(random, 0, model.length - 1), 1)) await remove(db, record);
    const turn = (round * 7) % kinds.length;
    const requests = [...kinds, ...kinds].slice(turn, turn + 7).map((kind) => ({
      kind,
      owner: pick(random, owners),
      request: randomRequest(kind, random, today),
    }));
    const pages = await Promise.all(
      requests.map(({ owner: of, request }) => readPage(db, list, of, request)),
    );

    const found = pages.map(({ records, total }) => ({ ids: records.map((item) => item["id"]), total }));
    expect(found).toEqual(requests.map(({ owner: of, request }) => expectedPage(model, of, request)));
    for (const [position, { kind, request }] of requests.entries()) {
      const isEmpty = found[position]?.ids.length === 0;
      if (isEmpty) met.pastTheEnd += 1;
      else met.shown.add(kind);
      if (!isEmpty && request.page > 1) met.later += 1;
    }
  }
  // Several blocks of each owner, every kind of page with something on it, and pages beyond the first and the last.
  expect(model.length).toBeGreaterThan(steps / 5);
  expect(new Set(model.map(({ id, owner }) => `${owner} ${blockOf(list, id)}`)).size).toBeGreaterThan(6);
  expect(met.shown).toEqual(new Set(kinds));
  expect(met.later).toBeGreaterThan(steps / 50);
  expect(met.pastTheEnd).toBeGreaterThan(steps / 50);
  expect(new Set(model.map(({ id }) => id)).size).toBe(model.length);
}, 280_000);

test("ids and creation times rise together even when a caller's clock is behind", async () => {
  const { db } = service;
  const clockAt = (time: string) => () => Date.parse(`2026-05-02T${time}Z`);
  const early = await allocate(db, list, "clock", 1, clockAt("10:00:00.000"));
  const behind = await allocate(db, list, "clock", 2, clockAt("09:59:59.000"));
  const later = await allocate(db, list, "clock", list.blockSize, clockAt("08:00:00.000"));

  expect(behind).toEqual({ firstId: early.firstId + 1, at: "2026-05-02T10:00:00.001Z" });
  expect(later.at > behind.at).toBe(true);
  expect(later.firstId % list.blockSize).toBe(0);
});

test("concurrent callers never get the same ids, also while new blocks are leased", async () => {
  const { db } = service;
  const counts = Array.from({ length: 60 }, (_, index) => 1 + (index % 7));
  const allocations = await Promise.all(counts.map((count) => allocate(db, list, "crowd", count)));

  const ids = allocations.flatMap(({ firstId }, index) =>
    Array.from({ length: counts[index] ?? 0 }, (_, position) => firstId + position),
  );
  expect(new Set(ids).size).toBe(counts.reduce((sum, count) => sum + count, 0));
});

test("a failed create leaves a hole that pages and totals pass over", async () => {
  const { db } = service;
  const model: Listed[] = [];
  await append(db, model, "holes", ["1|1", "1|1"], Date.now());
  await allocate(db, list, "holes", 3);
  await append(db, model, "holes", ["1|1"], Date.now());

  const { records, total } = await readPage(db, list, "holes", { page: 1, per_page: 10, direction: "asc" });
  expect(records.map((item) => item["id"])).toEqual(model.map(({ id }) => id));
  expect(total).toBe(3);
});

test("a record that is removed by several at once is taken from the total once", async () => {
  const { db } = service;
  const model: Listed[] = [];
  await append(db, model, "removals", ["1|1", "1|1", "1|1"], Date.now());
  const [first, gone, last] = model;
  const attempts = Array.from({ length: 5 }, () => (gone === undefined ? undefined : remove(db, gone)));
  const results = await Promise.allSettled(attempts);

  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const { records, total } = await readPage(db, list, "removals", {
    page: 1,
    per_page: 10,
    direction: "asc",
  });
  expect(refused).toHaveLength(4);
  for (const reason of refused) expect(reason).toBeInstanceOf(Stale);
  expect(records.map((item) => item["id"])).toEqual([first?.id, last?.id]);
  expect(total).toBe(2);
});

test("a list whose records are all removed is empty, and can be added to", async () => {
  const { db } = service;
  const model: Listed[] = [];
  const request: PageRequest = { page: 1, per_page: 10, direction: "desc" };
  await append(db, model, "emptied", ["1|1", "4|2"], Date.now());
  for (const record of model) await remove(db, record);
  const emptied = await readPage(db, list, "emptied", request);
  await append(db, model, "emptied", ["4|2"], Date.now());
  const again = await readPage(db, list, "emptied", request);

  expect(emptied).toEqual({ records: [], total: 0 });
  expect(again.records.map((item) => item["id"])).toEqual([model.at(-1)?.id]);
  expect(again.total).toBe(1);
});
