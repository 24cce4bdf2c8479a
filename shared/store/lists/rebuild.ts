/**
 * Recomputes the cells and tallies of a list while it is in use.
 *
 * A list needs this once its facets have changed: its records lie in the cells that they were stored in, and filters by
 * a new facet do not find them. Totals are right before that, for every write takes a record out of its stored cell.
 *
 * Each block takes two steps. First each record that is in a wrong cell is moved, its count in the same transaction.
 * Then the tally is held against the block's records, and replaced where it differs. Each transaction leaves the list
 * consistent, and what is right is left alone. So a rebuild that was stopped is run again from the start.
 *
 * Writers may go on. It is assumed that all of them run code with the facets of this rebuild: a list is rebuilt after a
 * deployment is complete. A block that is leased meanwhile is right from the start.
 */
import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../database.ts";
import { type Block, correctTally } from "./correct-tally.ts";
import { moveRecords } from "./move-records.ts";
import type { Listed } from "./records.ts";
import { ownerPartition } from "./tallies.ts";

/** Told of each block that is done. */
export type Report = (line: string) => void;

/** What a rebuild came to. */
export interface Rebuilt {
  readonly blocks: number;
  /** Records that were in a wrong cell. */
  readonly moved: number;
  /** Tallies that differed from the records. */
  readonly corrected: number;
}

/** Blocks that are rebuilt at a time. */
const sideBySide = 8;

/** Milliseconds within which all of a transaction is visible to queries: DynamoDB takes a few, and states no limit. */
const visible = 100;

/**
 * Rebuilds a list, of all owners. It reads the list's table once to find the blocks, and each record of the list.
 * `settle` is how long a tally must stay unchanged before and after its block is read, in milliseconds.
 * @throws where an item of the list is no record, or a block is written to without a pause
 */
export async function rebuildList(
  db: Database,
  listed: Listed,
  report: Report,
  settle: number = visible,
): Promise<Rebuilt> {
  const result = { blocks: 0, moved: 0, corrected: 0 };
  const places = blocksOf(db, listed);
  const rebuildNext = async () => {
    for await (const place of places) {
      const moved = await moveRecords(db, listed, place);
      const corrected = await correctTally(db, listed.list, place, settle);
      const tally = corrected ? "corrected" : "right";
      report(`block ${place.block} of ${place.owner}: ${moved} records moved, tally ${tally}`);
      result.blocks += 1;
      result.moved += moved;
      result.corrected += corrected ? 1 : 0;
    }
  };
  // None of them is still at work when the first failure is thrown.
  const ended = await Promise.allSettled(Array.from({ length: sideBySide }, rebuildNext));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return result;
}

/** All blocks of the list that are anyone's: those with a tally. Nothing else names all owners, so this is a scan. */
async function* blocksOf(db: Database, { list }: Listed): AsyncGenerator<Block, void> {
  const [owners, tallies] = [ownerPartition(list, ""), "tally#"];
  let start: ScanCommandOutput["LastEvaluatedKey"];
  do {
    const { Items = [], LastEvaluatedKey } = await db.client.send(
      new ScanCommand({
        TableName: db.tableName(list.table),
        FilterExpression: "begins_with(pk, :owners) AND begins_with(sk, :tallies)",
        ExpressionAttributeValues: { ":owners": owners, ":tallies": tallies },
        ProjectionExpression: "pk, sk",
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    for (const { pk, sk } of Items) {
      const block = Number.parseInt(String(sk).slice(tallies.length), 10);
      yield { owner: String(pk).slice(owners.length), block };
    }
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
