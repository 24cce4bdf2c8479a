/**
 * Items that so many count in at once that their transactions keep colliding, such as the stock of a product that
 * everybody orders. Counts of such an item are spread over slots: items beside it that hold what is to be added to it.
 *
 * A count says by `slot` that its item may be spread. Whoever meets the item crowded notes on the item that it has slots,
 * and counts in a slot from then on. So do other instances, each once it meets the item crowded. The note is never
 * taken back: an item's count is what it and its slots hold together. Whoever reads an item with the note reads the
 * slots, too.
 */
import { ConditionalCheckFailedException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./dynamodb/database.ts";
import { joined, type Key } from "./dynamodb/keys.ts";
import { getItem, getItems, type Lookup, type RawItem } from "./dynamodb/reads.ts";
import { type Count, placeOf, type Write } from "./dynamodb/writes.ts";

/** Slots of an item that is spread. */
const slots = 8;

/** Collisions in a row of one transaction with one item, after which the item is crowded. */
export const hotKeyAfter = 4;

/** The attribute by which an item says that it has slots. */
const note = "slots";

const shardKey = ({ pk, sk }: Key, slot: number): Key => ({ pk, sk: joined(sk, "slot", slot % slots) });

/** How the sort key of a slot ends, behind that of its item. */
const shardSuffix = /#slot#\d$/;

/** Whether an item is a slot of another one. */
export const isShard = ({ sk, cell }: RawItem): boolean =>
  cell === undefined && typeof sk === "string" && shardSuffix.test(sk);

/** The sort key of the item that a slot belongs to. */
export const shardedKey = ({ sk }: RawItem): string => String(sk).replace(shardSuffix, "");

/** Whether `slot` is a slot of `item`. */
export const isShardOf = (slot: RawItem, item: RawItem): boolean =>
  isShard(slot) && shardedKey(slot) === String(item["sk"]);

/** The same write, in a slot where its item is known to be crowded. */
export const spread = (db: Database, write: Write): Write =>
  write.kind === "count" && write.slot !== undefined && db.crowded.has(placeOf(write))
    ? { ...write, key: shardKey(write.key, write.slot) }
    : write;

/**
 * Notes that an item is crowded, where a transaction has collided with it so often. Nothing changes where the item is not
 * there, or where others keep even the note from being stored.
 */
export async function markHotKey(db: Database, write: Write, attempt: number): Promise<void> {
  if (write.kind !== "count" || write.slot === undefined || attempt < hotKeyAfter) return;
  if (!(await isNoted(db, write))) return;
  db.crowded.add(placeOf(write));
}

/** Reads first, because a write of the crowded item would collide like all the others. */
async function isNoted(db: Database, { table, key }: Count): Promise<boolean> {
  const item = await getItem(db, { table, key });
  return item?.[note] === slots || (item !== undefined && storeNote(db, { table, key }));
}

/** Whether the note could be stored. */
async function storeNote(db: Database, { table, key }: Lookup): Promise<boolean> {
  try {
    await db.client.send(
      new UpdateCommand({
        TableName: db.tableName(table),
        Key: { ...key },
        UpdateExpression: "SET #note = :slots",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#note": note },
        ExpressionAttributeValues: { ":slots": slots },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || error instanceof TransactionConflictException)
      return false;
    throw error;
  }
}

/**
 * The slots of those of these items that have some: one round trip, and none where no item has slots. Answers a function
 * that gives the slots of an item.
 */
export async function readShards(
  db: Database,
  table: Lookup["table"],
  items: readonly RawItem[],
): Promise<(item: RawItem) => readonly RawItem[]> {
  const lookups = (item: RawItem): readonly Lookup[] => {
    const { pk, sk, [note]: count } = item;
    if (typeof count !== "number" || typeof pk !== "string" || typeof sk !== "string") return [];
    return Array.from({ length: count }, (_, slot) => ({ table, key: shardKey({ pk, sk }, slot) }));
  };
  const find = await getItems(db, items.flatMap(lookups));
  return (item) =>
    lookups(item)
      .map(find)
      .filter((slot) => slot !== undefined);
}
