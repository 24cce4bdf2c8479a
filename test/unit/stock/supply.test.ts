import fc from "fast-check";
import { expect, test } from "vitest";
import { stockEntriesOf } from "../../../shared/stock/stock.ts";
import { reservingWrites } from "../../../shared/stock/supply.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { valuePartsOf } from "../../../shared/store/dynamodb/sharded-counter.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { Stale } from "../../../shared/store/dynamodb/writes.ts";
import { attributesOf } from "../../simulation/store/client.ts";
import { keyOf } from "../../simulation/store/table.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

const change = { product_id: 1, distribution_center_id: 1, on_hand: 0 };
const cause = {
  reason: "order_created",
  reference: { order_id: 1 },
  by: "test",
  at: "2026-01-31T09:30:00.000Z",
} as const;

const units = fc.integer({ min: -20, max: 40 });
const counts = fc.record({ on_hand: units, reserved: units });
/** Stock in a record and eight shards, of which some are not stored. */
const sharded = fc.array(fc.option(counts, { nil: undefined }), { minLength: 8, maxLength: 8 });

type Stock = readonly (RawItem | undefined)[];

const key = (position: number) => ({
  pk: "stock#1",
  sk: position === 0 ? "1#1" : `1#1#slot#${position - 1}`,
});

const itemsOf = (record: RawItem, shards: Stock): Stock => [
  { ...record, ...key(0), ...(shards.length > 0 && { slots: shards.length }) },
  ...shards.map((shard, position) => shard && { ...shard, ...key(position + 1) }),
];

const sum = (stock: Stock, name: string) =>
  stock.reduce((total, item) => total + Number(item?.[name] ?? 0), 0);

const availableIn = (stock: Stock) => sum(stock, "on_hand") - sum(stock, "reserved");

/** Whether a transaction that was planned on one state of the stock is stored in another. */
async function isStored(read: Stock, found: Stock, reserved: number): Promise<boolean> {
  const [record, ...shards] = read;
  if (record === undefined) throw new Error("no record");
  const counters = valuePartsOf(
    record,
    shards.filter((shard) => shard !== undefined),
  );
  const [entry] = stockEntriesOf([{ change: { ...change, reserved }, held: 0, cause }]);
  if (entry === undefined) throw new Error("no entry");
  const { store, db } = faultyStore();
  for (const item of found.filter((one) => one !== undefined).map(attributesOf))
    store.table("inventory").set(keyOf(item), item);
  const spare = { earlier: 0, spare: availableIn(read) - reserved };
  try {
    await transact(db, reservingWrites(counters, entry, spare));
    return true;
  } catch (error) {
    if (error instanceof Stale) return false;
    throw error;
  }
}

test("what is reserved on some stock is stored while that is there, and never if too little is left", async () => {
  let [stored, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      counts,
      fc.oneof(fc.constant([]), sharded),
      fc.nat({ max: 20 }),
      fc.array(
        fc.record({
          at: fc.nat(),
          on_hand: fc.integer({ min: -9, max: 9 }),
          reserved: fc.integer({ min: -9, max: 9 }),
        }),
        { maxLength: 4 },
      ),
      async (record, shards, reserved, moves) => {
        const read = itemsOf(record, shards);
        fc.pre(availableIn(read) >= reserved);
        const found = moves.reduce<Stock>((stock, { at, ...move }) => {
          const position = at % stock.length;
          const before = stock[position];
          const after = {
            ...(before ?? key(position)),
            on_hand: Number(before?.["on_hand"] ?? 0) + move.on_hand,
            reserved: Number(before?.["reserved"] ?? 0) + move.reserved,
          };
          return stock.with(position, after);
        }, read);

        const isKept = await isStored(read, found, reserved);

        expect(await isStored(read, read, reserved)).toBe(true);
        if (isKept) expect(availableIn(found)).toBeGreaterThanOrEqual(reserved);
        if (isKept) stored += moves.length;
        else refused += 1;
      },
    ),
  );
  expect(Math.min(stored, refused)).toBeGreaterThan(0);
});

test("stock that became sharded since it was read is read again", async () => {
  const read = itemsOf({ on_hand: 5, reserved: 0 }, []);
  const found = itemsOf({ on_hand: 5, reserved: 0 }, Array<undefined>(8).fill(undefined));

  expect(await isStored(read, found, 1)).toBe(false);
});
