import { describe, expect, test } from "vitest";
import { inBatches } from "../../../shared/common/concurrency.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { stale, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { maxPassedOver, TooManyArchived, uniqueTexts } from "../../../shared/store/lookup-index.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";

const numbers = uniqueTexts("test-number");
const owner = 100;

const named = (id: number) => ({ owner, text: `SO-${String(id).padStart(6, "0")}`, id });

/** An index whose numbers are those of archived records, and of others after them. */
async function indexOf(archived: number, live: number) {
  const { store, db } = faultyStore();
  const insert = (id: number): Write => {
    const inserted = numbers.insert(named(id), stale);
    return id <= archived ? { ...inserted, item: { ...inserted.item, archived_at: "2026-01-01" } } : inserted;
  };
  const writes = Array.from({ length: archived + live }, (_, index) => insert(index + 1));
  for (const batch of inBatches(writes, 100)) await transact(db, batch);
  const queries = () => store.calls.filter((call) => call === "Query").length;
  const find = (limit: number, ...texts: readonly string[]) =>
    numbers.find(
      db,
      owner,
      texts.map((text) => ({ text, begins: true })),
      limit,
    );
  return { find, queries };
}

describe("a search for the beginning of a text", () => {
  test("finds as many records as it may, however many archived ones come before them", async () => {
    const { find } = await indexOf(7, 5);

    expect(await find(3, "SO-")).toEqual([[8, 9, 10]]);
    expect(await find(5, "SO-")).toEqual([[8, 9, 10, 11, 12]]);
    expect(await find(6, "SO-", "SO-00001")).toEqual([
      [8, 9, 10, 11, 12],
      [10, 11, 12],
    ]);
  });

  test("takes one query if nothing is archived", async () => {
    const { find, queries } = await indexOf(0, 5);

    expect(await find(3, "SO-")).toEqual([[1, 2, 3]]);
    expect(queries()).toBe(1);
  });

  test("is given up when its texts together pass over too many archived records", async () => {
    const half = maxPassedOver / 2;
    const { find } = await indexOf(half, 1);

    expect(await find(10_001, "SO-", "SO-0")).toEqual([[half + 1], [half + 1]]);
    await expect(find(10_001, "SO-", "SO-0", "SO-00")).rejects.toThrow(TooManyArchived);
  });
});
