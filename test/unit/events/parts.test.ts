import { describe, expect, test } from "vitest";
import type { Told } from "../../../shared/events/kind.ts";
import { sequenced } from "../../../shared/publishing/numbered.ts";
import { batchesOf } from "../../../shared/publishing/parts.ts";
import { feedWrites } from "../../../shared/publishing/publication.ts";
import { fitsTransaction, transactionLimit } from "../../../shared/store/dynamodb/transact.ts";

const at = "2026-11-22T10:00:00.000Z";
const units = { on_hand: 1, reserved: 0, incoming: 0 };

/** A movement of a product in a distribution center. `text` is all that is long about it. */
const movement = (product_id: number, number: number, distribution_center_id = 1, text = ""): Told => ({
  changed_at: at,
  changeEvents: {
    source: `movement#${product_id}#${number}`,
    version: "2026-11-22",
    account_id: 100,
    occurred_at: at,
    by: null,
    subject: { kind: "product", id: String(product_id) },
    happened: [
      {
        type: "stock.changed",
        place: { product_id, distribution_center_id, sku: "TEE", distribution_center: "MAIN" },
        units,
        why: { text },
      },
    ],
  },
});

const many = (count: number, toldOf: (number: number) => Told) =>
  Array.from({ length: count }, (_, position) => toldOf(position));

/** The writes that publish a part. */
function writesOf(part: readonly Told[]) {
  const changeEvents = part.map((one) => one.changeEvents);
  const levelAt = () => ({ on_hand: 0, reserved: 0, incoming: 0 });
  const told = sequenced(changeEvents, { levelAt }, 0);
  return feedWrites(100, { head: undefined, read_at: at }, { ...told, changes: changeEvents });
}

const sizesOf = (told: readonly Told[]) => batchesOf(told).map(({ length }) => length);

describe("the parts of an account's events", () => {
  test("keep their order, and are filled up to the items that a transaction holds", () => {
    const told = many(120, (number) => movement(number, number));

    const parts = batchesOf(told);

    expect(parts.flat()).toEqual(told);
    expect(parts.map((part) => writesOf(part).length)).toEqual([transactionLimit, transactionLimit, 46]);
    expect(parts.every((part) => fitsTransaction(writesOf(part)))).toBe(true);
  });

  test("count what shares an item once", () => {
    const inTwoCenters = many(100, (number) => movement(7, number, number % 2));

    expect(sizesOf(inTwoCenters)).toEqual([100]);
    expect(batchesOf(inTwoCenters).map((part) => writesOf(part).length)).toEqual([5]);
  });

  test("hold a batch of a stream at most, so that an entry stays small", () => {
    expect(sizesOf(many(101, (number) => movement(7, number)))).toEqual([100, 1]);
  });

  test("end where their bytes are enough; what is larger is a part alone", () => {
    const told = many(5, (number) => movement(7, number, 1, "x".repeat(number === 4 ? 300_000 : 60_000)));

    expect(sizesOf(told)).toEqual([3, 1, 1]);
  });
});

test("the changes of a record share an entry, which names each and says when the feed's head had been read", () => {
  const [part = []] = batchesOf(many(3, (number) => movement(7, number)));

  const entries = writesOf(part).filter((write) => write.kind === "insert" && "changes" in write.item);

  expect(entries).toMatchObject([{ item: { pk: "feed-subject#100#product#7", published_at: at } }]);
  expect(new Set(Object(entries[0]).item.changes).size).toBe(3);
});
