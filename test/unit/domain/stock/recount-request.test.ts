import { describe, expect, test } from "vitest";
import { type ReadEntry, readRecount } from "../../../../shared/domain/stock/recount-request.ts";

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
    ["empty where an empty one was sent", "", ""],
    ["up to 500 characters", "x".repeat(500), "x".repeat(500)],
  ])("has as comment %s", (_, comment, expected) => {
    expect(entriesOf([record([bin], comment === undefined ? {} : { comment })])).toMatchObject([
      { comment: expected },
    ]);
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
  ])("is refused where it is %s", (_, body) => {
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

    expect(readRecount(body)).toBe("A call holds at most 100 bin entries; this one has 101");
  });
});

describe("a record", () => {
  test.each([
    ["is empty", {}],
    ["is null", null],
    ["is a number", 5],
    ["is a list", []],
    ["has SKUs only", { skus: [] }],
  ])("that %s has no account_id", (_, body) => {
    expect(failureOf([body])).toEqual({ ...nowhere, message: "account_id is missing" });
  });

  test.each(["100", 1.5, null, true, Number.POSITIVE_INFINITY])(
    "with the account_id %j is refused, without an account to name",
    (account_id) => {
      expect(failureOf([record([bin], { account_id })])).toEqual({
        ...nowhere,
        message: "account_id must be a whole number of at least 1",
      });
    },
  );

  test.each([5, {}, "x".repeat(501)])(
    "with a comment that is no text of 500 characters is refused",
    (comment) => {
      expect(failureOf([record([bin], { comment })])).toEqual({
        ...nowhere,
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

  test.each([
    ["nothing at all", null],
    ["no sku", { bins: [bin] }],
    ["an empty sku", { sku: "", bins: [bin] }],
  ])("entry with %s is refused", (_, sku) => {
    expect(skuFailure(sku)).toEqual({ ...nowhere, account_id: 100, message: "sku is missing" });
  });

  test.each([5, null, "x".repeat(101)])("of %j is refused", (sku) => {
    expect(skuFailure({ sku, bins: [bin] })).toEqual({
      ...nowhere,
      account_id: 100,
      message: "sku must be a string of at most 100 characters",
    });
  });

  test.each([
    ["no bins", {}],
    ["an empty list of bins", { bins: [] }],
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

  test.each([
    ["no location", { bin: "01", qty: 1 }, null, "01", "location is missing"],
    ["an empty location", { location: "", bin: "01", qty: 1 }, "", "01", "location is missing"],
    ["no bin", { location: "A1", qty: 1 }, "A1", null, "bin is missing"],
    ["an empty bin", { location: "A1", bin: "", qty: 1 }, "A1", "", "bin is missing"],
    ["a numeric location", { location: 1, bin: "01", qty: 1 }, null, "01", "location must be alphanumeric"],
    ["a numeric bin", { location: "A1", bin: 1, qty: 1 }, "A1", null, "bin must be alphanumeric"],
    [
      "a dash in the location",
      { location: "A-1", bin: "01", qty: 1 },
      "A-1",
      "01",
      "location must be alphanumeric",
    ],
    [
      "a line break after it",
      { location: "A1\n", bin: "01", qty: 1 },
      "A1\n",
      "01",
      "location must be alphanumeric",
    ],
    ["a space in the bin", { location: "A1", bin: "0 1", qty: 1 }, "A1", "0 1", "bin must be alphanumeric"],
  ])("with %s is refused, naming what is known", (_, entry, location, name, message) => {
    expect(binFailure(entry)).toEqual({ ...known, location, bin: name, message });
  });

  test.each([null, 5, "A1", []])("that is %j has no location", (entry) => {
    expect(binFailure(entry)).toMatchObject({ ...known, message: "location is missing" });
  });

  test("is refused with a name of 51 characters, which the answer cuts", () => {
    const location = "A".repeat(51);

    expect(binFailure({ location, bin: "01", qty: 1 })).toEqual({
      ...known,
      location: "A".repeat(50),
      bin: "01",
      message: "location must be alphanumeric",
    });
  });

  test("that is wrong does not hide the others", () => {
    const entries = entriesOf([record([bin, { ...bin, qty: 1.5 }, bin, { bin: "01" }])]);

    expect(entries.map((entry) => ("message" in entry ? entry.message : "right"))).toEqual([
      "right",
      "quantity not valid",
      "right",
      "location is missing",
    ]);
  });
});

describe("a quantity", () => {
  test.each([5, -5, 0, 1_000_000_000, -1_000_000_000])("of qty %i is a relative change", (quantity) => {
    expect(changeOf({ qty: quantity })).toEqual({ kind: "relative", quantity });
  });

  test.each([5, 0, 1_000_000_000])("of qty_in_bin %i is an absolute one", (quantity) => {
    expect(changeOf({ qty_in_bin: quantity })).toEqual({ kind: "absolute", quantity });
  });

  test.each([
    { qty: 1, qty_in_bin: 1 },
    { qty: 0, qty_in_bin: 0 },
    { qty: "x", qty_in_bin: -1 },
  ])("given twice is refused: %j", (both) => {
    expect(changeOf(both)).toBe("both qty and qty_in_bin given");
  });

  test.each([
    {},
    { qty: 1.5 },
    { qty: "5" },
    { qty: null },
    { qty: 1_000_000_001 },
    { qty: -1_000_000_001 },
    { qty: Number.NaN },
    { qty: Number.POSITIVE_INFINITY },
    { qty_in_bin: -1 },
    { qty_in_bin: 2.5 },
    { qty_in_bin: "5" },
    { qty_in_bin: null },
    { qty_in_bin: 1_000_000_001 },
  ])("of %j is not valid", (quantity) => {
    expect(changeOf(quantity)).toBe("quantity not valid");
  });
});
