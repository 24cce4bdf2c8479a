import fc from "fast-check";
import { expect, test } from "vitest";
import { stockEntriesOf } from "../../../shared/stock/stock.ts";
import { reservingWrites } from "../../../shared/stock/supply.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { valuePartsOf } from "../../../shared/store/dynamodb/sharded-counter.ts";
import type { Condition } from "../../../shared/store/dynamodb/writes.ts";

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

function holds(condition: Condition, item: RawItem | undefined): boolean {
  const value = item?.[condition.attribute];
  if ("is" in condition) return (value === undefined) === (condition.is === "absent");
  if ("equals" in condition) return value === condition.equals;
  if ("equalsOrNew" in condition) return item === undefined || value === condition.equalsOrNew;
  if ("atLeast" in condition) return Number(value) >= condition.atLeast;
  if ("atMost" in condition) return Number(value) <= Number(condition.atMost);
  throw new Error("another condition");
}

/** Whether a transaction that was planned on one state of the stock would be stored in another. */
function isStored(read: Stock, found: Stock, reserved: number): boolean {
  const [record, ...shards] = read;
  if (record === undefined) throw new Error("no record");
  const counters = valuePartsOf(
    record,
    shards.filter((shard) => shard !== undefined),
  );
  const [entry] = stockEntriesOf([{ change: { ...change, reserved }, held: 0, cause }]);
  if (entry === undefined) throw new Error("no entry");
  const spare = { earlier: 0, spare: availableIn(read) - reserved };
  return reservingWrites(counters, entry, spare).every(
    (write) =>
      write.kind !== "change" ||
      write.when.every((condition) =>
        holds(
          condition,
          found.find((item) => item?.["sk"] === write.key.sk),
        ),
      ),
  );
}

test("what is reserved on some stock is stored while that is there, and never if too little is left", () => {
  let [stored, refused] = [0, 0];
  fc.assert(
    fc.property(
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
      (record, shards, reserved, moves) => {
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

        const isKept = isStored(read, found, reserved);

        expect(isStored(read, read, reserved)).toBe(true);
        if (isKept) expect(availableIn(found)).toBeGreaterThanOrEqual(reserved);
        if (isKept) stored += moves.length;
        else refused += 1;
      },
    ),
  );
  expect(Math.min(stored, refused)).toBeGreaterThan(0);
});

test("stock that became sharded since it was read is read again", () => {
  const read = itemsOf({ on_hand: 5, reserved: 0 }, []);
  const found = itemsOf({ on_hand: 5, reserved: 0 }, Array<undefined>(8).fill(undefined));

  expect(isStored(read, found, 1)).toBe(false);
});
