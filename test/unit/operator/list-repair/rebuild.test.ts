import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { rebuildList } from "../../../../infra/operator/list-repair/rebuild.ts";
import { connect, type Database } from "../../../../shared/store/dynamodb/database.ts";
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import { counterShardKey } from "../../../../shared/store/lists/counters/counters.ts";
import { nodeItem, rootKey } from "../../../../shared/store/lists/counters/nodes.ts";
import { facets } from "../../../../shared/store/lists/facets.ts";
import { recordOf, recordsIn } from "../../../../shared/store/lists/repository.ts";
import { createdAt } from "../../samples.ts";

const list: BlockList = { table: "inventory", name: "crate", blockSize: 1000 };
const crate = z.object({ account_id: z.int(), crate_id: z.int(), color: z.int() });
const crates = recordsIn<z.output<typeof crate>>(list, recordOf(crate), {
  idOf: ({ crate_id }) => crate_id,
  facetKeyOf: ({ color }) => facets("color").key({ color }),
});

/** Ten blocks. More of them are busy than are rebuilt concurrently, before the first that is not. */
const [busy, quiet] = [
  [1, 2, 3, 4, 5, 6, 7, 8],
  [9, 10],
];
const blocks = [...busy, ...quiet];
const nameOf = (block: number) => `block ${block} of 100`;

/** What writers do to a busy block: count in it between any two reads, or make transactions conflict. */
type Trouble = "counts" | "conflicts";

/**
 * A database in which each block has one record, with a wrong facet key until it is moved, and correct
 * counts. `troubled` says whether a busy block has the trouble at this moment.
 */
function databaseOf(trouble: Trouble, troubled: () => boolean): Database {
  const db = connect({ TABLE_INVENTORY: "inventory", TABLE_TALLIES: "tallies" }, { region: "eu-west-1" });
  const facetKeys = new Map(blocks.map((block) => [block, "9"]));
  let revision = 0;
  const isBusy = (block: number) => busy.includes(block) && troubled();
  /** A block's node, and a shard without counts. */
  const readCounter = (block: number) => {
    if (trouble === "counts" && isBusy(block)) revision += 1;
    const counts = new Map([[facetKeys.get(block) ?? "", 1]]);
    const { pk, sk } = counterShardKey(list, "100", block, 0);
    return [
      nodeItem({ key: rootKey(list, "100", 0, block), leased_at: createdAt, counts }),
      { pk, sk, revision: isBusy(block) ? revision : 0 },
    ];
  };
  const answer = (input: object) => {
    const asked = JSON.stringify(input);
    const block = Number(/"crate#(\d+)"/.exec(asked)?.[1]);
    const cell = facetKeys.get(block) ?? "";
    const item = { pk: `crate#${block}`, sk: "0", account_id: 100, crate_id: block * 1000, color: 1, cell };
    if ("FilterExpression" in input) return { Items: [{ pk: "crates-of#100" }] };
    if (asked.includes(`":pk":"crates-of#100"`)) return { Items: blocks.flatMap(readCounter) };
    if ("KeyConditionExpression" in input) return { Items: [item] };
    if (trouble === "conflicts" && isBusy(block))
      throw new TransactionCanceledException({
        $metadata: {},
        message: "conflict",
        CancellationReasons: [{ Code: "TransactionConflict" }],
      });
    facetKeys.set(block, "1");
    return {};
  };
  db.client.middlewareStack.add(
    () =>
      async ({ input }) => ({ response: {}, output: { $metadata: {}, ...answer(input) } }),
    { step: "initialize" },
  );
  return db;
}

/** Advances the clock by five seconds at each reading, so that nothing waits for long. */
function hurry(): void {
  let seconds = 0;
  vi.spyOn(process, "uptime").mockImplementation(() => {
    seconds += 5;
    return seconds;
  });
}
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each<[string, Trouble]>([
  ["that is counted in continuously", "counts"],
  ["whose transactions conflict for longer than the retry budget", "conflicts"],
])("a block %s", (_case, trouble) => {
  test("is rebuilt at the end", async () => {
    const lines: string[] = [];
    const inTrouble = () => lines.length < blocks.length;
    const db = databaseOf(trouble, inTrouble);
    hurry();

    const rebuilt = await rebuildList(db, crates, (line) => lines.push(line), { settleMs: 0 });

    const undone = lines.slice(0, blocks.length).filter((line) => line.includes("not done"));
    expect(undone.map((line) => line.split(":")[0]).sort()).toEqual(busy.map(nameOf));
    const ends = lines.slice(blocks.length);
    expect(ends.map((line) => line.split(":")[0]).sort()).toEqual(busy.map(nameOf));
    for (const line of ends) expect(line).toMatch(/records moved, counters right$/);
    expect(rebuilt).toEqual({ blocks: 10, moved: 10, corrected: 0 });
  });

  test("does not keep others from being rebuilt, and fails the rebuild after a second try", async () => {
    const lines: string[] = [];
    const db = databaseOf(trouble, () => true);
    hurry();

    const rebuilding = rebuildList(db, crates, (line) => lines.push(line), { settleMs: 0 });

    await expect(rebuilding).rejects.toThrow(
      /^written to without a pause, so not rebuilt: (block [1-8] of 100(, )?){8}; run this again$/,
    );
    for (const block of quiet) expect(lines).toContain(`${nameOf(block)}: 1 records moved, counters right`);
    for (const block of busy)
      expect(lines.filter((line) => line.startsWith(`${nameOf(block)}:`))).toHaveLength(2);
  });
});
