import { expect, test } from "vitest";
import { connect } from "../../../../shared/store/dynamodb/database.ts";
import { orderList } from "../../../../shared/store/lists/definitions.ts";
import { maxFiltered, maxFound, readFound } from "../../../../shared/store/lists/found.ts";
import type { Find } from "../../../../shared/store/lookup-index.ts";

/** No table is configured, so every read throws. */
const db = connect({}, { region: "eu-west-1" });
const firstPage = { page: 1, per_page: 20, direction: "desc" } as const;

/** Finds so many records, up to the limit it is given. */
const finding =
  (count: number): Find =>
  async (_db, _owner, _wanted, limit) =>
    Array.from({ length: Math.min(count, limit) }, (_, id) => id);

const beginning = { text: "WEB", begins: true };
const exact = { text: "WEB-1", begins: false };

test("rejects a search that finds too much before reading records, and says what to send instead", async () => {
  const searches = [{ field: "order_number", wanted: beginning, find: finding(maxFound + 1) }];

  await expect(readFound(db, orderList, "100", searches, firstPage)).rejects.toMatchObject({
    kind: "invalid",
    message: "order_number matches more than 10000 records, too many; send more characters",
  });
});

test("allows fewer found records if they are filtered further, and names all searches", async () => {
  const searches = [
    { field: "order_number", wanted: beginning, find: finding(maxFiltered + 1) },
    { field: "order_reference", wanted: exact, find: finding(maxFiltered + 2) },
    { field: "unasked", wanted: undefined, find: finding(maxFound + 1) },
  ];

  const message = "matches more than 1000 records, too many to be filtered any further;";
  await expect(readFound(db, orderList, "100", searches, { ...firstPage, fromDay: 1 })).rejects.toMatchObject(
    {
      kind: "invalid",
      message: `order_number ${message} send more characters`,
      details: {
        errors: [
          { path: "order_number", message: `${message} send more characters` },
          { path: "order_reference", message: `${message} search by something else` },
        ],
      },
    },
  );
});

test("does not count what one search finds and another does not", async () => {
  const searches = [
    { field: "order_number", wanted: beginning, find: finding(maxFound) },
    { field: "order_reference", wanted: exact, find: finding(0) },
  ];

  await expect(readFound(db, orderList, "100", searches, { ...firstPage, fromDay: 1 })).resolves.toEqual({
    records: [],
    total: 0,
  });
});
