import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import { repositoryOf } from "../../../../shared/store/lists/repository.ts";
import { createdAt, later } from "../../samples.ts";

const list: BlockList = { table: "inventory", name: "crate", blockSize: 1000 };
const crate = z.object({
  account_id: z.int(),
  crate_id: z.int(),
  color: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
const idOf = ({ crate_id }: { readonly crate_id: number }) => crate_id;
const red = {
  account_id: 100,
  crate_id: 4321,
  color: "red",
  created_at: createdAt,
  updated_at: createdAt,
  version: 3,
};

const unfiltered = repositoryOf(list, crate, idOf);
const byColor = repositoryOf(list, crate, idOf, { cellOf: ({ color }) => color, title: "wooden crate" });
const key = { pk: "crate#4", sk: "000000004321" };

describe("a new record", () => {
  test.each([
    ["|", unfiltered],
    ["red", byColor],
  ])("is stored in its block and its cell (%s), and counted there", (cell, repository) => {
    expect(repository.insert(red)).toMatchObject([
      { kind: "insert", table: "inventory", item: { ...key, ...red, cell } },
      {
        kind: "count",
        key: { pk: "crates-of#100", sk: "tally#000000000004" },
        add: { [`n:${cell}`]: 1 },
      },
    ]);
  });
});

describe("a changed record", () => {
  const blue = { ...red, color: "blue", updated_at: later, version: 4 };

  test("is stored on the version that it was changed from, in the cell that it belongs to now", () => {
    expect(byColor.save(red, blue)).toMatchObject({
      kind: "change",
      key,
      set: { ...blue, cell: "blue" },
      when: [{ attribute: "version", equals: 3 }],
    });
  });
});

test("records are called as their list, unless it is said otherwise", () => {
  expect([unfiltered, byColor].map(({ name, title }) => [name, title])).toEqual([
    ["crate", "crate"],
    ["crate", "wooden crate"],
  ]);
});
