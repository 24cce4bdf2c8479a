import { describe, expect, test } from "vitest";
import { compareEach, storeCompared, storedByCall } from "../../../infra/import/by-call.ts";
import { invalid, invalidAt, Problem } from "../../../shared/common/problem.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";

const records = Array.from({ length: 7 }, (_, position) => ({ row: position + 2, record: { position } }));

describe("storing records by a bulk call", () => {
  test("a call that rejects all records is repeated with each half, and each record is stored once", async () => {
    const stored: object[] = [];
    const call = async ({ data }: { readonly data: readonly object[] }) => {
      if (data.length > 2) throw invalid("too much at once");
      stored.push(...data);
    };

    const result = await storedByCall(records, call);

    expect(result).toEqual({ created: 7, unchanged: 0, refused: [] });
    expect(stored).toEqual(records.map(({ record }) => record));
  });

  test("a record that a call rejects on its own is rejected with the message of the call", async () => {
    const call = async ({ data }: { readonly data: readonly object[] }) => {
      if (data.some((record) => "position" in record && record.position === 3)) throw invalid("too large");
    };

    const result = await storedByCall(records, call);

    expect(result).toEqual({
      created: 6,
      unchanged: 0,
      refused: [{ row: 5, field: "", message: "too large" }],
    });
  });

  test("records that a call names are rejected, with the code of the error, and the others are sent again", async () => {
    const call = async ({ data }: { readonly data: readonly object[] }) => {
      if (data.length < 7) return;
      throw invalidAt([
        { path: "data.1.items.0.sku", message: "is required" },
        { path: "data.2.sku", message: "already exists", code: "already_exists" },
      ]);
    };

    const result = await storedByCall(records, call);

    expect(result).toEqual({
      created: 5,
      unchanged: 0,
      refused: [
        { row: 3, field: "items.0.sku", message: "is required" },
        { row: 4, field: "sku", message: "already exists", code: "already_exists" },
      ],
    });
  });

  test("an item with a row of its own is rejected there, and its record is not sent again", async () => {
    const order = { row: 2, record: {}, itemRows: [2, 3] };
    const sizes: number[] = [];
    const call = async ({ data }: { readonly data: readonly object[] }) => {
      sizes.push(data.length);
      if (data.length === 2) throw invalidAt([{ path: "data.0.items.1.sku", message: "is required" }]);
    };

    const { refused } = await storedByCall([order, { row: 4, record: {} }], call);

    expect(refused).toEqual([{ row: 3, field: "sku", message: "is required" }]);
    expect(sizes).toEqual([2, 1]);
  });

  test("of a call that stored some records, those are created, and the others rejected with what it says of them", async () => {
    const data = [{ success: true }, { success: false, message: "is taken" }];

    const result = await storedByCall(records.slice(0, 3), async () => {
      throw new Problem("conflict", "not all are stored", { data });
    });

    expect(result).toMatchObject({
      created: 1,
      refused: [
        { row: 3, message: "is taken" },
        { row: 4, message: "" },
      ],
    });
  });

  test("a change that would be rejected at an item's row is not listed as different", async () => {
    const compared = compareEach([{ row: 2, record: {}, itemRows: [2, 3] }], ({ row }) => [
      { row, field: "items", message: "are others" },
    ]);
    const change = async () => {
      throw invalidAt([{ path: "data.0.items.1.sku", message: "is required" }]);
    };

    const result = await storeCompared(compared, { create: change, change }, false);

    expect(result).toMatchObject({ different: [], refused: [{ row: 3, field: "sku" }] });
  });

  test("a busy service ends the import, so that it can be repeated", async () => {
    const stored = storedByCall(records, async () => {
      throw new Busy();
    });

    await expect(stored).rejects.toThrow(Busy);
  });
});
