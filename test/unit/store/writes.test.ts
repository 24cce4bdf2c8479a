import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Key } from "../../../shared/store/dynamodb/keys.ts";
import {
  type Change,
  type Count,
  keyOf,
  mergeWrites,
  stampRequestId,
  traceWrites,
  type Write,
} from "../../../shared/store/dynamodb/writes.ts";
import type { TableName } from "../../../shared/store/tables.ts";

const here: Key = { pk: "p", sk: "s" };
const there: Key = { pk: "p", sk: "t" };

const count = (add: Readonly<Record<string, number>>, key = here, table: TableName = "orders"): Count => ({
  kind: "count",
  table,
  key,
  add,
});
const insert = (key = here): Write => ({
  kind: "insert",
  table: "orders",
  item: { ...key, v: 1 },
});
const changeOf = (key: Key): Change => ({ kind: "change", table: "orders", key, when: [] });
const change = (key = here): Write => changeOf(key);
const removal = (key = here): Write => ({
  kind: "removal",
  table: "orders",
  key,
  when: [{ attribute: "pk", is: "present" }],
});

describe("traced writes", () => {
  const item = { ...here, v: 1 };
  const changed: Change = { ...changeOf(there), set: { v: 2 } };
  const three = [insert(), changed, count({ n: 1 })];

  test("name the call that stores them, once", () => {
    const once = stampRequestId(traceWrites(three), "call-1");

    expect(stampRequestId(once, "call-2")).toEqual(once);
    expect(once).toMatchObject([
      { item: { ...item, request_id: "call-1" } },
      { set: { v: 2, request_id: "call-1" } },
      { add: { n: 1 } },
    ]);
    expect(once[2]).toEqual(three[2]);
  });

  test("name no earlier call if no call stores them", () => {
    expect(stampRequestId(traceWrites(three), undefined)).toMatchObject([
      { item },
      { remove: ["request_id"] },
      {},
    ]);
  });
});

const others = [
  ["an insert", insert],
  ["a change", change],
  ["a removal", removal],
] as const;

describe("counts on one item", () => {
  test("stand in the place of the first", () => {
    const writes = [insert(there), count({ a: 1 }), change({ pk: "q", sk: "s" }), count({ a: 1 })];

    expect(mergeWrites(writes)).toEqual([insert(there), count({ a: 2 }), change({ pk: "q", sk: "s" })]);
  });

  test("add up to the same in any order, to nothing else", () => {
    const counts = fc.array(
      fc.record({
        sk: fc.constantFrom("s", "t"),
        add: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer()),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(counts, (all) => {
        const result = mergeWrites(all.map(({ sk, add }) => count(add, { pk: "p", sk }))) ?? [];

        expect(result).toHaveLength(new Set(all.map(({ sk }) => sk)).size);
        for (const write of result) {
          const of = all.filter(({ sk }) => sk === keyOf(write).sk);
          for (const name of ["a", "b", "c"]) {
            const sum = of.reduce((total, { add }) => total + (add[name] ?? 0), 0);
            expect(write.kind === "count" ? (write.add[name] ?? 0) : undefined).toBe(sum);
          }
        }
      }),
    );
  });
});

describe("counts on an item that is inserted before them", () => {
  const filled = (item: object): Write => ({
    kind: "insert",
    table: "orders",
    item: { ...here, v: 1, ...item },
  });

  test("become part of its insert, starting at 0 if it does not have the attribute", () => {
    const writes = [filled({ a: 3, sku: "TEE" }), insert(there), count({ a: 4, b: -2 }), count({ b: 5 })];

    expect(mergeWrites(writes)).toEqual([filled({ a: 7, b: 3, sku: "TEE" }), insert(there)]);
  });
});

describe("a change that builds on one before it", () => {
  const step = (from: number, more: Partial<Change> = {}): Change => ({
    kind: "change",
    table: "orders",
    key: here,
    set: { version: from + 1, [`by_${from}`]: "me" },
    when: [{ attribute: "version", equals: from }],
    ...more,
  });

  test("becomes part of it, on the conditions of the first", () => {
    const [first, second, third] = [step(7, { add: { a: 1 } }), step(8, { add: { a: 2, b: 3 } }), step(9)];

    expect(mergeWrites([first, insert(there), second, third])).toEqual([
      {
        ...first,
        set: { version: 10, by_7: "me", by_8: "me", by_9: "me" },
        remove: [],
        add: { a: 3, b: 3 },
      },
      insert(there),
    ]);
  });

  test("leaves of an attribute what the later one says of it", () => {
    const first = step(7, { set: { version: 8, a: 1, b: 1 }, remove: ["c", "d"] });
    const second = step(8, { set: { version: 9, c: 2 }, remove: ["a"] });

    expect(mergeWrites([first, second])).toEqual([
      { ...first, set: { version: 9, b: 1, c: 2 }, remove: ["d", "a"], add: {} },
    ]);
  });

  test.each<[string, Change, Change]>([
    ["expects another value than the first sets", step(7), step(7)],
    [
      "has a condition that the first says nothing of",
      step(7),
      step(8, { when: [{ attribute: "a", equals: 1 }] }),
    ],
    ["has a condition of another kind", step(7), step(8, { when: [{ attribute: "version", atMost: 8 }] })],
    ["adds to what the first sets", step(7), step(8, { add: { by_7: 1 } })],
    ["adds to what the first removes", step(7, { remove: ["a"] }), step(8, { add: { a: 1 } })],
    ["appends to a list", step(7), step(8, { append: { list: [1] } })],
    ["sets what the first adds to", step(7, { add: { by_8: 1 } }), step(8)],
    ["sets what the first appends to", step(7, { append: { by_8: [1] } }), step(8)],
  ])("does not fit its transaction where it %s", (_case, first, second) => {
    expect(mergeWrites([first, second])).toBeUndefined();
  });
});

describe("writes on different items", () => {
  test("stay as they are, in their order", () => {
    const writes = [removal(there), insert(), count({ a: 1 }, { pk: "q", sk: "s" })];

    expect(mergeWrites(writes)).toEqual(writes);
  });

  test("may have one key in two tables", () => {
    const writes = [count({ a: 1 }), count({ a: 1 }, here, "jobs")];

    expect(mergeWrites(writes)).toEqual(writes);
  });

  test("are not mixed up if their keys look the same when joined", () => {
    const writes = [count({ a: 1 }, { pk: "p#s", sk: "t" }), count({ a: 1 }, { pk: "p", sk: "s#t" })];

    expect(mergeWrites(writes)).toHaveLength(2);
  });
});

describe("writes on one item that are not all counts", () => {
  test.each(others)("do not fit one transaction: %s after a count", (_, other) => {
    expect(mergeWrites([count({ a: 1 }), other()])).toBeUndefined();
  });

  test.each(others.filter(([, other]) => other().kind !== "insert"))(
    "do not fit one transaction: a count after %s",
    (_, other) => {
      expect(mergeWrites([other(), count({ a: 1 })])).toBeUndefined();
    },
  );

  test.each(others)("do not fit one transaction: %s twice", (_, other) => {
    expect(mergeWrites([other(), insert(there), other()])).toBeUndefined();
  });
});

describe("counts of one group", () => {
  const grouped = (key: Key, add: Readonly<Record<string, number>>, more: Partial<Count> = {}): Count => ({
    ...count(add, key),
    group: "g",
    ...more,
  });

  test("become one, on the item of the first, and set what any of them sets", () => {
    const writes = [
      grouped(here, { n: 1 }, { set: { a: "1" } }),
      grouped(there, { n: 2, m: 1 }, { set: { b: "2" } }),
      grouped(there, { n: -1 }),
    ];

    expect(mergeWrites(writes)).toEqual([{ ...grouped(here, { n: 2, m: 1 }), set: { a: "1", b: "2" } }]);
  });

  test("stay apart from those of another group, or of another table", () => {
    const writes = [
      grouped(here, { n: 1 }),
      grouped(there, { n: 1 }, { group: "h" }),
      grouped(here, { n: 1 }, { table: "inventory" }),
    ];

    expect(mergeWrites(writes)).toEqual(writes);
  });
});
