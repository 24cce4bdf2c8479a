import { describe, expect, test } from "vitest";
import { type Echo, type ReadEntry, readRecount } from "../../../shared/stock/recount/recount-request.ts";

const bin = { location: "A1", bin: "01", qty: 5 };

const record = (bins: readonly unknown[], more: object = {}) => ({
  account_id: 100,
  skus: [{ sku: "TEE", bins }],
  ...more,
});

function stockEntriesOf(body: unknown): readonly ReadEntry[] {
  const entries = readRecount(body);
  if (typeof entries === "string") throw new Error(entries);
  return entries;
}

function failureOf(body: unknown): ReadEntry | undefined {
  const entries = stockEntriesOf(body);
  expect(entries).toHaveLength(1);
  return entries[0];
}

const changeOf = (quantity: object) => {
  const [entry] = stockEntriesOf([record([{ location: "A1", bin: "01", ...quantity }])]);
  return entry !== undefined && "change" in entry ? entry.change : entry?.message;
};

const nowhere = { account_id: null, sku: null, bin: null, location: null };

describe("a well-formed call", () => {
  test("is read entry by entry, through all accounts, SKUs and bins in their order", () => {
    const entries = stockEntriesOf([
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
    expect(stockEntriesOf([record([bin], comment === undefined ? {} : { comment })])).toMatchObject([
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
    const [entry] = stockEntriesOf([record([{ ...bin, expected_quantity }])]);

    const { change: _, comment: _comment, ...place } = Object(entry);
    expect(place).toEqual({ account_id: 100, sku: "TEE", location: "A1", bin: "01", ...expected });
  });

  test("ignores fields that the interface does not know", () => {
    const entries = stockEntriesOf([record([{ ...bin, note: "x" }], { priority: 1 })]);

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
    expect(stockEntriesOf(Array.from({ length: 100 }, () => record([bin])))).toHaveLength(100);
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

describe("an entry is refused, as it was sent,", () => {
  const tee = { account_id: 100, sku: "TEE" };
  const placed = { ...tee, location: "A1", bin: "01" };
  /** A call about A1/01 whose SKU says this beside its bins. */
  const skuSays = (sku: object | null) => [{ account_id: 100, skus: [sku] }];
  const binSays = (more: object) => [record([{ ...bin, qty: 1, ...more }])];
  const noAccount = { ...nowhere, message: "account_id is missing" };
  const noSkus = { ...nowhere, account_id: 100, message: "skus is missing" };
  const noBins = { ...nowhere, ...tee, message: "bins is missing" };
  const noSku = (sku: Echo) => ({ ...placed, sku, message: "sku is missing" });
  const wrongSku = (sku: Echo) => ({
    ...placed,
    sku,
    message: "sku must be a string of at most 100 characters, without control characters or invisible ones",
  });
  const wrongPlace = (place: object, message: string) => ({ ...placed, ...place, message });
  const wrongComment = {
    ...placed,
    message: "comment must be a string of at most 500 characters",
  };

  test.each<[string, unknown, object]>([
    ["an empty record", [{}], noAccount],
    ["a record of null", [null], noAccount],
    ["a record that is a number", [5], noAccount],
    ["a record that is a list", [[]], noAccount],
    ["a record of SKUs only", [{ skus: [] }], noAccount],
    ["an account_id of null", [{ account_id: null }], noAccount],
    ...[5, {}, [], "x".repeat(501), "half a character \ud800"].map((comment): [string, unknown, object] => [
      `the comment ${JSON.stringify(comment).slice(0, 9)}`,
      [record([bin], { comment })],
      wrongComment,
    ]),
    ["no skus", [{ account_id: 100 }], noSkus],
    ["an empty list of skus", [{ account_id: 100, skus: [] }], noSkus],
    ["skus of null", [{ account_id: 100, skus: null }], noSkus],
    [
      "skus that are no list",
      [{ account_id: 100, skus: { sku: "TEE" } }],
      { ...noSkus, message: "skus must be a list" },
    ],
    ["no sku", skuSays({ bins: [bin] }), noSku(null)],
    ["a sku of null", skuSays({ sku: null, bins: [bin] }), noSku(null)],
    ["an empty sku", skuSays({ sku: "", bins: [bin] }), noSku("")],
    ["a blank sku", skuSays({ sku: " ", bins: [bin] }), noSku(" ")],
    ["a SKU that is nothing at all", skuSays(null), { ...noSkus, message: "sku is missing" }],
    ["a sku that is a number", skuSays({ sku: 5, bins: [bin] }), wrongSku(5)],
    ["a sku that is a list", skuSays({ sku: ["TEE"], bins: [bin] }), wrongSku(null)],
    ["a long sku", skuSays({ sku: "x".repeat(101), bins: [bin] }), wrongSku("x".repeat(100))],
    // Half a character, sent so or cut so, would keep some clients from reading the answer.
    ["half a character", skuSays({ sku: "A\ud83d", bins: [bin] }), wrongSku("A\ufffd")],
    [
      "a character that is cut",
      skuSays({ sku: `${"x".repeat(99)}\u{1f600}x`, bins: [bin] }),
      wrongSku(`${"x".repeat(99)}\ufffd`),
    ],
    ["no bins", skuSays({ sku: "TEE" }), noBins],
    ["an empty list of bins", skuSays({ sku: "TEE", bins: [] }), noBins],
    ["bins of null", skuSays({ sku: "TEE", bins: null }), noBins],
    [
      "bins that are no list",
      skuSays({ sku: "TEE", bins: bin }),
      { ...noBins, message: "bins must be a list" },
    ],
    ...[null, 5, "A1", []].map((entry): [string, unknown, object] => [
      `the entry ${JSON.stringify(entry)}`,
      [record([entry])],
      { ...nowhere, ...tee, message: "location is missing" },
    ]),
    ["no location", binSays({ location: undefined }), wrongPlace({ location: null }, "location is missing")],
    ["an empty location", binSays({ location: "" }), wrongPlace({ location: "" }, "location is missing")],
    [
      "a location of null",
      binSays({ location: null }),
      wrongPlace({ location: null }, "location is missing"),
    ],
    ["no bin", binSays({ bin: undefined }), wrongPlace({ bin: null }, "bin is missing")],
    ["an empty bin", binSays({ bin: "" }), wrongPlace({ bin: "" }, "bin is missing")],
    [
      "a numeric location",
      binSays({ location: 1 }),
      wrongPlace({ location: 1 }, "location must be alphanumeric"),
    ],
    ["a numeric bin", binSays({ bin: 1 }), wrongPlace({ bin: 1 }, "bin must be alphanumeric")],
    [
      "a dash in the location",
      binSays({ location: "A-1" }),
      wrongPlace({ location: "A-1" }, "location must be alphanumeric"),
    ],
    ["a space in the bin", binSays({ bin: "0 1" }), wrongPlace({ bin: "0 1" }, "bin must be alphanumeric")],
    [
      "a name of 101 characters, which the answer cuts",
      binSays({ location: "A".repeat(101) }),
      wrongPlace({ location: "A".repeat(100) }, "location must be alphanumeric"),
    ],
  ])("for %s", (_case, body, failure) => {
    expect(failureOf(body)).toEqual(failure);
  });

  test.each<[unknown, Echo]>([
    ["100", "100"],
    [1.5, 1.5],
    [true, true],
    [[1], null],
  ])("each of those of the account_id %j", (sent, echo) => {
    const wrong = { ...placed, account_id: echo, message: "account_id must be a whole number of at least 1" };

    expect(stockEntriesOf([record([bin, { ...bin, bin: "02" }], { account_id: sent })])).toEqual([
      wrong,
      { ...wrong, bin: "02" },
    ]);
  });
});

describe("a bin entry", () => {
  test("that is wrong does not hide the others", () => {
    const entries = stockEntriesOf([record([bin, { ...bin, qty: 1.5 }, bin, { bin: "01" }])]);

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

    expect(stockEntriesOf(blank)).toEqual(stockEntriesOf([record([bin])]));
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
