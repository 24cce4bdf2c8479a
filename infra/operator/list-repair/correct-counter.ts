import { setTimeout as sleep } from "node:timers/promises";
import { inBatches } from "../../../shared/common/concurrency.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { isCommitted } from "../../../shared/store/dynamodb/transact.ts";
import { type Change, still } from "../../../shared/store/dynamodb/writes.ts";
import { indexEntriesOf, type OwnedList } from "../../../shared/store/lists/block-list.ts";
import {
  counterShardKey,
  pendingRollUp,
  revision,
  shardChange,
  countersTable as table,
} from "../../../shared/store/lists/counters/counters.ts";
import { addCounts, type Counts, negateCounts } from "../../../shared/store/lists/counters/counts.ts";
import { pathsBelow, readRestingRoots } from "../../../shared/store/lists/counters/read-nodes.ts";
import { nodeWrites } from "../../../shared/store/lists/counters/roll-up-progress.ts";
import type { CounterShard } from "../../../shared/store/lists/counters/shards.ts";
import { type FacetKey, facetKeyAttribute } from "../../../shared/store/lists/facets.ts";

/** What was found of a block. Its counts are correct by now, unless the caller only inspects them. */
export interface FoundCounts {
  readonly counted: Counts;
  readonly stored: Counts;
}

/**
 * Corrects a block's counts if they differ from its records. Returns what was found, or undefined if writers
 * or roll-ups changed the counts meanwhile.
 *
 * Each count changes the revision of a shard, and each roll-up the progress of its owner. The counts are
 * compared with the records only if neither changed from before the records were read until after. A query
 * may see a record sooner or later than its count, so there is a pause of `settleMs` before and after. The
 * difference is added to shards, so it stays right even if more is counted meanwhile. That transaction
 * requires the shards and the progress to be unchanged, so two concurrent rebuilds do not both add it.
 */
export async function correctCounter(
  owned: OwnedList,
  block: number,
  { settleMs, looksOnly }: { readonly settleMs: number; readonly looksOnly: boolean },
): Promise<FoundCounts | undefined> {
  const before = await readCounter(owned, block);
  if (before === undefined) return undefined;
  await sleep(settleMs);
  const stored = await countRecords(owned, block);
  await sleep(settleMs);
  const after = await readCounter(owned, block);
  if (after === undefined || before.fingerprint !== after.fingerprint) return undefined;
  const found = { counted: after.counts, stored };
  const missing = addCounts(stored, negateCounts(after.counts));
  if (missing.size === 0 || looksOnly) return found;
  const corrections = correctionsOf(owned, block, after.shards, missing);
  const isCorrected = await isCommitted(owned.db, nodeWrites(owned, after.progress, corrections));
  return isCorrected ? found : undefined;
}

/** The counts of a block, with a `fingerprint` of all writes to them. Undefined during a roll-up. */
async function readCounter(owned: OwnedList, block: number) {
  const roots = await readRestingRoots(owned);
  if (roots === undefined) return undefined;
  const path = await pathsBelow(owned, roots.nodes)(block);
  const shards = roots.shards.filter((shard) => shard.block === block);
  const counts = addCounts(path.at(-1)?.counts ?? new Map(), ...shards.map((shard) => shard.counts));
  return {
    counts,
    shards,
    fingerprint: JSON.stringify([roots.progress, shards.map((shard) => [shard.key.sk, shard.revision])]),
    progress: roots.progress,
  };
}

async function countRecords({ db, list }: OwnedList, block: number): Promise<Counts> {
  const entries = await queryRange(db, indexEntriesOf(list, block));
  const counts = new Map<FacetKey, number>();
  for (const { [facetKeyAttribute]: value } of entries) {
    const facetKey = String(value);
    counts.set(facetKey, (counts.get(facetKey) ?? 0) + 1);
  }
  return counts;
}

/** An expression has at most 4 KB; the change of a count takes about 13 bytes of it. */
const maxCountsPerShard = 200;

/** Adds the missing counts to the first shards of the block. */
const correctionsOf = (
  { list, owner }: OwnedList,
  block: number,
  shards: readonly CounterShard[],
  missing: Counts,
): readonly Change[] =>
  inBatches([...missing], maxCountsPerShard).map((counts, shard) => {
    const key = counterShardKey(list, owner, block, shard);
    const last = shards.find(({ key: { sk } }) => sk === key.sk)?.revision;
    return {
      kind: "change",
      table,
      key,
      set: pendingRollUp(block),
      add: shardChange(counts),
      when: [still(revision, last)],
    };
  });
