import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { mergeWrites, rejectionOf, Stale } from "../../../../shared/store/dynamodb/writes.ts";
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import { facets } from "../../../../shared/store/lists/facets.ts";
import { recordOf, repositoryOf } from "../../../../shared/store/lists/repository.ts";
import { createdAt, later } from "../../samples.ts";

const list: BlockList = { table: "inventory", name: "crate", blockSize: 1000 };
const crate = z.object({
  account_id: z.int(),
  crate_id: z.int(),
  color: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
const idOf = ({ crate_id }: { readonly crate_id: number }) => crate_id;
const red = {
  account_id: 100,
  crate_id: 4321,
  color: 1,
  created_at: createdAt,
  updated_at: createdAt,
  version: 3,
};

const unfiltered = repositoryOf<z.output<typeof crate>>(list, recordOf(crate), { idOf });
const byColor = repositoryOf<z.output<typeof crate>>(list, recordOf(crate), {
  idOf,
  facetKeyOf: ({ color }) => facets("color").key({ color }),
  title: "wooden crate",
});
const key = { pk: "crate#4", sk: "000000004321" };

describe("a new record", () => {
  test.each([
    ["|", unfiltered],
    ["1", byColor],
  ])("is stored in its block with the facet key %s, and counted by it", (facetKey, repository) => {
    expect(repository.insert(red)).toMatchObject([
      { kind: "insert", table: "inventory", item: { ...key, ...red, cell: facetKey } },
      {
        kind: "count",
        key: { pk: "crates-of#100", sk: "slot#4#3" },
        add: { [`n:${facetKey}`]: 1 },
      },
    ]);
  });
});

describe("a changed record", () => {
  const changed = { ...red, updated_at: later, version: 4 };

  test("is stored with its new facet key, on condition of the version that it was changed from", () => {
    const blue = { ...changed, color: 2 };

    const writes = byColor.save(byColor.written(red), blue);

    expect(writes).toMatchObject([
      {
        kind: "change",
        key,
        set: { ...blue, cell: "2" },
        when: [
          { attribute: "version", equals: 3 },
          { attribute: "cell", equals: "1" },
        ],
      },
      {
        kind: "count",
        key: { pk: "crates-of#100", sk: "slot#4#3" },
        add: { "n:1": -1, "n:2": 1 },
      },
    ]);
  });

  test("that keeps its facet key is not counted again", () => {
    const writes = byColor.save(byColor.written(red), changed);

    expect(writes).toMatchObject([{ kind: "change", set: { cell: "1" } }]);
  });

  test("can be changed again before it is stored, as one write", () => {
    const blue = { ...changed, color: 2 };
    const green = { ...blue, color: 3, version: 5 };

    const writes = [
      ...byColor.save(byColor.written(red), blue),
      ...byColor.save(byColor.written(blue), green),
    ];

    expect(mergeWrites(writes)).toMatchObject([
      { kind: "change", set: { color: 3, cell: "3" }, when: [{ equals: 3 }, { equals: "1" }] },
      { kind: "count", add: { "n:1": -1, "n:2": 0, "n:3": 1 } },
    ]);
  });
});

describe("a record that was stored when its list had other facets", () => {
  const item = { ...key, ...red, cell: "1|40", day: 20_000 };

  test("does not include its stored facet key", () => {
    expect(byColor.parse(item)).toEqual(red);
  });

  test.each([
    ["the new one when it is changed", { color: 2 }, "2"],
    ["its current one when a change leaves all facets the same", {}, "1"],
  ])("moves from its stored facet key to %s", (_case, fields, facetKey) => {
    const writes = byColor.save(byColor.read(item), { ...red, ...fields, version: 4 });

    expect(writes).toMatchObject([
      {
        kind: "change",
        key,
        set: { cell: facetKey },
        when: [
          { attribute: "version", equals: 3 },
          { attribute: "cell", equals: "1|40" },
        ],
      },
      {
        kind: "count",
        key: { pk: "crates-of#100", sk: "slot#4#3" },
        add: { "n:1|40": -1, [`n:${facetKey}`]: 1 },
      },
    ]);
  });

  test("is subtracted by its stored facet key when it is removed, on condition that it still has that", () => {
    const [removal, count] = byColor.remove(byColor.read(item));

    expect(removal).toMatchObject({
      kind: "removal",
      key,
      when: [
        { attribute: "cell", equals: "1|40" },
        { attribute: "version", equals: 3 },
      ],
    });
    expect(count).toMatchObject({ kind: "count", add: { "n:1|40": -1 } });
    expect(removal?.kind === "removal" && rejectionOf(removal)).toBeInstanceOf(Stale);
  });
});

test("an item without a facet key is rejected when it is read for a change", () => {
  expect(() => byColor.read({ ...key, ...red })).toThrow("an item of crate records has no facet key");
});

test("records have the name of their list as their title, unless another one is given", () => {
  expect([unfiltered, byColor].map(({ name, title }) => [name, title])).toEqual([
    ["crate", "crate"],
    ["crate", "wooden crate"],
  ]);
});
