/**
 * Sharded counters for hot keys: items that so many transactions count in at once that they keep colliding,
 * such as the stock of a popular product.
 *
 * A count with a `shard` may go to a shard, an item beside the original that holds what is to be added to it.
 * An instance that meets a hot key marks the item as sharded and counts in a shard from then on, as do other
 * instances once they meet it. The mark is permanent: the value of the item is the sum over it and its
 * shards, so readers of a marked item also read its shards.
 */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { isStored } from "./change-one.ts";
import type { Database } from "./database.ts";
import { updateInput } from "./expressions.ts";
import { joined, type Key, keyIn } from "./keys.ts";
import { getItem, getItems, type Lookup, type RawItem } from "./reads.ts";
import { type Condition, exists, itemKeyOf, still, type Write } from "./writes.ts";

const shardCount = 8;

/** Consecutive collisions of one transaction with one item, after which the item is a hot key. */
export const hotKeyAfter = 4;

/** The attribute that marks an item as sharded. */
const shardsAttribute = "slots";

const shardKey = ({ pk, sk }: Key, shard: number): Key => ({
  pk,
  sk: joined(sk, "slot", shard % shardCount),
});

/** The end of a shard's sort key, after that of its item. No item's own key ends like this. */
const shardSuffix = /#slot#\d$/;

export const isShard = ({ sk }: RawItem): boolean => shardSuffix.test(String(sk));

/** The sort key of a shard's item. */
export const shardedKey = ({ sk }: RawItem): string => String(sk).replace(shardSuffix, "");

/** Redirects a count to a shard if its item is known to be a hot key. */
export const toShard = (db: Database, write: Write): Write =>
  write.kind === "count" && write.shard !== undefined && db.hotKeys.has(itemKeyOf(write))
    ? { ...write, key: shardKey(write.key, write.shard) }
    : write;

/** Marks an item that collided often, if it exists. Reads it first, since a write would collide as well. */
export async function markHotKey(db: Database, write: Write, attempt: number): Promise<void> {
  if (write.kind !== "count" || write.shard === undefined || attempt < hotKeyAfter) return;
  const item = await getItem(db, write);
  if (item === undefined) return;
  if (item[shardsAttribute] === shardCount || (await storeMark(db, write))) db.hotKeys.add(itemKeyOf(write));
}

function storeMark(db: Database, { table, key }: Lookup): Promise<boolean> {
  const set = { [shardsAttribute]: shardCount };
  const mark = updateInput(db, { kind: "change", table, key, set, when: [exists] });
  return isStored(db.client.send(new UpdateCommand(mark)));
}

/** One of the items that together hold a value: as it was read, or undefined if it is not stored yet. */
export interface ValuePart {
  readonly key: Key;
  readonly item: RawItem | undefined;
  /** The conditions under which no other item has joined since. */
  readonly when: readonly Condition[];
}

/** The keys of an item's shards; none if it is not sharded. */
const shardKeysOf = (item: RawItem): readonly Key[] =>
  Array.from({ length: Number(item[shardsAttribute] ?? 0) }, (_, shard) => shardKey(keyIn(item), shard));

/** Everything that holds a part of an item's value: first the item, then each of its shards. */
export function valuePartsOf(
  item: RawItem,
  shards: readonly RawItem[],
): readonly [ValuePart, ...ValuePart[]] {
  const { [shardsAttribute]: count } = item;
  const others = shardKeysOf(item).map(
    (key): ValuePart => ({ key, item: shards.find(({ sk }) => sk === key.sk), when: [] }),
  );
  return [{ key: keyIn(item), item, when: [still(shardsAttribute, count)] }, ...others];
}

/** Reads the shards of these items in one round trip, or none if no item has any, to find an item's. */
export async function readShards(
  db: Database,
  table: Lookup["table"],
  items: readonly RawItem[],
): Promise<(item: RawItem) => readonly RawItem[]> {
  const lookups = (item: RawItem) => shardKeysOf(item).map((key): Lookup => ({ table, key }));
  const find = await getItems(db, items.flatMap(lookups));
  return (item) =>
    lookups(item)
      .map(find)
      .filter((shard) => shard !== undefined);
}
