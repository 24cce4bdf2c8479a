import { describe, expect, test } from "vitest";
import { storedByCall } from "../../../infra/operator/import/by-call.ts";
import { invalid, invalidAt } from "../../../shared/common/problem.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";

const records = Array.from({ length: 7 }, (_, position) => ({ row: position + 2, record: { position } }));

describe("records that are stored by a call", () => {
  test("are sent in halves, and again, where a call takes no more, and each is sent once to be stored", async () => {
    const stored: object[] = [];
    const call = async ({ data }: { readonly data: readonly object[] }) => {
      if (data.length > 2) throw invalid("too much at once");
      stored.push(...data);
    };

    const result = await storedByCall(records, call);

    expect(result).toEqual({ created: 7, unchanged: 0, refused: [] });
    expect(stored).toEqual(records.map(({ record }) => record));
  });

  test("are refused alone where a call takes not even one of them, with the words of the call", async () => {
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

  test("are refused where a call names them, and the others are sent again", async () => {
    const call = async ({ data }: { readonly data: readonly object[] }) => {
      if (data.length === 7) throw invalidAt([{ path: "data.1.items.0.sku", message: "is required" }]);
    };

    const result = await storedByCall(records, call);

    expect(result).toEqual({
      created: 6,
      unchanged: 0,
      refused: [{ row: 3, field: "items.0.sku", message: "is required" }],
    });
  });

  test("are not refused by a service that is too busy: the import ends, and can be run again", async () => {
    const stored = storedByCall(records, async () => {
      throw new Busy();
    });

    await expect(stored).rejects.toThrow(Busy);
  });
});
