import { describe, expect, test } from "vitest";
import { invalidAt } from "../../../shared/common/problem.ts";
import { type Outcome, type Plan, type Receipts, storeEach } from "../../../shared/store/bulk/bulk.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { only } from "../../../shared/store/dynamodb/keys.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import {
  type Insert,
  type PlannedWrites,
  stale,
  storedTogether,
  type Write,
  withEffects,
} from "../../../shared/store/dynamodb/writes.ts";
import { unique } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const table = "inventory";
const taken = () => invalidAt([{ path: "data", message: "already exists" }]);

const insert = (name: string, rejection: Insert["rejection"] = taken, more: object = {}): Insert => ({
  kind: "insert",
  table,
  item: { ...more, pk: `test#${name}`, sk: only },
  rejection,
});

/** More writes than half a transaction holds: two such records never share one. */
const wide = (name: string): PlannedWrites =>
  storedTogether(Array.from({ length: 51 }, (_, part) => insert(`${name}#${part}`)));

const names = (count: number) => Array.from({ length: count }, () => unique("record"));

/** Stores a record for each name; the plan of each is its writes. */
const store = (db: Database, records: readonly string[], writesOf: (name: string) => PlannedWrites) =>
  storeEach(db, records, async (open) =>
    open.map((name): Plan<string> => ({ result: name, writes: writesOf(name) })),
  );

/** The receipt of a record: an item named after its result. */
const receipts: Receipts<string> = {
  isStoredInPart: false,
  receiptOf: (_, result) => [insert(`receipt-${result}`)],
};

/** A record's result, or the message of its problem. */
const shown = (outcomes: readonly Outcome<string>[]) =>
  outcomes.map((outcome) => ("result" in outcome ? outcome.result : outcome.problem.message));

/** Of which of these records the item is stored whose name ends so. */
async function stored(records: readonly string[], ending = ""): Promise<readonly string[]> {
  const lookup = (name: string) => ({ table, key: { pk: `test#${name}${ending}`, sk: only } }) as const;
  const find = await getItems(service.db, records.map(lookup));
  return records.filter((name) => find(lookup(name)) !== undefined);
}

const unsure = "could not be stored just now; look for it, and send it again if it is not there";

describe("the transactions of a bulk call", () => {
  test("run sixteen at a time if they touch different items, and answer in the order of the records", async () => {
    const records = names(20);
    const troubled = troubledDatabase(service);

    const outcomes = await store(troubled.db, records, wide);

    expect(troubled.maxConcurrent).toBe(16);
    expect(shown(outcomes)).toEqual(records);
    expect(await stored(records, "#50")).toHaveLength(20);
  });

  test("run one after another, in the order of the records, if they touch the same item", async () => {
    const records = names(10);
    const shared = unique("shared");
    await transact(service.db, [insert(shared, taken, { step: 0 })]);
    const troubled = troubledDatabase(service);
    const step = (position: number): Write => ({
      kind: "change",
      table,
      key: { pk: `test#${shared}`, sk: only },
      add: { step: 1 },
      when: [{ attribute: "step", equals: position }],
      rejection: taken,
    });

    const outcomes = await store(troubled.db, records, (name) => [insert(name), step(records.indexOf(name))]);

    expect(troubled.maxConcurrent).toBe(1);
    expect(shown(outcomes)).toEqual(records);
  });

  test("run one after another if they add to the same counter, and everything is counted", async () => {
    const records = names(4);
    const key = { pk: `test#${unique("counter")}`, sk: only };
    const troubled = troubledDatabase(service);

    await store(troubled.db, records, (name) =>
      withEffects(wide(name), [{ kind: "count", table, key, add: { records: 1 } }]),
    );

    const find = await getItems(service.db, [{ table, key }]);
    expect(troubled.maxConcurrent).toBe(1);
    expect(find({ table, key })).toMatchObject({ records: 4 });
  });

  test("hold as many records as fit by their number and by their size", async () => {
    const [small, large] = [names(50), names(30)];
    const bulky = { text: "x".repeat(200_000) };
    const troubled = troubledDatabase(service);

    const [few, many] = [
      await store(troubled.db, small, (name) => [insert(`${name}#a`), insert(`${name}#b`)]),
      await store(troubled.db, large, (name) => [insert(name, taken, bulky)]),
    ];

    expect([shown(few), shown(many)]).toEqual([small, large]);
    // The first have 100 writes; of the others, 17 come to 3.4 MB.
    expect(troubled.transactions).toBe(3);
  });
});

describe("a record of a bulk call", () => {
  test("that can't be stored fails alone, with nothing of it stored", async () => {
    const records = names(5);
    const other = records[2] ?? "";
    await transact(service.db, [insert(`${other}#b`)]);

    const outcomes = await store(service.db, records, (name) => [insert(`${name}#a`), insert(`${name}#b`)]);

    expect(shown(outcomes)).toEqual(records.map((name) => (name === other ? "data already exists" : name)));
    expect(await stored(records, "#a")).toEqual(records.filter((name) => name !== other));
  });

  test("whose condition went stale is planned again, and it alone; its receipt is of what is stored", async () => {
    const records = names(3);
    const other = records[1] ?? "";
    await transact(service.db, [insert(`${other}#1`)]);
    const asked: (readonly string[])[] = [];

    const outcomes = await storeEach(
      service.db,
      records,
      async (open) => {
        asked.push(open);
        return open.map((name) => {
          const result = `${name}#${asked.length}`;
          return { result, writes: [insert(result, stale)] };
        });
      },
      receipts,
    );

    const last = records.map((name) => (name === other ? `${name}#2` : `${name}#1`));
    expect(asked).toEqual([records, [other]]);
    expect(await stored([...last, `${other}#1`].map((name) => `receipt-${name}`))).toEqual(
      last.map((name) => `receipt-${name}`),
    );
    expect(shown(outcomes)).toEqual(last);
    expect(await stored([other], "#2")).toEqual([other]);
  });

  test("whose transaction fails for good is shown so, as are all after it; the others are stored", async () => {
    const records = names(20);
    const failing = records[2] ?? "";
    const troubled = troubledDatabase(service);
    troubled.add("error", { times: 10, text: `test#${failing}#` });

    const outcomes = await store(troubled.db, records, wide);

    const done = records.slice(0, 16).filter((name) => name !== failing);
    expect(shown(outcomes)).toEqual(records.map((name) => (done.includes(name) ? name : unsure)));
    expect(await stored(records, "#0")).toEqual(done);
  });

  test("whose transaction's answer is lost is stored once, and shown so", async () => {
    const records = names(4);
    const troubled = troubledDatabase(service);
    troubled.add("lose-response", { text: `test#${records[3]}#` });

    const outcomes = await store(troubled.db, records, wide);

    expect(troubled.hits).toBe(1);
    expect(shown(outcomes)).toEqual(records);
  });

  test("that can't be planned again after others were stored is shown so", async () => {
    const [first = "", second = ""] = names(2);
    await transact(service.db, [insert(second)]);
    let plans = 0;

    const outcomes = await storeEach(service.db, [first, second], async (open) => {
      plans += 1;
      if (plans > 1) throw new Error("unreadable");
      return open.map((name) => ({ result: name, writes: [insert(name, stale)] }));
    });

    expect(shown(outcomes)).toEqual([first, unsure]);
  });
});

describe("a bulk call that is stopped with nothing stored", () => {
  test("fails as a whole", async () => {
    const records = names(3);
    const troubled = troubledDatabase(service);
    troubled.add("error", { times: 100, text: "test#" });

    await expect(store(troubled.db, records, wide)).rejects.toThrow("error");
    expect(await stored(records, "#0")).toEqual([]);
  });

  test("fails as a whole even after its records were stale", async () => {
    const [name = ""] = names(1);
    await transact(service.db, [insert(name)]);
    let plans = 0;

    const stopped = storeEach(service.db, [name], async () => {
      plans += 1;
      if (plans > 1) throw new Error("unreadable");
      return [{ result: name, writes: [insert(name, stale)] }];
    });

    await expect(stopped).rejects.toThrow("unreadable");
  });
});

describe("the receipt of a record", () => {
  test("is stored with the record, also if nothing else is", async () => {
    const records = names(2);
    const plan = (name: string): Plan<string> => ({
      result: name,
      writes: name === records[0] ? [] : [insert(name)],
    });

    const outcomes = await storeEach(service.db, records, async (open) => open.map(plan), receipts);

    const ofAll = records.map((name) => `receipt-${name}`);
    expect(shown(outcomes)).toEqual(records);
    expect(await stored(ofAll)).toEqual(ofAll);
  });

  test("keeps the record from being stored if it is there already", async () => {
    const [name = ""] = names(1);
    await transact(service.db, [insert(`receipt-${name}`)]);

    const outcomes = await storeEach(
      service.db,
      [name],
      async () => [{ result: name, writes: [insert(name)] }],
      receipts,
    );

    expect(shown(outcomes)).toEqual(["data already exists"]);
    expect(await stored([name])).toEqual([]);
  });
});
