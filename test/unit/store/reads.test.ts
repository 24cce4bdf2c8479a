import { expect, test } from "vitest";
import { queryPages, queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

const table = "orders";

/** A partition of five items, and how many queries were sent so far. */
async function fiveItems() {
  const { store, db } = faultyStore();
  await transact(
    db,
    ["1", "2", "3", "4", "5"].map((sk) => ({ kind: "insert", table, item: { pk: "p", sk } })),
  );
  return { db, queries: () => store.calls.filter((call) => call === "Query").length };
}

test("a range is read no further than its limit", async () => {
  const { db, queries } = await fiveItems();

  const items = await queryRange(db, { table, pk: "p", limit: 2 });

  expect(items.map(({ sk }) => sk)).toEqual(["1", "2"]);
  expect(queries()).toBe(1);
});

test("a range without a limit is read to its end, page by page if that is asked", async () => {
  const { db, queries } = await fiveItems();

  const whole = await queryRange(db, { table, pk: "p" });
  const pages = await Array.fromAsync(queryPages(db, { table, pk: "p" }, 2));

  expect(whole).toHaveLength(5);
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(queries()).toBe(4);
});
