import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../database.ts";
import type { Named } from "./definitions.ts";
import { nodesBegin } from "./nodes.ts";
import type { Block } from "./rebuild-steps.ts";
import { ownerPartition, talliesTable } from "./tallies.ts";
import { blockTallies } from "./tally-tree.ts";

/** A block of a list, and when its first record can have been created. */
export interface DatedBlock extends Block {
  /** The day (UTC); below all days in a list that has the ids of another. */
  readonly firstDay: number;
}

/**
 * All blocks of the list that are anyone's, owner by owner: for operators' commands alone. Nothing else names all owners,
 * so their nodes are scanned.
 */
export async function* allBlocks(db: Database, list: Named): AsyncGenerator<DatedBlock, void> {
  const owners = ownerPartition(list, "");
  let last: unknown;
  let start: ScanCommandOutput["LastEvaluatedKey"];
  do {
    const { Items = [], LastEvaluatedKey } = await db.client.send(
      new ScanCommand({
        TableName: db.tableName(talliesTable),
        FilterExpression: "begins_with(pk, :owners) AND begins_with(sk, :nodes)",
        ExpressionAttributeValues: { ":owners": owners, ":nodes": nodesBegin },
        ProjectionExpression: "pk",
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    for (const { pk } of Items) {
      // A scan hands out the items of a partition one after another.
      if (pk === last) continue;
      last = pk;
      const owner = String(pk).slice(owners.length);
      for await (const { block, firstDay } of blockTallies(db, list, owner)) yield { owner, block, firstDay };
    }
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
