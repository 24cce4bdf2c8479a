import { TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Grant } from "../access.ts";
import { tryChange } from "../dynamodb/change-one.ts";
import type { Database } from "../dynamodb/database.ts";
import { Busy, backOff } from "../dynamodb/retry.ts";
import { commit } from "../dynamodb/transact.ts";
import { type Change, type Insert, stale, type Write } from "../dynamodb/writes.ts";
import { expectFirstLayout } from "../layouts/layout-writes.ts";
import { counterKey, countersTable as table, unfolded } from "./counters/counters.ts";
import { headKey, nodeItem, rootKey } from "./counters/nodes.ts";
import { type BlockList, blocksAlong } from "./definitions.ts";

/** What allocating ids, and counting the records that have them, needs of the table `tallies`. */
export const allocationGrant: Grant = ["insert", "change"];

/** Ids that nothing else has or will have. An id that is not used stays a hole, which does no harm. */
export interface Allocation {
  readonly firstId: number;
  /** Creation time for all of them, ISO 8601: never before that of a lower id of the same owner. */
  readonly at: string;
}

/** Attempts against callers that allocate for the same owner at the same time. At each attempt one caller wins. */
const attempts = 30;

/**
 * Takes `count` consecutive ids of one block for `owner`: one round trip, and three more for a new block.
 * Where the rest of a block is too small for them, that rest stays unused.
 *
 * The owner's head item remembers the latest creation time and refuses an earlier one. A caller is refused whose clock
 * is behind, or whose call was overtaken on its way. It tries again just after the head's time. So creation times rise
 * with ids, whatever the clocks of the instances say. `clock` tells epoch milliseconds.
 * @throws where `count` is more than a block holds
 */
export async function allocate(
  db: Database,
  list: BlockList,
  owner: string,
  count: number,
  clock: () => number = Date.now,
): Promise<Allocation> {
  if (count > list.blockSize) throw new Error(`${count} ids do not fit a block of ${list.blockSize}`);
  let latest = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const at = new Date(Math.max(clock(), latest)).toISOString();
    const taken = await take(db, list, owner, count, at);
    if ("firstId" in taken) return { firstId: taken.firstId, at };
    if (taken.latest > at) latest = Date.parse(taken.latest) + attempt;
    else if (taken.full) {
      const firstId = await lease(db, list, owner, taken.block, count, at);
      if (firstId !== undefined) return { firstId, at };
    }
    await backOff(Math.min(attempt, 3));
  }
  throw new Busy(new Error(`no ids of ${list.name} could be allocated`));
}

type Taken =
  | { readonly firstId: number }
  | { readonly block: number | undefined; readonly latest: string; readonly full: boolean };

async function take(db: Database, list: BlockList, owner: string, count: number, at: string): Promise<Taken> {
  const change: Change = {
    kind: "change",
    table,
    key: headKey(list, owner),
    set: { latest: at },
    add: { next: count },
    when: [
      { attribute: "next", atMost: list.blockSize - count },
      { attribute: "latest", atMost: at },
    ],
    rejection: stale,
  };
  try {
    const tried = await tryChange(db, change);
    if ("changed" in tried) {
      const { block, next } = tried.changed;
      if (typeof block !== "number" || typeof next !== "number")
        throw new Error("a head lacks its block or next");
      return { firstId: block * list.blockSize + next - count };
    }
    const { block, next, latest = "" } = tried.instead;
    if (block === undefined) return { block: undefined, latest: "", full: true };
    return { block: Number(block), latest, full: Number(next) > list.blockSize - count };
  } catch (error) {
    // Another caller is leasing a block just now.
    if (error instanceof TransactionConflictException) return { block: undefined, latest: "", full: false };
    throw error;
  }
}

/**
 * Leases the next block and takes its first `count` ids, unless another caller leased one first. The block before it is
 * noted for folding: it is filled. Answers the first of the ids.
 */
async function lease(
  db: Database,
  list: BlockList,
  owner: string,
  previous: number | undefined,
  count: number,
  at: string,
): Promise<number | undefined> {
  const block = await nextBlock(db, list);
  const firstId = Math.max(block * list.blockSize, list.firstId ?? 0);
  const next = (firstId % list.blockSize) + count;
  if (next > list.blockSize) return undefined;
  const key = headKey(list, owner);
  const head: Write =
    previous === undefined
      ? {
          kind: "insert",
          table,
          item: { ...key, block, next, latest: at },
          rejection: stale,
        }
      : {
          kind: "change",
          table,
          key,
          set: { block, next, latest: at },
          when: [
            { attribute: "block", equals: previous },
            { attribute: "latest", atMost: at },
          ],
          rejection: stale,
        };
  const writes = [
    head,
    node(list, owner, block, at),
    ...blocksAlong(list, block).map((along) => node(along.list, owner, along.block)),
    ...(previous === undefined ? [] : [filled(list, owner, previous)]),
  ];
  return (await commit(db, writes)) === undefined ? firstId : undefined;
}

/** The node of a new block, which counts nothing yet. */
const node = (list: BlockList, owner: string, block: number, leased_at?: string): Insert => ({
  kind: "insert",
  table,
  item: nodeItem({ key: rootKey(list, owner, 0, block), leased_at, counts: new Map() }),
  rejection: stale,
});

const filled = (list: BlockList, owner: string, block: number): Change => ({
  kind: "change",
  table,
  key: rootKey(list, owner, 0, block),
  set: unfolded(block),
  when: [{ attribute: "pk", is: "present" }],
  rejection: stale,
});

/**
 * Blocks are numbered over the whole deployment, from that of the list's first id on. One that is not put to use is skipped
 * for good.
 */
async function nextBlock(db: Database, list: BlockList): Promise<number> {
  const { blockSize, firstId = blockSize } = list;
  expectFirstLayout(db, { table, key: counterKey(list) });
  const { Attributes } = await db.client.send(
    new UpdateCommand({
      TableName: db.tableName(table),
      Key: { ...counterKey(list) },
      UpdateExpression: "SET #blocks = if_not_exists(#blocks, :none) + :one",
      ExpressionAttributeNames: { "#blocks": "blocks" },
      ExpressionAttributeValues: { ":none": Math.floor(firstId / blockSize) - 1, ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  const blocks: unknown = Attributes?.["blocks"];
  if (typeof blocks !== "number") throw new Error(`the counter of ${list.name} blocks answers no number`);
  return blocks;
}
