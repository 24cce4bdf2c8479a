import { describe, expect, test } from "vitest";
import { connect, type Database } from "../../../shared/store/dynamodb/database.ts";
import type { Change } from "../../../shared/store/dynamodb/writes.ts";
import { stale } from "../../../shared/store/dynamodb/writes.ts";
import { expectFirstLayout, inForm, inLayout } from "../../../shared/store/layouts/layout-writes.ts";
import { current, type Layouts } from "../../../shared/store/layouts/layouts.ts";
import { crate, twoLayouts } from "../../support/store/moved-kind.ts";

/** A connection with these layouts, of a deployment that writes one of them. */
const dbOf = (layouts: Layouts, writes = layouts.current): Database => {
  const db = connect({}, { region: "eu-west-1" }, layouts);
  return { ...db, layouts: { ...db.layouts, writes: () => writes } };
};

const key = { pk: "crate#7", sk: "-" };
const old = { ...key, name: "a", size: "2x3" };
const insert = {
  kind: "insert",
  table: "inventory",
  item: { ...key, width: 2, height: 3 },
  rejection: stale,
} as const;
const change = (more: Partial<Change>): Change => ({
  kind: "change",
  table: "inventory",
  key,
  when: [],
  rejection: stale,
  ...more,
});

describe("an item that is read", () => {
  test("is handed over as it is stored if no kind has changed", () => {
    const item = { pk: "order#1", sk: "-" };

    expect(current(dbOf({ current: 1, later: [] }), "orders", item)).toBe(item);
  });

  test("of the previous layout is made one of the current layout", () => {
    expect(current(dbOf(twoLayouts), "inventory", old)).toEqual({ ...key, name: "a", width: 2, height: 3 });
  });

  test("of the current layout is handed over as it is", () => {
    const item = { ...key, layout: 2, width: 2, height: 3 };

    expect(current(dbOf(twoLayouts), "inventory", item)).toBe(item);
  });

  test.each([
    [
      "later",
      { ...key, layout: 3 },
      twoLayouts,
      /crate#7 … of the table inventory has layout 3, expected 2 or 1/,
    ],
    [
      "earlier",
      old,
      { current: 3, later: [{ ...crate, layout: 3, change: { ...crate.change, previous: 2 } }] },
      /layout 1, expected 3 or 2/,
    ],
    [
      "unknown",
      { pk: "name#100#Ada", sk: "-", layout: 2 },
      { current: 1, later: [] },
      /name#100#… .* layout 2, expected 1/,
    ],
  ])(
    "of a layout that is %s is an error that names both layouts, and no text of a customer",
    (_, item, layouts, message) => {
      expect(() => current(dbOf(layouts as Layouts), "inventory", item)).toThrow(message);
    },
  );
});

describe("a write", () => {
  test("is sent as it is if no kind of its table has changed", () => {
    const write = change({ table: "orders", set: { width: 1 } });

    expect(inLayout(dbOf(twoLayouts), write)).toBe(write);
  });

  test("of a new item has the current layout once the deployment says so, and the previous one before", () => {
    expect(inLayout(dbOf(twoLayouts, 2), insert)).toMatchObject({ item: { ...insert.item, layout: 2 } });
    expect(inLayout(dbOf(twoLayouts, 1), insert)).toEqual({ ...insert, item: { ...key, size: "2x3" } });
  });

  test("that changes an item is refused for an item of the other layout, of which it would leave a mixture", () => {
    const write = change({ set: { name: "b", width: 4, height: 5 } });

    expect(inLayout(dbOf(twoLayouts, 2), write)).toEqual({
      ...write,
      set: { ...write.set, layout: 2 },
      when: [{ attribute: "layout", equalsOrNew: 2 }],
    });
    expect(inLayout(dbOf(twoLayouts, 1), write)).toEqual({
      ...write,
      set: { name: "b", size: "4x5" },
      remove: [],
      when: [{ attribute: "layout", is: "absent" }],
    });
  });

  test("that was planned in one layout is carried out in the other", () => {
    const kept = inForm(dbOf(twoLayouts, 1), change({ set: { width: 4, height: 5 } }));

    expect(kept).toMatchObject({ set: { size: "4x5" }, when: [] });
    expect(inLayout(dbOf(twoLayouts, 2), kept)).toMatchObject({ set: { width: 4, height: 5, layout: 2 } });
  });

  test("may not change a part of what a layout changes together", () => {
    for (const part of [{ set: { width: 4 } }, { remove: ["height"] }])
      for (const writes of [1, 2])
        expect(() => inLayout(dbOf(twoLayouts, writes), change(part))).toThrow(
          /must state (height|width) too/,
        );
  });

  test("of a kind that stays as it is now is refused for an item that a migration has left behind", () => {
    const { change: _, ...kept } = crate;
    const write = change({ set: { name: "b" } });

    expect(inLayout(dbOf({ current: 2, later: [kept] }), write)).toMatchObject({
      set: { name: "b", layout: 2 },
      when: [{ attribute: "layout", equalsOrNew: 2 }],
    });
  });

  test("that counts, or is sent beside transactions, stores no layout, so its kind can't change", () => {
    const count = { kind: "count", table: "inventory", key, add: { hits: 1 } } as const;

    expect(() => inLayout(dbOf(twoLayouts), count)).toThrow(/layout of crate \(inventory\) can't change/);
    expect(() => expectFirstLayout(dbOf(twoLayouts), { table: "inventory", key })).toThrow(/can't change/);
    expect(() => expectFirstLayout(dbOf(twoLayouts), { table: "orders", key })).not.toThrow();
  });

  test("may not use an attribute that a layout changes in a condition or a counter", () => {
    const write = change({ add: { width: 1 } });

    expect(() => inLayout(dbOf(twoLayouts), write)).toThrow(/can't change width of inventory/);
  });
});
