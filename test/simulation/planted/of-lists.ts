/** Faults in lists: their pages, counters and ids. */
import type { Faults } from "./index.ts";

const locate = "shared/store/lists/locate.ts";
const pages = "shared/store/lists/pages.ts";
const rollUp = "shared/store/lists/counters/roll-up.ts";
const transactions = "shared/store/lists/counters/roll-up-transactions.ts";

const missing = "if (records !== undefined && (!located.hasMissing || missing === maxMissing))";
const removal = "removalOf({ table, key }, { attribute: revision, equals })";
const resting = "await readRestingRoots(owned)";
const atOnce = (nodes: string) => `await (await import("${nodes}")).readRoots(owned)`;
const moves = "movesIn(shards, blocks) === movesIn(roots.shards, blocks) &&";

export const ofLists: Faults = {
  "a page that claims a record more than it has": [
    {
      file: locate,
      find: "return [{ range, min: found.keys.length, max: found.keys.length, found }];",
      replace:
        "return [isExact(part) ? { ...part, found } : { range, min: found.keys.length, max: found.keys.length, found }];",
    },
    { file: pages, find: missing, replace: "if (records !== undefined)" },
    { file: pages, find: moves, replace: "" },
    {
      file: pages,
      find: "records.length === slices.reduce((sum, { keys }) => sum + keys.length, 0);",
      replace: "true;",
    },
  ],
  "a page that is not read again when records move": [
    { file: pages, find: moves, replace: "" },
    { file: pages, find: missing, replace: "if (records !== undefined)" },
  ],
  "a page that is not read again when counts are rolled up": [
    { file: pages, find: "isResting &&", replace: "" },
    { file: pages, find: resting, replace: atOnce("./counters/read-nodes.ts") },
    { file: pages, find: missing, replace: "if (records !== undefined)" },
    { file: pages, find: moves, replace: "" },
  ],
  "a shard of a counter that is rolled up without its revision": {
    file: transactions,
    find: removal,
    replace: "({ kind: 'removal', table, key, when: [] })",
  },
  "a roll-up that does not hold its progress": [
    {
      file: rollUp,
      find: "nodeWrites(owned, begun, writes)",
      replace: "[{ ...advanceProgress(owned, begun, movedProgress(begun)), when: [] }, ...writes]",
    },
    { file: rollUp, find: resting, replace: atOnce("./read-nodes.ts") },
    { file: transactions, find: removal, replace: "({ kind: 'removal', table, key, when: [] })" },
  ],
  "a roll-up that removes a shard and does not count it": {
    file: transactions,
    find: "setNodeCounts(node, addCounts(node.counts, ...counts))",
    replace: "setNodeCounts(node, node.counts)",
  },
  "a change of facet key that is not counted": {
    file: "shared/store/lists/repository.ts",
    find: "...countMove(list, ownerOf(record), traits.idOf(record), facetKey, newFacetKey),",
    replace: "",
  },
  "ids beyond the end of a block": {
    file: "shared/store/lists/allocate.ts",
    find: '{ attribute: "next", atMost: list.blockSize - count },',
    replace: "",
  },
  "a block that is leased without its node": {
    file: "shared/store/lists/allocate.ts",
    find: "    newNode(list, owner, block, at),\n",
    replace: "    ...(previous === undefined ? [newNode(list, owner, block, at)] : []),\n",
  },
  "an index that counts as complete before its records are in it": {
    file: "infra/operator/migrate.ts",
    find: "added += await addMissing(migration, index);",
    replace: "added += 0;",
  },
};
