import { describe, expect, it } from "vitest";
import type { TableDefinition } from "../../../../infra/local/assembly/tables.ts";
import {
  type Charge,
  type Factor,
  queryCharge,
  readCharge,
  writeCharges,
} from "../../../../infra/local/proxy/capacity/charges.ts";
import { type Item, sizeOfItem } from "../../../../infra/local/proxy/capacity/item-size.ts";

const keys = (hash: string, range: string): TableDefinition["KeySchema"] => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

const table: TableDefinition = {
  TableName: "t",
  AttributeDefinitions: [],
  KeySchema: keys("pk", "sk"),
  LocalSecondaryIndexes: [
    {
      IndexName: "cells",
      KeySchema: keys("pk", "cell"),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["day"] },
    },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "work",
      KeySchema: keys("work", "work_at"),
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
    { IndexName: "all", KeySchema: keys("all", "pk"), Projection: { ProjectionType: "ALL" } },
  ],
};
const key = { pk: { S: "p" }, sk: { S: "s" } };
const place = { table, key };

const itemOf = (bytes: number, more: Readonly<Record<string, string>> = {}): Item => {
  const texts = Object.entries(more).map(([name, S]) => [name, { S }] as const);
  const item = { ...key, ...Object.fromEntries(texts) };
  return { ...item, text: { S: "x".repeat(bytes - sizeOfItem(item) - "text".length) } };
};

const unitsOf = (charges: readonly Charge[]): Readonly<Record<string, number>> =>
  Object.fromEntries(charges.map(({ index = "table", units }) => [index, units]));

const write = (before: Item | undefined, after: Item | undefined, factor: Factor = 1) =>
  unitsOf(writeCharges(place, before, after, factor));

describe("a read costs, as AWS documents it,", () => {
  it.each([
    [3.5, 1, 1],
    [10, 1, 3],
    [3.5, 0.5, 0.5],
    [8, 0.5, 1],
    [8, 2, 4],
  ] as const)("an item of %d KB with factor %d: %d units", (kilobytes, factor, units) => {
    expect(readCharge(place, itemOf(kilobytes * 1024), factor).units).toBe(units);
  });

  it("a query its sum rounded up once: 10 items of 4,178 bytes as 44 KB, 1,500 items of 64 bytes as 96 KB", () => {
    const costs = [Array(10).fill(itemOf(4178)), Array(1500).fill(itemOf(64))].map(
      (items) => queryCharge(table, undefined, items, 1).units,
    );

    expect(costs).toEqual([11, 24]);
  });
});

describe("a write costs, as AWS documents it,", () => {
  it.each([
    ["grows", 1024, 1025],
    ["shrinks", 1025, 100],
  ])("an item that %s by the larger of its sizes", (_how, before, after) => {
    expect(write(itemOf(before), itemOf(after))).toEqual({ table: 2 });
  });
});

describe("an index costs by what a write changes in it:", () => {
  it("an entry that is put or removed, by its own size", () => {
    const item = itemOf(3000, { cell: "1", all: "x" });

    expect(write(undefined, item)).toEqual({ table: 3, cells: 1, all: 3 });
    expect(write(item, undefined)).toEqual({ table: 3, cells: 1, all: 3 });
  });

  it("nothing while what it keeps stays", () => {
    const before = itemOf(500, { cell: "1", day: "a", work: "w", work_at: "1" });
    const after = { ...before, text: { S: "other" } };

    expect(write(before, after)).toEqual({ table: 1 });
  });

  it("one write for a changed attribute, and two for a changed key", () => {
    const before = itemOf(500, { cell: "1", day: "a" });

    expect(write(before, { ...before, day: { S: "b" } })).toEqual({ table: 1, cells: 1 });
    const moved = writeCharges(place, before, { ...before, cell: { S: "2" } }, 1);
    expect(moved.map(({ index, units }) => [index, units])).toEqual([
      [undefined, 1],
      ["cells", 1],
      ["cells", 1],
    ]);
  });

  it("nothing for an item that lacks a part of its key", () => {
    expect(write(undefined, itemOf(500, { work: "w" }))).toEqual({ table: 1 });
  });
});
