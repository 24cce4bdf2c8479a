import { expect } from "vitest";
import * as z from "zod/mini";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined } from "../../../shared/store/dynamodb/keys.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import type { BlockList } from "../../../shared/store/lists/block-list.ts";
import { type BlockRange, readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";
import { countInsert } from "../../../shared/store/lists/counters/counters.ts";
import { facets } from "../../../shared/store/lists/facets.ts";
import { readList } from "../../../shared/store/lists/read-list.ts";
import { recordOf, repositoryOf } from "../../../shared/store/lists/repository.ts";
import { alone } from "../store/shards.ts";

/** A record of a list that no other test has. */
const crate = z.object({
  account_id: z.int(),
  crate_id: z.int(),
  color: z.int(),
  size: z.int(),
  created_at: z.string(),
  version: z.int(),
});
export type Crate = z.output<typeof crate>;

export const [colors, sizes] = [
  [1, 2, 3],
  [10, 20],
];

/**
 * A list as code of two versions knows it: by color, and by color and size. Its blocks are small, so there
 * are many.
 */
export function crateList(name: string, blockSize = 20) {
  const list: BlockList = { table: "inventory", name, blockSize };
  const idOf = ({ crate_id }: Crate) => crate_id;
  const byColor = facets("color");
  const byBoth = facets("color", "size");
  return {
    list,
    byBoth,
    old: repositoryOf<Crate>(list, recordOf(crate), {
      idOf,
      facetKeyOf: ({ color }) => byColor.key({ color }),
    }),
    current: repositoryOf<Crate>(list, recordOf(crate), {
      idOf,
      facetKeyOf: ({ color, size }) => byBoth.key({ color, size }),
    }),
  };
}
export type CrateList = ReturnType<typeof crateList>;

export async function insertCrates(
  db: Database,
  { list, old, current }: CrateList,
  owner: number,
  crates: readonly Pick<Crate, "color" | "size">[],
  version: "old" | "current" = "old",
): Promise<readonly number[]> {
  const { firstId, at } = await allocate(db, list, String(owner), crates.length);
  const records = version === "old" ? old : current;
  const made = crates.map((fields, position) => ({
    account_id: owner,
    crate_id: firstId + position,
    created_at: at,
    version: 1,
    ...fields,
  }));
  await transact(
    db,
    made.flatMap((record) => records.insert(record).map(alone)),
  );
  return made.map(({ crate_id }) => crate_id);
}

/** Makes a counter exceed the records, as old code with a changed facet did. */
export const drift = (
  db: Database,
  { list }: CrateList,
  owner: number,
  id: number,
  add: Readonly<Record<string, number>>,
) =>
  transact(
    db,
    Object.entries(add).map(([cell, by]) => {
      const count = countInsert(list, String(owner), id, cell);
      return {
        ...count,
        add: Object.fromEntries(Object.keys(count.add).map((name) => [name, name === "revision" ? 1 : by])),
      };
    }),
  );

/** The block ranges of an owner. */
export async function blockRangesOf(
  db: Database,
  { list }: CrateList,
  owner: number,
): Promise<readonly BlockRange[]> {
  const ranges: BlockRange[] = [];
  for await (const range of readBlocks({ db, list, owner: String(owner) })) ranges.push(range);
  return ranges;
}

type Counts = Readonly<Record<string, number>>;

/** How often each of the texts is among them. */
function readCounter(texts: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const one of texts) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

/** The owner's blocks: the correct facet keys of their records, the stored ones, and the counts. */
export async function blocksOf(db: Database, crates: CrateList, owner: number) {
  const { list, current } = crates;
  return Promise.all(
    (await blockRangesOf(db, crates, owner)).map(async ({ block, counts }) => {
      const items = await queryRange(db, { table: list.table, pk: joined(list.name, block) });
      return {
        belonging: readCounter(items.map((item) => current.facetKeyOfItem(item))),
        stored: readCounter(items.map((item) => String(item["cell"]))),
        counted: Object.fromEntries(counts),
      };
    }),
  );
}

/** Every value of each facet. */
const everyFacet: readonly Partial<Pick<Crate, "color" | "size">>[] = [
  ...colors.map((color) => ({ color })),
  ...sizes.map((size) => ({ size })),
];

/** Expects facet keys and counts to equal the records, and pages by these facets to find them. */
export async function expectExact(
  db: Database,
  crates: CrateList,
  owner: number,
  wanted = everyFacet,
): Promise<void> {
  const blocks = await blocksOf(db, crates, owner);
  for (const { belonging, stored, counted } of blocks) {
    expect(stored).toEqual(belonging);
    expect(counted).toEqual(belonging);
  }
  const all = blocks.flatMap(({ belonging }) => Object.entries(belonging));
  for (const values of wanted) {
    const { matches = () => true } = crates.byBoth.matching(values);
    const found = await readList(crates.current, db, owner, { page: 1, per_page: 500, matches });
    const plain = all.reduce((sum, [cell, count]) => sum + (matches(cell) ? count : 0), 0);
    expect({ values, total: found.total, records: found.records.length }).toEqual({
      values,
      total: plain,
      records: plain,
    });
  }
}
