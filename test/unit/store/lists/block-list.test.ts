import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binContentList, productList, stockList } from "../../../../shared/catalog/products/product-lists.ts";
import { jobList } from "../../../../shared/jobs/job-repository.ts";
import { orderList } from "../../../../shared/orders/storage/order-repository.ts";
import { itemKeyOf, mergeWrites } from "../../../../shared/store/dynamodb/writes.ts";
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import { blockOf, followerBlocks, recordKey } from "../../../../shared/store/lists/block-list.ts";
import {
  countAttribute,
  counterShardKey,
  countInsert,
  countMove,
  countRemoval,
  shardsPerBlock,
} from "../../../../shared/store/lists/counters/counters.ts";
import { type Node, rootKey } from "../../../../shared/store/lists/counters/nodes.ts";
import { closedRoots } from "../../../../shared/store/lists/counters/roll-up-transactions.ts";

test("the blocks of a follower list's last lease, which may be read in part, are not closed", () => {
  const nodes = Array.from({ length: 15 }, (_, first): Node => {
    return {
      key: rootKey(binContentList, "100", 0, first),
      level: 0,
      first,
      counts: new Map(),
      isPending: false,
    };
  });

  const closed = closedRoots({ nodes, shards: [], current: undefined, progress: { count: 0, began: 0 } });

  const leased = followerBlocks(productList, 0).filter(({ list }) => list === binContentList);
  expect(closed.length).toBeGreaterThan(0);
  expect(nodes.length - closed.length).toBeGreaterThanOrEqual(leased.length);
});

const lists: readonly BlockList[] = [orderList, productList, stockList, jobList];

describe("a record's key", () => {
  test("has the block as its partition and the id as its sort key", () => {
    expect(recordKey(orderList, 1001)).toEqual({ pk: "order#2", sk: "000000001001" });
  });

  test("differs by suffix between several records of an id", () => {
    expect(recordKey(stockList, 2001, "000000000001")).toEqual({
      pk: "stock#5",
      sk: "000000002001#000000000001",
    });
  });

  test("differs from the keys of other records and of counters in all lists", () => {
    const id = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 5 }), (ids) => {
        const keys = lists.flatMap((list) => [
          ...ids.map((each) => ({ table: list.table, ...recordKey(list, each) })),
          ...[...new Set(ids.map((each) => blockOf(list, each)))].map((block) => ({
            table: "tallies",
            ...counterShardKey(list, "100", block, 0),
          })),
        ]);

        expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
      }),
    );
  });
});

describe("a count", () => {
  const key = counterShardKey(orderList, "100", 2, 1001 % 17);
  const group = "orders-of#100#slot#2";

  test("is not written if the facet key stays the same", () => {
    expect(countMove(orderList, "100", 1001, "1|0", "1|0")).toEqual([]);
  });

  test("of a removed record is subtracted in the shard that counted it", () => {
    expect(countRemoval(orderList, "100", 1001, "1|0")).toEqual({
      ...countInsert(orderList, "100", 1001, "1|0"),
      add: { [countAttribute("1|0")]: -1, revision: 1 },
    });
    expect(
      mergeWrites([countInsert(orderList, "100", 1001, "1|0"), countRemoval(orderList, "100", 1001, "1|0")]),
    ).toEqual([
      { kind: "count", table: "tallies", key, group, add: { [countAttribute("1|0")]: 0, revision: 2 } },
    ]);
  });

  test("is written once for all records of a transaction, to the shard of the first", () => {
    const counts = [1001, 1002, 1007].map((id) => countInsert(orderList, "100", id, "1|0"));

    expect(mergeWrites(counts)).toEqual([
      { kind: "count", table: "tallies", key, group, add: { [countAttribute("1|0")]: 3, revision: 3 } },
    ]);
  });

  test("of neighboring records goes to different shards", () => {
    const ids = Array.from({ length: shardsPerBlock }, (_, position) => 1001 + position);

    const places = ids.map((id) => itemKeyOf(countInsert(orderList, "100", id, "1|0")));

    expect(new Set(places).size).toBe(shardsPerBlock);
  });

  test("marks its shard for roll-up at one of 32 ids", () => {
    const moves = Array.from({ length: 320 }, (_, id) =>
      countMove(orderList, "100", id, "1|0", "4|0"),
    ).flat();

    expect(moves.filter(({ set }) => set !== undefined)).toHaveLength(10);
  });

  test("of a record that is inserted and moved in one transaction equals an insert with the last facet key", () => {
    const facetKeys = fc.array(fc.constantFrom("1|0", "4|0", "9|0"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(facetKeys, ([first = "1|0", ...rest]) => {
        const path = [first, ...rest];
        const moves = path
          .slice(1)
          .flatMap((to, step) => countMove(orderList, "100", 1, path[step] ?? to, to));

        const result = mergeWrites([countInsert(orderList, "100", 1, first), ...moves]) ?? [];

        const totals = result.flatMap((write) => (write.kind === "count" ? Object.entries(write.add) : []));
        const left = totals.filter(([name, total]) => name !== "revision" && total !== 0);
        expect(left).toEqual([[countAttribute(path.at(-1) ?? first), 1]]);
      }),
    );
  });
});
