/**
 * Stores the counters of an account as roll-ups would leave them: a tree of nodes, its head, and pending
 * shards.
 */
import { batchesOf } from "../../../../infra/operator/batches.ts";
import { orderList } from "../../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { mergeWrites, type Write } from "../../../../shared/store/dynamodb/writes.ts";
import { countersTable, countInsert, countMove } from "../../../../shared/store/lists/counters/counters.ts";
import { addCounts, type Counts } from "../../../../shared/store/lists/counters/counts.ts";
import {
  childKey,
  headKey,
  nodeItem,
  packCounts,
  rootKey,
} from "../../../../shared/store/lists/counters/nodes.ts";
import { defaultSettings } from "../../../../shared/store/lists/counters/roll-up.ts";
import { rollUpProgressKey } from "../../../../shared/store/lists/counters/roll-up-progress.ts";
import { alone } from "../../../support/store/shards.ts";
import { putAll } from "../../../support/tables/put-all.ts";
import { type Account, blockSize, facetKeyOf, foldedShape, orderIdOf, shapeOf, timeOf } from "./account.ts";

/** Nodes that one node counts, and nodes that are moved below it at once; see `roll-up-transactions.ts`. */
const { branches } = defaultSettings;
const together = branches / 2;

type Item = Key & Readonly<Record<string, unknown>>;

/** Stores the counters of an account. All blocks but the last are rolled up. */
export async function storeCounters(db: Database, account: Account): Promise<void> {
  const { accountId, blocks, firstBlock } = account;
  const owner = String(accountId);
  const current = firstBlock + blocks - 1;
  const latest = timeOf(account, blocks - 1, blockSize - 1);
  await putAll(db, countersTable, [
    { ...headKey(orderList, owner), block: current, next: blockSize, latest },
    { ...rollUpProgressKey(orderList, owner), count: 2 * blocks, began: 0 },
    nodeItem({
      key: rootKey(orderList, owner, 0, current),
      leased_at: timeOf(account, blocks - 1, 0),
      counts: new Map(),
    }),
    ...nodesOf(account),
  ]);
  await storeShards(db, account);
}

/**
 * The nodes of all rolled-up blocks, level by level. The last node of a level is a root, and may count half
 * as many as the others.
 */
function nodesOf(account: Account): readonly Item[] {
  const owner = String(account.accountId);
  const nodes: Item[] = [];
  const countsOf = countsIn(account);
  let [width, lastWidth] = [1, 1];
  for (let [level, count] = [0, account.blocks - 1]; count > 0; level += 1) {
    const moved = together * Math.floor((count - 1) / together);
    for (let number = 0; number < count; number += 1) {
      const block = number * width;
      const first = account.firstBlock + block;
      const parentFirst = account.firstBlock + Math.floor(number / branches) * branches * width;
      const key =
        number < moved
          ? childKey(orderList, { level: level + 1, first: parentFirst }, first)
          : rootKey(orderList, owner, level, first);
      const item = nodeItem({ key, leased_at: timeOf(account, block, 0), counts: new Map() });
      nodes.push({ ...item, ...countsOf(block, number === count - 1 ? lastWidth : width) });
    }
    count = Math.ceil(moved / branches);
    lastWidth = (moved - (count - 1) * branches) * width;
    width *= branches;
  }
  return nodes;
}

/** Returns the packed counts of so many blocks. Those that begin with the same shape are packed once. */
function countsIn({ shapes }: Account): (block: number, width: number) => ReturnType<typeof packCounts> {
  const leaves = shapes.map(
    (shape): Counts => addCounts(...shape.map((facets) => new Map([[facetKeyOf(facets), 1]]))),
  );
  const whole = addCounts(...leaves);
  const known = new Map<string, ReturnType<typeof packCounts>>();
  return (block, width) => {
    const start = block % leaves.length;
    const place = `${width}/${start}`;
    const rounds = Math.floor(width / leaves.length);
    const rest = Array.from({ length: width % leaves.length }, (_, next) => (start + next) % leaves.length);
    const counts =
      known.get(place) ??
      packCounts(
        addCounts(
          new Map([...whole].map(([facetKey, count]) => [facetKey, count * rounds])),
          ...rest.map((shape) => leaves[shape] ?? new Map()),
        ),
      );
    known.set(place, counts);
    return counts;
  };
}

/** The shards of the current block, which is not rolled up, and of old blocks in which an order moved. */
async function storeShards(db: Database, account: Account): Promise<void> {
  const owner = String(account.accountId);
  const current = account.blocks - 1;
  const inserts = shapeOf(account, current).map((facets, position) =>
    countInsert(orderList, owner, orderIdOf(account, current, position), facetKeyOf(facets)),
  );
  const moves = [...account.moved].flatMap(([block, { position, to }]): readonly Write[] => {
    const from = foldedShape(account, block)[position];
    if (from === undefined) throw new Error(`no order of block ${block} moved`);
    const id = orderIdOf(account, block, position);
    return countMove(orderList, owner, id, facetKeyOf(from), facetKeyOf(to));
  });
  for await (const writes of batchesOf(mergeWrites([...inserts, ...moves].map(alone)) ?? [], 50))
    await transact(db, writes);
}
