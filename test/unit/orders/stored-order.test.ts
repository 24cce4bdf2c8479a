import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Order } from "../../../shared/orders/order.ts";
import { type HistoryEntry, historyOf } from "../../../shared/orders/order-history.ts";
import { setSubStatus } from "../../../shared/orders/order-transitions.ts";
import { storedHistory } from "../../../shared/orders/storage/order-history-repository.ts";
import { insertOrder, orders, type StoredOrder } from "../../../shared/orders/storage/order-repository.ts";
import { saveOrder } from "../../../shared/orders/storage/save-order.ts";
import { compressOrder, orderAsStored } from "../../../shared/orders/storage/stored-order.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { randomFrom, whole } from "../../support/http/random.ts";
import { afterOf, itemOf, later, pickOf, sampleOrder } from "../samples.ts";

const random = randomFrom(1);

/** Text that can't be compressed to less than three quarters. */
const noise = (length: number): string =>
  Buffer.from(Array.from({ length }, () => whole(random, 0, 255)))
    .toString("base64url")
    .slice(0, length);

const annotated = (before: Order, length: number): Order =>
  afterOf(setSubStatus(before, noise(length), later));

/** An order as it is read right after it was created. */
const asInserted = (order: Order): StoredOrder => ({ ...orders.written(order), recent: [] });

/** What the writes of an order put into its item. */
function attributesIn([write]: readonly Write[]): Readonly<Record<string, unknown>> {
  if (write?.kind === "insert") return write.item;
  if (write?.kind === "change") return write.set ?? {};
  throw new Error("no order was written");
}

const contentIn = (writes: readonly Write[]): Uint8Array => {
  const { content } = attributesIn(writes);
  if (!(content instanceof Uint8Array)) throw new Error("an order was stored without content");
  return content;
};

/** The changes that the writes store beside the order. */
const besideIn = (writes: readonly Write[]): readonly HistoryEntry[] =>
  writes.flatMap((write) =>
    write.kind === "insert" && write.item.pk.startsWith("history#")
      ? z.parse(storedHistory, write.item).entries
      : [],
  );

describe("an order's item", () => {
  const full = sampleOrder({
    items: [itemOf()],
    picks: [pickOf()],
    weight: 0.000000001,
    sub_status: "größer €",
  });

  test("is read as the order that was stored", () => {
    const read = z.parse(orderAsStored, attributesIn(insertOrder(full, "data.0")));

    expect(read).toEqual({ record: full, recent: [] });
  });

  test("names only its owner and what conditions and indexes need beside the compressed fields", () => {
    const names = Object.keys(attributesIn(insertOrder(full, "data.0")));

    expect(names.toSorted()).toEqual(
      ["account_id", "cell", "content", "day", "pk", "sk", "version", "work", "work_at"].toSorted(),
    );
  });

  test("of three lines, picked and with its history, fits one write unit", () => {
    const numbers = [1, 2, 3];
    const items = numbers.map((id) => itemOf({ product_id: id, sku: noise(8), ordered_as: noise(8) }));
    const picks = numbers.map((id) => pickOf({ product_id: id, sku: noise(8), by: "ann" }));
    const before = sampleOrder({ items });
    const after = { ...before, picks, version: 8 };

    const { writes } = saveOrder(asInserted(before), after, "user:ann");

    expect(contentIn(writes).length).toBeLessThan(1024 - 201);
    expect(besideIn(writes)).toEqual([]);
  });
});

describe("the changes of an order", () => {
  test.each([10, 60])("are stored once each, in their order, with texts of %i characters", (length) => {
    let stored = asInserted(sampleOrder());
    const [beside, made]: [HistoryEntry[], HistoryEntry[]] = [[], []];

    for (let change = 0; change < 60; change += 1) {
      const after = annotated(stored.record, length);
      made.push(historyOf(stored.record, after, "user:ann"));
      const replaced = saveOrder(stored, after, "user:ann");
      beside.push(...besideIn(replaced.writes));
      const { recent } = z.parse(orderAsStored, attributesIn(replaced.writes));
      expect([...beside, ...recent]).toEqual(made);
      stored = replaced.stored;
    }

    expect(beside.length).toBeGreaterThan(0);
    expect(stored.recent.length + beside.length).toBe(60);
  });

  test("are stored beside it, compressed, if they are large", () => {
    const items = Array.from({ length: 500 }, (_, id) => itemOf({ product_id: id, sku: "long".repeat(20) }));
    let stored = asInserted(sampleOrder({ items }));
    const sizes: number[] = [];
    for (let change = 0; change < 5; change += 1) {
      const after = {
        ...stored.record,
        items: items.map((item) => ({ ...item, quantity: change + 2 })),
        version: change + 2,
      };
      const replaced = saveOrder(stored, after, "user:ann");
      const [, ...beside] = replaced.writes.filter(({ kind }) => kind !== "count");
      sizes.push(...beside.map((write) => JSON.stringify(write).length));
      stored = replaced.stored;
    }

    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
  });

  test("are stored with it only if they cost no additional write unit", () => {
    const units = ({ length }: Uint8Array): number => Math.ceil((201 + length) / 1024);
    const outcomes = Array.from({ length: 120 }, (_, step) => {
      const before = sampleOrder({ order_reference: noise(20 * step) });
      const after = annotated(before, 64);
      const alone = compressOrder(after, []).packed.content;
      const { packed, leaving } = compressOrder(after, [historyOf(before, after, "user:ann")]);
      expect(units(packed.content)).toBeLessThanOrEqual(units(alone));
      return leaving.length;
    });

    expect(new Set(outcomes)).toEqual(new Set([0, 1]));
  });
});
