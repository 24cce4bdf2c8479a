import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Grant } from "../access.ts";
import { tryChange } from "../dynamodb/change-one.ts";
import type { Database } from "../dynamodb/database.ts";
import { firstUnassignedId } from "../dynamodb/dry-run.ts";
import { Busy, backOff } from "../dynamodb/retry.ts";
import { commit } from "../dynamodb/transact.ts";
import { type Change, exists, type Insert, insertOf, type Write } from "../dynamodb/writes.ts";
import { type BlockList, followerBlocks, type OwnedList } from "./block-list.ts";
import { lastBlockKey, pendingRollUp, countersTable as table } from "./counters/counters.ts";
import { headKey, nodeItem, rootKey } from "./counters/nodes.ts";

/** What allocating ids, and counting the records that have them, needs of the table `tallies`. */
export const allocationGrant: Grant = ["insert", "change"];

/** Allocated ids, which are never allocated again. Unused ones leave a harmless gap. */
export interface Allocation {
  readonly firstId: number;
  /** Creation time of all of them, ISO 8601: never before that of a lower id of the same owner. */
  readonly at: string;
}

/** Attempts while other callers allocate for the same owner. One caller succeeds per attempt. */
const attempts = 30;

/**
 * Allocates `count` consecutive ids of one block for `owner`, in one round trip, and three more if a new
 * block is leased. If they do not fit in the rest of the block, that rest stays unused.
 *
 * The owner's head item stores the latest creation time and rejects an earlier one, from a caller whose clock
 * is behind or whose call was overtaken. That caller tries again just after the stored time. So creation
 * times rise with ids, even if clocks differ. `clock` returns epoch milliseconds.
 * A dry run takes no ids.
 * @throws if `count` exceeds the block size
 */
export async function allocate(
  db: Database,
  list: BlockList,
  owner: string,
  count: number,
  clock: () => number = Date.now,
): Promise<Allocation> {
  if (count > list.blockSize) throw new Error(`${count} ids do not fit a block of ${list.blockSize}`);
  if (db.dryRun !== undefined) return { firstId: firstUnassignedId, at: new Date(clock()).toISOString() };
  const owned: OwnedList = { db, list, owner };
  let latest = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const at = new Date(Math.max(clock(), latest)).toISOString();
    const attempted = await take(owned, count, at);
    if ("firstId" in attempted) return { firstId: attempted.firstId, at };
    if (attempted.latest > at) latest = Date.parse(attempted.latest) + attempt;
    else if (attempted.full) {
      const firstId = await lease(owned, attempted.block, count, at);
      if (firstId !== undefined) return { firstId, at };
    }
    await backOff(Math.min(attempt, 3));
  }
  throw new Busy(new Error(`no ids of ${list.name} could be allocated`));
}

type Attempt =
  | { readonly firstId: number }
  | { readonly block: number | undefined; readonly latest: string; readonly full: boolean };

async function take({ db, list, owner }: OwnedList, count: number, at: string): Promise<Attempt> {
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
  };
  const tried = await tryChange(db, change);
  if ("changed" in tried) {
    const { block, next } = tried.changed;
    if (typeof block !== "number" || typeof next !== "number") throw new Error("a head has no block or next");
    return { firstId: block * list.blockSize + next - count };
  }
  const { block, next, latest = "" } = tried.instead;
  if (block === undefined) return { block: undefined, latest: "", full: true };
  return { block: Number(block), latest, full: Number(next) > list.blockSize - count };
}

/** Marks the full block for roll-up. @returns the first id; undefined if another caller leased a block */
async function lease(
  { db, list, owner }: OwnedList,
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
      ? insertOf({ table, key }, { block, next, latest: at })
      : {
          kind: "change",
          table,
          key,
          set: { block, next, latest: at },
          when: [
            { attribute: "block", equals: previous },
            { attribute: "latest", atMost: at },
          ],
        };
  const writes = [
    head,
    newNode(list, owner, block, at),
    ...followerBlocks(list, block).map((along) => newNode(along.list, owner, along.block)),
    ...(previous === undefined ? [] : [markFull(list, owner, previous)]),
  ];
  return (await commit(db, writes)) === undefined ? firstId : undefined;
}

/** The node of a new block, with no counts. */
const newNode = (list: BlockList, owner: string, block: number, leased_at?: string): Insert => ({
  kind: "insert",
  table,
  item: nodeItem({ key: rootKey(list, owner, 0, block), leased_at, counts: new Map() }),
});

const markFull = (list: BlockList, owner: string, block: number): Change => ({
  kind: "change",
  table,
  key: rootKey(list, owner, 0, block),
  set: pendingRollUp(block),
  when: [exists],
});

/** Takes the next block number of the deployment. A number that is not used is skipped for good. */
async function nextBlock(db: Database, list: BlockList): Promise<number> {
  const { blockSize, firstId = blockSize } = list;
  const { Attributes } = await db.client.send(
    new UpdateCommand({
      TableName: db.tableName(table),
      Key: { ...lastBlockKey(list) },
      UpdateExpression: "SET #blocks = if_not_exists(#blocks, :none) + :one",
      ExpressionAttributeNames: { "#blocks": "blocks" },
      ExpressionAttributeValues: { ":none": Math.floor(firstId / blockSize) - 1, ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  const blocks: unknown = Attributes?.["blocks"];
  if (typeof blocks !== "number") throw new Error(`the counter of ${list.name} blocks is no number`);
  return blocks;
}
