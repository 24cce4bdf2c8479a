import { describe, expect, test } from "vitest";
import { comparison, type ListItem, type Pass } from "../../../infra/operator/verify/comparator.ts";
import { Fingerprints, IdSets } from "../../../infra/operator/verify/fingerprints.ts";
import { stockFaults } from "../../../infra/operator/verify/stock/faults.ts";
import { partsOfBin, StockSums } from "../../../infra/operator/verify/stock/figures.ts";
import { stockFacts } from "../../../infra/operator/verify/stock/stock.ts";
import { binContentList, productList, stockList } from "../../../shared/catalog/products/product-lists.ts";
import type { RawItem } from "../../../shared/store/dynamodb/reads.ts";

describe("fingerprints", () => {
  const texts = Array.from({ length: 5_000 }, (_, number) => `entry ${number}`);

  test("are even if the same texts are added and subtracted, in any order", () => {
    const sums = new Fingerprints();

    for (const text of texts) sums.count(text, 1);
    for (const text of texts.toReversed()) sums.count(text, -1);

    expect(sums.isEven).toBe(true);
    expect(texts.filter((text) => sums.isUneven(text))).toEqual([]);
  });

  test("are uneven for a missing text, an extra one, and a duplicate", () => {
    const sums = new Fingerprints();
    for (const text of texts) sums.count(text, 1);

    for (const text of texts.slice(1)) sums.count(text, -1);
    sums.count("another", -1);
    sums.count("duplicate", 1);
    sums.count("duplicate", 1);

    expect(sums.isEven).toBe(false);
    for (const text of ["entry 0", "another", "duplicate"]) expect(sums.isUneven(text)).toBe(true);
    expect(texts.filter((text) => sums.isUneven(text)).length).toBeLessThan(10);
  });
});

test("the difference of two sets of ids is found chunk by chunk", () => {
  const [there, named] = [new IdSets(), new IdSets()];
  const key = (id: number) => ({ kind: "product", id });
  for (const id of [1, 7, 1023, 1024, 2050]) there.add(key(id));
  for (const id of [1, 1023, 1024]) named.add(key(id));

  const right = named.without(there);
  for (const id of [8, 3000]) named.add(key(id));
  const missing = named.without(there);

  expect(right.isEmpty).toBe(true);
  expect([1, 7, 8, 1024, 3000].filter((id) => missing.has(key(id)))).toEqual([8, 3000]);
});

describe("sums of stock", () => {
  const stock = {
    sk: "000000001001#000000000001",
    cell: "1",
    on_hand: 10,
    reserved: 4,
    incoming: 0,
    "week:2900": 2,
  };
  const movement = (on_hand: number, reserved: number, week = 2900) => ({
    pk: `movement#1001#${week}`,
    sk: "at",
    product_id: 1001,
    distribution_center_id: 1,
    on_hand,
    reserved,
    reason: "recount",
    reference: {},
    by: "user:manager",
    at: "2026-01-01T00:00:00.000Z",
  });
  const bin = {
    account_id: 100,
    product_id: 1001,
    sku: "S",
    bin_id: 1,
    location: "A1",
    bin: "03",
    distribution_center_id: 1,
    quantity: 10,
    layers: [],
    expected: 10,
  };
  const ofStock = (item: RawItem): ListItem => ({
    list: stockList,
    key: { pk: "stock#1", sk: stock.sk },
    item,
  });
  const ofProduct = { list: productList, key: { pk: "product#1", sk: "000000001001" }, item: {} };
  const ofBin = {
    list: binContentList,
    key: { pk: "bin-content#1", sk: "000000001001#A1#03" },
    item: {},
    bin: { content: bin, waiting: [] },
  };

  /** The products that two passes over these items suspect. */
  function suspects(items: readonly ListItem[], movements: readonly RawItem[] = []): readonly number[] {
    const first = comparison(stockFacts({ hasProduct: () => true }));
    const read = (pass: Pass): void => {
      for (const one of items) pass.readListItem(one);
      for (const reader of pass.readers) for (const one of movements) reader.read(one);
    };
    read(first);
    const second = first.end();
    if (second.isNeeded) read(second);
    return second.suspects();
  }

  const tenUnits = [ofProduct, ofStock({ ...stock, reserved: 0 }), ofBin];

  test("suspect nothing if bins and movements add up to the stock", () => {
    expect(suspects(tenUnits, [movement(12, 3), movement(-2, -3)])).toEqual([]);
  });

  test.each([
    ["a missing movement", [movement(10, 0)]],
    ["a movement of another week", [movement(12, 0), movement(-2, 0, 2901)]],
    ["movements of other units", [movement(12, 1), movement(-2, 0)]],
    ["an unreadable movement", [movement(12, 0), movement(-2, 0), { ...movement(0, 0), by: null }]],
  ])("suspect %s", (_what, movements) => {
    expect(suspects(tenUnits, movements)).toEqual([1001]);
  });

  test("suspect a product without stock, and stock without a product", () => {
    const empty = { ...stock, on_hand: 0, reserved: 0, "week:2900": 0 };

    expect([suspects([ofProduct]), suspects([ofStock(empty)])]).toEqual([[1001], [1001]]);
  });

  const faultsIf = (quantity: number) => {
    const sums = new StockSums();
    sums.add(partsOfBin({ ...bin, distribution_center_id: 2, quantity, expected: quantity }));
    const level = {
      ...bin,
      distribution_center: "MAIN",
      ...{ on_hand: 0, reserved: 0, held: 0, incoming: 0, repairs: undefined },
    };
    const books = { levels: [level], bins: [], sums, reserved: [], unreadable: [], state: "" };

    const { faults } = stockFaults({ product_id: 1001, sku: "S" }, books, new StockSums());
    return faults.flatMap(({ differences }) => differences);
  };

  test("goods in a center of which there is no stock record are a fault, besides the stock of another", () => {
    expect(faultsIf(10)).toEqual([
      {
        record: "stock of product 1001 (S) in center 2",
        what: "the record",
        actual: "not there",
        expected: "there, since bins, movements or open records are of it",
      },
    ]);
  });

  test("a bin that is empty needs no stock record in its center", () => {
    expect(faultsIf(0)).toEqual([]);
  });
});
