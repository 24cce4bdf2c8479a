import { describe, expect, test } from "vitest";
import { everyKind, mergeAccess, writesSomething } from "../../../shared/store/access.ts";
import { permitsOf, tablesIn } from "../../../shared/store/permits.ts";

const kindsOf = (access: Parameters<typeof permitsOf>[0]) =>
  permitsOf(access).map(({ table, index, kinds }) => ({ table, index, kinds: Object.fromEntries(kinds) }));

describe("what an access allows", () => {
  test("is stated for a whole table, for kinds of items and for an index", () => {
    const permits = kindsOf({
      jobs: { "job#": ["read", "change"], "steps#": "write" },
      orders: "read",
      "orders/work": "read",
    });

    expect(permits).toEqual([
      { table: "orders", index: undefined, kinds: { [everyKind]: ["read"] } },
      { table: "orders", index: "work", kinds: { [everyKind]: ["read"] } },
      {
        table: "jobs",
        index: undefined,
        kinds: { "job#": ["read", "change"], "steps#": ["read", "insert", "change", "remove"] },
      },
    ]);
  });

  test("does not repeat for a kind what holds for all", () => {
    const permits = kindsOf({
      identity: { [everyKind]: "read", "user#": ["read", "change"], "store#": "read" },
    });

    expect(permits[0]?.kinds).toEqual({ [everyKind]: ["read"], "user#": ["change"] });
  });

  test("names tables and indexes that there are", () => {
    expect(() => permitsOf({ "orders/none": "read" })).toThrow("there is no table or index orders/none");
  });

  test("grants no kinds of items of an index, since IAM could not hold a function to them", () => {
    expect(() => permitsOf({ "jobs/queued": { "queued#": "read" } })).toThrow(
      "the index jobs/queued can only be granted as a whole",
    );
  });

  test("concerns each table once, in the order of their list", () => {
    expect(tablesIn({ "orders/work": "read", identity: "read", orders: "read" })).toEqual([
      "identity",
      "orders",
    ]);
  });

  test.each([
    [{ orders: "read" }, false],
    [{ orders: { "order#": "read" } }, false],
    [{ orders: "write" }, true],
    [{ secrets: ["remove"] }, true],
    [{ jobs: { "job#": "read", "steps#": "insert" } }, true],
  ] as const)("%j writes: %s", (access, writes) => {
    expect(writesSomething(access)).toBe(writes);
  });
});

describe("several accesses together", () => {
  test("allow what any of them does", () => {
    const access = mergeAccess(
      { identity: { "user#": "read" }, jobs: "read" },
      { identity: { "user#": "change", "session#": "insert" } },
      { jobs: { "job#": "insert" } },
    );

    expect(kindsOf(access).map(({ kinds }) => kinds)).toEqual([
      { "user#": ["read", "change"], "session#": ["insert"] },
      { [everyKind]: ["read"], "job#": ["insert"] },
    ]);
  });
});
