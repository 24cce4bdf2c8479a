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
export const crowdedAfter = 4;

/** The attribute by which an item says that it has slots. */
const note = "slots";

const slotKey = ({ pk, sk }: Key, slot: number): Key => ({ pk, sk: joined(sk, "slot", slot % slots) });

/** How the sort key of a slot ends, behind that of its item. */
const slotEnding = /#slot#\d$/;

/** Whether an item is a slot of another one. */
export const isSlot = ({ sk, cell }: RawItem): boolean =>
  cell === undefined && typeof sk === "string" && slotEnding.test(sk);

/** The sort key of the item that a slot belongs to. */
export const slottedKey = ({ sk }: RawItem): string => String(sk).replace(slotEnding, "");

/** Whether `slot` is a slot of `item`. */
export const isSlotOf = (slot: RawItem, item: RawItem): boolean =>
  isSlot(slot) && slottedKey(slot) === String(item["sk"]);

/** The same write, in a slot where its item is known to be crowded. */
export const spread = (db: Database, write: Write): Write =>
  write.kind === "count" && write.slot !== undefined && db.crowded.has(placeOf(write))
    ? { ...write, key: slotKey(write.key, write.slot) }
    : write;

/**
 * Notes that an item is crowded, where a transaction has collided with it so often. Nothing changes where the item is not
 * there, or where others keep even the note from being stored.
 */
export async function noteCrowded(db: Database, write: Write, attempt: number): Promise<void> {
  if (write.kind !== "count" || write.slot === undefined || attempt < crowdedAfter) return;
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
export async function readSlots(
  db: Database,
  table: Lookup["table"],
  items: readonly RawItem[],
): Promise<(item: RawItem) => readonly RawItem[]> {
  const lookups = (item: RawItem): readonly Lookup[] => {
    const { pk, sk, [note]: count } = item;
    if (typeof count !== "number" || typeof pk !== "string" || typeof sk !== "string") return [];
    return Array.from({ length: count }, (_, slot) => ({ table, key: slotKey({ pk, sk }, slot) }));
  };
  const find = await getItems(db, items.flatMap(lookups));
  return (item) =>
    lookups(item)
      .map(find)
      .filter((slot) => slot !== undefined);
}
