import { describe, expect, test } from "vitest";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { Busy, withBudget } from "../../../../shared/store/dynamodb/retry.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import { countInsert, countMove } from "../../../../shared/store/lists/counters/counters.ts";
import type { PageRequest } from "../../../../shared/store/lists/page-request.ts";
import { readPage } from "../../../../shared/store/lists/pages.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import {
  append,
  appendEach,
  expectedPage,
  type Listed,
  move,
  onDays,
  plainList,
  remove,
  rollUpDeep,
} from "../../../support/store/plain-list.ts";

// Scheduled roll-ups would interfere with those of the tests.
const service = await ownService({ paused: true });

const everything: PageRequest = { page: 1, per_page: 100, direction: "asc" };

async function shown(owner: string, request: PageRequest, db: Database = service.db) {
  const { records, total } = await readPage({ db, list: plainList, owner }, request);
  return { ids: records.map(({ id }) => id), total };
}

/** A connection whose `number`-th call, counted from 1, meets this write before it is carried out. */
function overtakenAt(number: number, write: () => Promise<unknown>) {
  const { db, add } = troubledDatabase(service);
  const calls = { count: 0 };
  const before = async () => {
    calls.count += 1;
    if (calls.count === number) await write();
  };
  add({ before }, { command: "any", times: Number.POSITIVE_INFINITY });
  return { db, calls };
}

/** The calls of a page in one block: its roots, its index, and its records together with its counters. */
const [roots, index, records] = [1, 2, 3];

describe("a record whose facet key changes while a page is read", () => {
  const isOpen = (facetKey: string) => facetKey === "1|1" || facetKey === "4|1";
  const requests: Readonly<Record<string, PageRequest>> = {
    "without a filter": everything,
    "with a filter that matches before and after": { ...everything, matches: isOpen },
    "with a filter and days": { ...everything, matches: isOpen, ...onDays(0) },
  };
  const kinds = Object.keys(requests);
  test.each(kinds.flatMap((kind) => [roots, index, records].map((call) => ({ kind, call }))))(
    "stays on a page $kind, if it changes before call $call",
    async ({ kind, call }) => {
      const owner = `${kind} ${call}`;
      const request = requests[kind] ?? everything;
      const model: Listed[] = [];
      await append(service.db, model, owner, ["1|1", "1|1", "1|1"], Date.now());
      const { db } = overtakenAt(call, async () => {
        for (const record of model.slice(1, 2)) await move(service.db, record, "4|1");
      });

      const page = await shown(owner, request, db);

      expect(page).toEqual(expectedPage(model, owner, request));
      expect(page.total).toBe(3);
    },
  );

  test("stays on a page if another record takes its place in the counts", async () => {
    const owner = "replaced";
    const model: Listed[] = [];
    await append(service.db, model, owner, ["1|1", "1|1", "1|1"], Date.now());
    const { db } = overtakenAt(index, async () => {
      for (const record of model.slice(1, 2)) await move(service.db, record, "4|1");
      await append(service.db, model, owner, ["1|1"], Date.now());
    });

    const page = await shown(owner, { ...everything, matches: isOpen }, db);

    expect(page).toEqual(expectedPage(model, owner, everything));
    expect(page.total).toBe(4);
  });

  test("stays on a page if its new count is visible before its new facet key is", async () => {
    const owner = "half-visible";
    const model: Listed[] = [];
    await append(service.db, model, owner, ["1|1", "1|1", "1|1"], Date.now());
    const [{ id } = { id: 0 }] = model.slice(1, 2);
    await transact(service.db, countMove(plainList, owner, id, "1|1", "4|1"));
    // Once the page has been read for the first time.
    const { db } = overtakenAt(6, () =>
      transact(service.db, [
        {
          kind: "change",
          table: plainList.table,
          key: recordKey(plainList, id),
          set: { cell: "4|1" },
          when: [],
        },
      ]),
    );
    const request: PageRequest = { ...everything, matches: (facetKey) => facetKey === "4|1" };

    expect(await shown(owner, request, db)).toEqual({ ids: [id], total: 1 });
  });

  test("is on exactly one page of a walk in either direction", async () => {
    const owner = "walked";
    const model: Listed[] = [];
    const batches = [1, 2, 3, 4].map((day) => ({
      chosen: Array.from({ length: plainList.blockSize }, () => "1|1"),
      clock: Date.UTC(2026, 4, day),
    }));
    await appendEach(service.db, model, owner, batches);
    await rollUpDeep(service.db, owner);
    let step = 0;
    const changeNext = async () => {
      step += 1;
      const changed = model[(7 * step) % model.length];
      if (changed !== undefined) await move(service.db, changed, changed.facetKey === "1|1" ? "4|1" : "1|1");
    };
    for (const direction of ["asc", "desc"] as const) {
      const walked: unknown[] = [];
      for (const page of [1, 2, 3, 4, 5]) {
        const request: PageRequest = { page, per_page: 10, direction, matches: isOpen };
        const { db } = overtakenAt(2 + (page % 3), changeNext);
        const { ids, total } = await shown(owner, request, db);
        expect([ids.length, total]).toEqual([page === 5 ? 8 : 10, 48]);
        walked.push(...ids);
      }
      expect(walked).toEqual(expectedPage(model, owner, { ...everything, direction }).ids);
    }
    expect(step).toBe(10);
  });
});

test.each([index, records])(
  "a page has as many records as it says if one is removed before call %i",
  async (call) => {
    const owner = `removed ${call}`;
    const model: Listed[] = [];
    await append(service.db, model, owner, Array(plainList.blockSize).fill("1|1"), Date.now());
    await append(service.db, model, owner, ["1|1", "1|1"], Date.now());
    const { db } = overtakenAt(call, async () => {
      for (const record of model.splice(3, 1)) await remove(service.db, record);
    });
    // The removed record makes room for one of the next block.
    const request: PageRequest = { ...everything, per_page: plainList.blockSize };

    const page = await shown(owner, request, db);

    expect(page).toEqual(expectedPage(model, owner, request));
    expect([page.ids.length, page.total]).toEqual([12, 13]);
  },
);

test("new records do not make a page be read again, and it has as many as it says", async () => {
  const owner = "growing";
  const model: Listed[] = [];
  await append(service.db, model, owner, ["1|1", "4|1"], Date.now());
  const { db, calls } = overtakenAt(index, () => append(service.db, model, owner, ["1|1"], Date.now()));

  const page = await shown(owner, { ...everything, direction: "desc" }, db);

  expect(page).toEqual(expectedPage(model, owner, { ...everything, direction: "desc" }));
  expect(page.total).toBe(3);
  // Roots, index; and at once the records, the progress and the shards.
  expect(calls.count).toBe(5);
});

test("a page whose records never stop changing is refused in time, and never wrong", async () => {
  const owner = "restless";
  const model: Listed[] = [];
  await append(service.db, model, owner, ["1|1", "1|1"], Date.now());
  const { db, add } = troubledDatabase(service);
  const change = async () => {
    for (const record of model.slice(0, 1))
      await move(service.db, record, record.facetKey === "1|1" ? "4|1" : "1|1");
  };
  add({ before: change }, { command: "Query", times: Number.POSITIVE_INFINITY });

  await expect(withBudget(() => shown(owner, everything, db), 500)).rejects.toThrow(Busy);
});

test("a page shows what exists, and counts no more, if a counter counts too much", async () => {
  const owner = "miscounted";
  const model: Listed[] = [];
  await append(service.db, model, owner, ["1|1", "1|1"], Date.now());
  const [first] = model;
  await transact(service.db, [countInsert(plainList, owner, first?.id ?? 0, "1|1")]);

  expect(await shown(owner, everything)).toEqual(expectedPage(model, owner, everything));
});
