import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { transactItem, updateInput } from "../../../shared/store/dynamodb/expressions.ts";
import type { Change, Condition, Removal } from "../../../shared/store/dynamodb/writes.ts";

/** It is never called: writing expressions needs its table names only. */
const db = connect({ TABLE_ORDERS: "deployed-orders" }, { region: "eu-west-1" });

const key = { pk: "p", sk: "s" };
const changeOf = (more: Partial<Change>): Change => ({
  kind: "change",
  table: "orders",
  key,
  when: [],
  ...more,
});

const removalOf = (more: Partial<Removal> = {}): Removal => ({
  kind: "removal",
  table: "orders",
  key,
  when: [],
  ...more,
});

type Input = ReturnType<typeof updateInput>;

interface Spelling {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/** An expression as it reads with the names and values behind its placeholders. */
function spelled(
  expression: string | undefined,
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Spelling,
): string | undefined {
  return expression
    ?.replace(/#n\d+/g, (name) => names?.[name] ?? "?")
    .replace(/:v\d+/g, (value) => JSON.stringify(values?.[value]));
}

const placeholdersIn = ({ UpdateExpression, ConditionExpression }: Input): readonly string[] =>
  `${UpdateExpression} ${ConditionExpression ?? ""}`.match(/[#:][nv]\d+/g) ?? [];

describe("an update", () => {
  test("sets, removes and adds, each in its own clause", () => {
    const input = updateInput(
      db,
      changeOf({ set: { a: "x", b: null }, remove: ["c", "d"], add: { e: 2, f: -1 } }),
    );

    expect(spelled(input.UpdateExpression, input)).toBe('SET a = "x", b = null REMOVE c, d ADD e 2, f -1');
  });

  test("appends to a list that may not be there yet", () => {
    const input = updateInput(db, changeOf({ set: { a: 1 }, append: { b: ["x"] } }));

    const list = 'b = list_append(if_not_exists(b, []), ["x"])';
    expect(spelled(input.UpdateExpression, input)).toBe(`SET a = 1, ${list}`);
  });

  test.each([
    { part: { set: { a: 1 } }, reads: "SET a = 1" },
    { part: { remove: ["a"] }, reads: "REMOVE a" },
    { part: { add: { a: 1 } }, reads: "ADD a 1" },
    { part: { set: {}, remove: [], add: { a: 1 } }, reads: "ADD a 1" },
  ])("has no clause for what it does not do: $reads", ({ part, reads }) => {
    const input = updateInput(db, changeOf(part));

    expect(spelled(input.UpdateExpression, input)).toBe(reads);
  });
});

/** The condition that no saga has the item locked. */
const notHeld = "attribute_not_exists(underway)";

function deletion(removal: Removal) {
  const { Delete } = transactItem(db, removal);
  if (Delete === undefined) throw new Error("a removal is no deletion");
  return Delete;
}

describe("a condition", () => {
  const conditions: readonly (readonly [Condition, string])[] = [
    [{ attribute: "a", is: "present" }, "attribute_exists(a)"],
    [{ attribute: "a", is: "absent" }, "attribute_not_exists(a)"],
    [{ attribute: "a", equals: "x" }, 'a = "x"'],
    [{ attribute: "a", equals: 0 }, "a = 0"],
    [{ attribute: "a", atLeast: 3 }, "a >= 3"],
    [{ attribute: "a", atMost: 3 }, "a <= 3"],
    [{ attribute: "a", atMost: "2026" }, 'a <= "2026"'],
  ];

  test.each(conditions)("%j reads %s", (condition, reads) => {
    const input = updateInput(db, changeOf({ set: { b: 1 }, when: [condition] }));

    expect(spelled(input.ConditionExpression, input)).toBe(reads);
  });

  test.each(conditions)("of a removal reads the same: %j", (condition, reads) => {
    const item = deletion(removalOf({ when: [condition] }));

    expect(spelled(item.ConditionExpression, item)).toBe(`${reads} AND ${notHeld}`);
  });

  test("must hold together with all the others", () => {
    const when = conditions.map(([condition]) => condition);

    const input = updateInput(db, changeOf({ set: { b: 1 }, when }));

    expect(spelled(input.ConditionExpression, input)).toBe(
      conditions.map(([, reads]) => reads).join(" AND "),
    );
  });
});

test("a change that changes nothing is a mistake", () => {
  expect(() => updateInput(db, changeOf({}))).toThrow("changes nothing");
});

describe("names and values", () => {
  const hostile = fc.constantFrom("a = :v0", "#n0", "size", "a.b", "a[0]", "", " ", "REMOVE x", "n:1|2");
  const attribute = fc.oneof(hostile, fc.string());
  const value = fc.oneof(hostile, fc.string(), fc.integer());
  const change = fc.record({
    set: fc.dictionary(attribute, value, { minKeys: 1 }),
    remove: fc.array(attribute, { maxLength: 3 }),
    add: fc.dictionary(attribute, fc.integer()),
    when: fc.array(
      fc.oneof(
        fc.record({ attribute, equals: value }),
        fc.record({ attribute, atLeast: fc.integer() }),
        fc.record({ attribute, is: fc.constantFrom("present" as const, "absent" as const) }),
      ),
      { maxLength: 3 },
    ),
  });

  test("never stand in an expression: it is placeholders and keywords alone", () => {
    fc.assert(
      fc.property(change, (parts) => {
        const { UpdateExpression, ConditionExpression = "" } = updateInput(db, changeOf(parts));

        const words = `${UpdateExpression} ${ConditionExpression}`.replace(/[#:][nv]\d+/g, "");
        expect(words).toMatch(/^(?:SET|REMOVE|ADD|AND|attribute_exists|attribute_not_exists|[ ,=<>()])*$/);
      }),
    );
  });

  test("have each a placeholder of their own, stated once and used once", () => {
    fc.assert(
      fc.property(change, (parts) => {
        const input = updateInput(db, changeOf(parts));

        const stated = [
          ...Object.keys(input.ExpressionAttributeNames ?? {}),
          ...Object.keys(input.ExpressionAttributeValues ?? {}),
        ];
        expect([...placeholdersIn(input)].sort()).toEqual(stated.sort());
      }),
    );
  });
});

describe("an item of a transaction", () => {
  test("that removes deletes its key, without a condition on no condition and no empty map", () => {
    expect(transactItem(db, removalOf())).toEqual({
      Delete: { TableName: "deployed-orders", Key: key },
    });
  });

  test.each<[string, readonly Condition[], string]>([
    ["an item", [], notHeld],
    ["an item under conditions", [{ attribute: "v", equals: 1 }], `v = 1 AND ${notHeld}`],
    ["an item for the steps that hold it", [{ attribute: "underway", equals: "s" }], 'underway = "s"'],
  ])(
    "that changes %s is refused where another record's steps hold it, and shows it",
    (_case, when, reads) => {
      const { Update } = transactItem(db, changeOf({ set: { a: 1 }, when }));
      if (Update === undefined) throw new Error("a change is no update");

      expect(spelled(Update.ConditionExpression, Update)).toBe(reads);
      expect(Update.ReturnValuesOnConditionCheckFailure).toBe("ALL_OLD");
    },
  );

  test("cannot reach a table that the function does not state", () => {
    expect(() => transactItem(db, removalOf({ table: "jobs" }))).toThrow(
      "access does not state the table jobs",
    );
  });
});
