import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { rejectionOf, Stale } from "../../../../shared/store/dynamodb/writes.ts";
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import { facets } from "../../../../shared/store/lists/facets.ts";
import { recordsIn } from "../../../../shared/store/lists/records.ts";

const list: BlockList = { table: "inventory", name: "crate", blockSize: 1000 };
const crate = z.object({ account_id: z.int(), crate_id: z.int(), color: z.int(), size: z.int() });
const crates = recordsIn(list, crate, {
  idOf: ({ crate_id }) => crate_id,
  facetKeyOf: ({ color, size }) => facets("color", "size").key({ color, size }),
});
const key = { pk: "crate#4", sk: "000000004321" };
const shard = { pk: "crates-of#100", sk: "slot#4#3" };
const fields = { account_id: 100, crate_id: 4321, color: 1, size: 40 };
/** From before crates were listed by their size. */
const item = { ...key, ...fields, cell: "1", day: 20_000 };
const condition = { attribute: "version", equals: 3 } as const;

describe("a record that was stored when its list had other facets", () => {
  test("does not include its stored facet key", () => {
    expect(crates.parse(item)).toEqual(fields);
  });

  test("moves from its stored facet key to the new one when it is changed", () => {
    const before = crates.read(item);

    const writes = crates.change(before, { ...fields, color: 2 }, condition);

    expect(writes).toMatchObject([
      { kind: "change", key, set: { cell: "2|40" }, when: [condition, { attribute: "cell", equals: "1" }] },
      { kind: "count", key: shard, add: { "n:1": -1, "n:2|40": 1 } },
    ]);
  });

  test("moves to its current facet key when a change leaves all facets the same", () => {
    const before = crates.read(item);

    const [, ...counts] = crates.change(before, fields, condition);

    expect(counts).toMatchObject([{ kind: "count", key: shard, add: { "n:1": -1, "n:1|40": 1 } }]);
  });

  test("is subtracted by its stored facet key when it is removed, on condition that it still has that", () => {
    const [removal, count] = crates.remove(crates.read(item));

    expect(removal).toMatchObject({ kind: "removal", key, when: [{ attribute: "cell", equals: "1" }] });
    expect(count).toMatchObject({ kind: "count", key: shard, add: { "n:1": -1 } });
    expect(removal?.kind === "removal" && rejectionOf(removal)).toBeInstanceOf(Stale);
  });
});

test("rejects an item without a facet key when it is read for a change", () => {
  const { cell: _cell, ...others } = item;

  expect(() => crates.read(others)).toThrow("an item of crate records has no facet key");
});
