import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { covers } from "../../../shared/serials/serial-range.ts";
import {
  insertSerials,
  newBatchLookup,
  pickableSerials,
  type SerialsDraft,
  serialLookup,
} from "../../../shared/serials/serial-repository.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { tableSchemas } from "../../../shared/store/tables.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, later } from "../samples.ts";

const utf8 = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

const text = fc
  .array(fc.constantFrom("A", "B", "#", "1", "~", "\uff21", "\u{1f600}"), { minLength: 1, maxLength: 4 })
  .map((characters) => characters.join(""));

const sortKeyOf = (serial: string): string => serialLookup(2001, serial).key.sk;

const batch = { product_id: 2001, serial_start: "A", serial_end: "A", attributes: [], created_at: createdAt };

test("serials and their batches lie where DynamoDB splits what a product has too much of", () => {
  const tables = [serialLookup(2001, "A"), newBatchLookup(batch, 0)].map(({ table }) => tableSchemas[table]);

  const scopes = tables.flatMap(({ indexes }) => Object.values(indexes).map(({ scope }) => scope));
  expect(scopes).not.toContain("local");
});

describe("a serial's place", () => {
  test("is another for each serial of a product, and for each product", () => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 2 }), (serials) => {
        const keys = serials.flatMap((serial) => [2001, 2002].map((id) => serialLookup(id, serial).key));

        expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(2 * serials.length);
      }),
    );
  });

  test("lies between those of two bounds of one length if and only if the range covers it", () => {
    fc.assert(
      fc.property(text, text, text, (one, other, serial) => {
        fc.pre(one.length === other.length);
        const [serial_start = "", serial_end = ""] = [one, other].sort(utf8);
        const key = sortKeyOf(serial);

        const between = utf8(sortKeyOf(serial_start), key) <= 0 && utf8(key, sortKeyOf(serial_end)) <= 0;
        expect(between).toBe(covers({ serial_start, serial_end }, serial));
      }),
    );
  });
});

describe("serials that are created together", () => {
  const draft: SerialsDraft = {
    product_id: 2001,
    sku: "TEE",
    serials: ["A", "B"],
    created_at: createdAt,
    callId: "call-1",
    isStored: false,
    path: "data.3",
  };

  test("carry what identifies the call that stored them", () => {
    const [first] = insertSerials(draft);

    expect(first?.item).toMatchObject({ ...serialLookup(2001, "A").key, receipt: "call-1" });
  });
});

describe("a batch's place", () => {
  const keyOf = (created_at: string, position: number): string =>
    newBatchLookup({ ...batch, created_at }, position).key.sk;

  test("is by time, then by its position in the call", () => {
    const keys = [keyOf(later, 0), keyOf(createdAt, 10), keyOf(createdAt, 9), keyOf(createdAt, 0)];

    expect([...keys].sort()).toEqual(keys.toReversed());
  });

  test("is not that of another at the same time and position", () => {
    expect(keyOf(createdAt, 0)).not.toBe(keyOf(createdAt, 0));
  });

  test("is not before the time from which it is read", () => {
    expect(utf8(createdAt, keyOf(createdAt, 0))).toBeLessThan(0);
    expect(utf8(keyOf(createdAt, 99), "~")).toBeLessThan(0);
  });
});

test("the serials of a product that can be picked are those that no order has, the first of them as many as asked", async () => {
  const { db } = faultyStore();
  await transact(
    db,
    ["A", "B", "C", "D"].map((text): Write => {
      const picked = text === "A" ? { picked_for: 1001 } : {};
      const item = { product_id: 2001, serial: text, created_at: createdAt, ...picked };
      const { table, key } = serialLookup(2001, text);
      return { kind: "insert", table, item: { ...item, ...key } };
    }),
  );

  expect(await pickableSerials(db, 2001, 2)).toEqual(["B", "C"]);
});
