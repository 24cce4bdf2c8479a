import { describe, expect, test } from "vitest";
import { type Echo, type ReadEntry, readRecount } from "../../../shared/stock/recount/recount-request.ts";

const bin = { location: "A1", bin: "01", qty: 5 };

const record = (bins: readonly unknown[], more: object = {}) => ({
  account_id: 100,
  skus: [{ sku: "TEE", bins }],
  ...more,
});

function entriesOf(body: unknown): readonly ReadEntry[] {
  const entries = readRecount(body);
  if (typeof entries === "string") throw new Error(entries);
  return entries;
}

/** What is wrong with the only entry of a call. */
function failureOf(body: unknown): ReadEntry | undefined {
  const entries = entriesOf(body);
  expect(entries).toHaveLength(1);
  return entries[0];
}

const changeOf = (quantity: object) => {
  const [entry] = entriesOf([record([{ location: "A1", bin: "01", ...quantity }])]);
  return entry !== undefined && "change" in entry ? entry.change : entry?.message;
};

const nowhere = { account_id: null, sku: null, bin: null, location: null };

describe("a well-formed call", () => {
  test("is read entry by entry, through all accounts, SKUs and bins in their order", () => {
    const entries = entriesOf([
      {
        account_id: 100,
        skus: [
          { sku: "TEE", bins: [bin, { location: "A1", bin: "02", qty_in_bin: 0 }] },
          { sku: "MUG", bins: [{ location: "B1", bin: "01", qty: -3 }] },
        ],
      },
      { account_id: 101, comment: "counted", skus: [{ sku: "TEE", bins: [bin] }] },
    ]);

    const comment = "Updated using the Recount API.";
    const relative = (quantity: number) => ({ kind: "relative", quantity });
    expect(entries).toEqual([
      { account_id: 100, sku: "TEE", location: "A1", bin: "01", change: relative(5), comment },
      {
        account_id: 100,
        sku: "TEE",
        location: "A1",
        bin: "02",
        change: { kind: "absolute", quantity: 0 },
        comment,
      },
      { account_id: 100, sku: "MUG", location: "B1", bin: "01", change: relative(-3), comment },
      { account_id: 101, sku: "TEE", location: "A1", bin: "01", change: relative(5), comment: "counted" },
    ]);
  });

  test.each([
    ["the default text", undefined, "Updated using the Recount API."],
    ["what was sent", "cycle count", "cycle count"],
    ["the default text for an empty one", "", "Updated using the Recount API."],
    ["the default text for null", null, "Updated using the Recount API."],
    ["up to 500 characters", "x".repeat(500), "x".repeat(500)],
  ])("has as comment %s", (_, comment, expected) => {
    expect(entriesOf([record([bin], comment === undefined ? {} : { comment })])).toMatchObject([
      { comment: expected },
    ]);
  });

  test.each([
    [40, { expected_quantity: 40 }],
    [0, { expected_quantity: 0 }],
    ["", {}],
    [null, {}],
    [-1, { message: "quantity not valid: expected_quantity must be from 0 to 1000000000 (-1)" }],
    ["40", { message: "quantity not valid: expected_quantity must be a number, without quotes" }],
  ])("has as expected quantity of %j: %j", (expected_quantity, expected) => {
    const [entry] = entriesOf([record([{ ...bin, expected_quantity }])]);

    const { change: _, comment: _comment, ...place } = Object(entry);
    expect(place).toEqual({ account_id: 100, sku: "TEE", location: "A1", bin: "01", ...expected });
  });

  test("ignores fields that the interface does not know", () => {
    const entries = entriesOf([record([{ ...bin, note: "x" }], { priority: 1 })]);

    expect(entries).toHaveLength(1);
    expect(entries[0]).not.toHaveProperty("note");
  });
});

describe("the call as a whole", () => {
  test.each([
    ["an object", { data: [] }],
    ["null", null],
    ["text", "[]"],
    ["nothing", undefined],
  ])("is rejected if it is %s", (_, body) => {
    expect(readRecount(body)).toBe("The body must be an array of recount records");
  });

  test.each([0, 101])("is refused with %i records", (count) => {
    const body = Array.from({ length: count }, () => record([bin]));

    expect(readRecount(body)).toBe("A call holds 1 to 100 recount records");
  });

  test("may have 100 records", () => {
    expect(entriesOf(Array.from({ length: 100 }, () => record([bin])))).toHaveLength(100);
  });

  test("may have 100 bin entries in one record", () => {
    expect(entriesOf([record(Array.from({ length: 100 }, () => bin))])).toHaveLength(100);
  });

  test("is refused with more than 100 bin entries, however they are spread", () => {
    const body = [
      record(Array.from({ length: 60 }, () => bin)),
      record(Array.from({ length: 41 }, () => bin)),
    ];

    expect(readRecount(body)).toBe("A call holds at most 100 bin entries; this one has more");
  });

  test("of very many entries is refused without reading them all", () => {
    let read = 0;
    const counting = {
      get qty() {
        read += 1;
        return 5;
      },
    };

    expect(readRecount([record(Array(5000).fill(counting))])).toMatch(
      /^A call holds at most 100 bin entries/,
    );
    expect(read).toBeLessThan(500);
  });
});

describe("a record", () => {
  test.each([
    ["is empty", {}],
    ["is null", null],
    ["is a number", 5],
    ["is a list", []],
    ["has SKUs only", { skus: [] }],
    ["has an account_id of null", { account_id: null }],
  ])("that %s has no account_id", (_, body) => {
    expect(failureOf([body])).toEqual({ ...nowhere, message: "account_id is missing" });
  });

  const placed = { sku: "TEE", bin: "01", location: "A1" };

  test.each<[unknown, Echo]>([
    ["100", "100"],
    [1.5, 1.5],
    [true, true],
    [[1], null],
  ])(
    "with the account_id %j is refused at each of its entries, which are named as they were sent",
    (sent, echo) => {
      const wrong = { account_id: echo, message: "account_id must be a whole number of at least 1" };

      expect(entriesOf([record([bin, { ...bin, bin: "02" }], { account_id: sent })])).toEqual([
        { ...placed, ...wrong },
        { ...placed, ...wrong, bin: "02" },
      ]);
    },
  );

  test.each([5, {}, [], "x".repeat(501), "half a character \ud800"])(
    "with a comment that is no text of 500 characters is refused",
    (comment) => {
      expect(failureOf([record([bin], { comment })])).toEqual({
        ...placed,
        account_id: 100,
        message: "comment must be a string of at most 500 characters",
      });
    },
  );

  test.each([
    ["no skus", {}],
    ["an empty list of skus", { skus: [] }],
    ["skus of null", { skus: null }],
  ])("with %s is refused", (_, more) => {
    expect(failureOf([{ account_id: 100, ...more }])).toEqual({
      ...nowhere,
      account_id: 100,
      message: "skus is missing",
    });
  });

  test("with skus that are no list is refused", () => {
    expect(failureOf([{ account_id: 100, skus: { sku: "TEE" } }])).toEqual({
      ...nowhere,
      account_id: 100,
      message: "skus must be a list",
    });
  });
});

describe("a SKU", () => {
  const skuFailure = (sku: object | null) => failureOf([{ account_id: 100, skus: [sku] }]);
  const place = { account_id: 100, bin: "01", location: "A1" };

  test.each([
    ["no sku", { bins: [bin] }, null],
    ["a sku of null", { sku: null, bins: [bin] }, null],
    ["an empty sku", { sku: "", bins: [bin] }, ""],
    ["a blank sku", { sku: " ", bins: [bin] }, " "],
  ])("entry with %s is refused", (_, sku, echo) => {
    expect(skuFailure(sku)).toEqual({ ...place, sku: echo, message: "sku is missing" });
  });

  test("entry that is nothing at all is refused", () => {
    expect(skuFailure(null)).toEqual({ ...nowhere, account_id: 100, message: "sku is missing" });
  });

  test.each<[unknown, Echo]>([
    [5, 5],
    ["x".repeat(101), "x".repeat(100)],
    // Half a character, sent so or cut so, would keep some clients from reading the answer.
    ["A\ud83d", "A\ufffd"],
    [`${"x".repeat(99)}\u{1f600}x`, `${"x".repeat(99)}\ufffd`],
    [["TEE"], null],
  ])("of %j is refused", (sku, echo) => {
    expect(skuFailure({ sku, bins: [bin] })).toEqual({
      ...place,
      sku: echo,
      message: "sku must be a string of at most 100 characters, without control characters or invisible ones",
    });
  });

  test.each([
    ["no bins", {}],
    ["an empty list of bins", { bins: [] }],
    ["bins of null", { bins: null }],
  ])("with %s is refused, by name", (_, more) => {
    expect(skuFailure({ sku: "TEE", ...more })).toEqual({
      ...nowhere,
      account_id: 100,
      sku: "TEE",
      message: "bins is missing",
    });
  });

  test("with bins that are no list is refused, by name", () => {
    expect(skuFailure({ sku: "TEE", bins: bin })).toEqual({
      ...nowhere,
      account_id: 100,
      sku: "TEE",
      message: "bins must be a list",
    });
  });
});

describe("a bin entry", () => {
  const binFailure = (entry: unknown) => failureOf([record([entry])]);
  const known = { account_id: 100, sku: "TEE" };

  test.each<[string, object, Echo, Echo, string]>([
    ["no location", { bin: "01", qty: 1 }, null, "01", "location is missing"],
    ["an empty location", { location: "", bin: "01", qty: 1 }, "", "01", "location is missing"],
    ["a location of null", { location: null, bin: "01", qty: 1 }, null, "01", "location is missing"],
    ["no bin", { location: "A1", qty: 1 }, "A1", null, "bin is missing"],
    ["an empty bin", { location: "A1", bin: "", qty: 1 }, "A1", "", "bin is missing"],
    ["a numeric location", { location: 1, bin: "01", qty: 1 }, 1, "01", "location must be alphanumeric"],
    ["a numeric bin", { location: "A1", bin: 1, qty: 1 }, "A1", 1, "bin must be alphanumeric"],
    [
      "a dash in the location",
      { location: "A-1", bin: "01", qty: 1 },
      "A-1",
      "01",
      "location must be alphanumeric",
    ],
    ["a space in the bin", { location: "A1", bin: "0 1", qty: 1 }, "A1", "0 1", "bin must be alphanumeric"],
  ])("with %s is refused, as it was sent", (_, entry, location, name, message) => {
    expect(binFailure(entry)).toEqual({ ...known, location, bin: name, message });
  });

  test.each([null, 5, "A1", []])("that is %j has no location", (entry) => {
    expect(binFailure(entry)).toMatchObject({ ...known, message: "location is missing" });
  });

  test("is refused with a name of 101 characters, which the answer cuts", () => {
    const location = "A".repeat(101);

    expect(binFailure({ location, bin: "01", qty: 1 })).toEqual({
      ...known,
      location: "A".repeat(100),
      bin: "01",
      message: "location must be alphanumeric",
    });
  });

  test("that is wrong does not hide the others", () => {
    const entries = entriesOf([record([bin, { ...bin, qty: 1.5 }, bin, { bin: "01" }])]);

    expect(entries.map((entry) => ("message" in entry ? entry.message : "right"))).toEqual([
      "right",
      "quantity not valid: qty must be a whole number (1.5)",
      "right",
      "location is missing",
    ]);
  });

  test("loses the blanks around its names", () => {
    const blank = [
      { account_id: 100, skus: [{ sku: " TEE\t", bins: [{ location: " A1", bin: "01\n", qty: 5 }] }] },
    ];

    expect(entriesOf(blank)).toEqual(entriesOf([record([bin])]));
  });
});

describe("a quantity", () => {
  test.each([5, -5, 0, 1_000_000_000, -1_000_000_000])("of qty %i is a relative change", (quantity) => {
    expect(changeOf({ qty: quantity })).toEqual({ kind: "relative", quantity });
  });

  test.each([5, 0, 1_000_000_000])("of qty_in_bin %i is an absolute one", (quantity) => {
    expect(changeOf({ qty_in_bin: quantity })).toEqual({ kind: "absolute", quantity });
  });

  test.each([null, ""])("of %j counts as not sent", (nothing) => {
    expect(changeOf({ qty: nothing, qty_in_bin: 3 })).toEqual({ kind: "absolute", quantity: 3 });
    expect(changeOf({ qty: 3, qty_in_bin: nothing })).toEqual({ kind: "relative", quantity: 3 });
  });

  test.each([
    { qty: 1, qty_in_bin: 1 },
    { qty: 0, qty_in_bin: 0 },
    { qty: "x", qty_in_bin: -1 },
  ])("given twice is refused: %j", (both) => {
    expect(changeOf(both)).toBe("both qty and qty_in_bin given");
  });

  test.each<[object, string]>([
    [{}, "neither qty nor qty_in_bin is given"],
    [{ qty: null, qty_in_bin: null }, "neither qty nor qty_in_bin is given"],
    [{ qty: 1.5 }, "qty must be a whole number (1.5)"],
    [{ qty: "5" }, "qty must be a number, without quotes"],
    [{ qty: [5] }, "qty must be a number"],
    [{ qty: true }, "qty must be a number"],
    [{ qty: 1_000_000_001 }, "qty must be from -1000000000 to 1000000000 (1000000001)"],
    [{ qty: -1_000_000_001 }, "qty must be from -1000000000 to 1000000000 (-1000000001)"],
    [{ qty: Number.NaN }, "qty must be a number"],
    [{ qty: Number.POSITIVE_INFINITY }, "qty must be a number"],
    [{ qty_in_bin: -1 }, "qty_in_bin must be from 0 to 1000000000 (-1)"],
    [{ qty_in_bin: 2.5 }, "qty_in_bin must be a whole number (2.5)"],
    [{ qty_in_bin: "5" }, "qty_in_bin must be a number, without quotes"],
    [{ qty_in_bin: 1_000_000_001 }, "qty_in_bin must be from 0 to 1000000000 (1000000001)"],
  ])("of %j is not valid, for a reason", (quantity, reason) => {
    expect(changeOf(quantity)).toBe(`quantity not valid: ${reason}`);
  });
});
