import { describe, expect, test } from "vitest";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { inLatestLayout, type Layouts, toBeMoved } from "../../../shared/store/layouts/layouts.ts";
import { crate, twoLayouts } from "../../support/store/moved-kind.ts";

const dbOf = (layouts: Layouts) => connect({}, { region: "eu-west-1" }, layouts);

const key = { pk: "crate#7", sk: "-" };
const old = { ...key, name: "a", size: "2x3" };

describe("an item that is read", () => {
  test("is handed over as it is stored if no kind has changed", () => {
    const item = { pk: "order#1", sk: "-" };

    expect(inLatestLayout(dbOf({ current: 1, later: [] }), "orders", item)).toBe(item);
  });

  test("of the previous layout is made one of the current layout, also by the release before, which does not move it", () => {
    const before = { ...twoLayouts, current: 1 };

    for (const layouts of [twoLayouts, before])
      expect(inLatestLayout(dbOf(layouts), "inventory", old)).toEqual({
        ...key,
        name: "a",
        width: 2,
        height: 3,
      });
    expect([toBeMoved(before, "inventory", old), toBeMoved(twoLayouts, "inventory", old)]).toEqual([
      undefined,
      crate,
    ]);
  });

  test("of the current layout is handed over as it is", () => {
    const item = { ...key, layout: 2, width: 2, height: 3 };

    expect(inLatestLayout(dbOf(twoLayouts), "inventory", item)).toBe(item);
  });

  test("of a kind whose name begins like that of a changed one is handed over as it is", () => {
    const item = { ...old, pk: "crates#7" };

    expect(inLatestLayout(dbOf(twoLayouts), "inventory", item)).toBe(item);
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
      expect(() => inLatestLayout(dbOf(layouts as Layouts), "inventory", item)).toThrow(message);
    },
  );
});
