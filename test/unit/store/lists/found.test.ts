import { expect, test } from "vitest";
import { orderList } from "../../../../shared/orders/storage/order-repository.ts";
import { connect } from "../../../../shared/store/dynamodb/database.ts";
import { maxFiltered, maxFound, readFound, textSearch } from "../../../../shared/store/lists/found.ts";
import { type Find, TooManyArchived } from "../../../../shared/store/lookup-index.ts";
import { onDays } from "../../../support/store/plain-list.ts";

/** No table is configured, so every read throws. */
const db = connect({}, { region: "eu-west-1" });
const firstPage = { page: 1, per_page: 20, direction: "desc" } as const;

/** Finds so many records, up to the limit it is given. */
const finding =
  (count: number): Find =>
  async (_db, _owner, _wanted, limit) => [Array.from({ length: Math.min(count, limit) }, (_, id) => id)];

const beginning = { parts: [{ text: "WEB", begins: true }] };
const exact = { parts: [{ text: "WEB-1", begins: false }] };

/** The searches that a query requests, as `readList` passes them on. */
const requested = (...searches: readonly ReturnType<typeof textSearch>[]) =>
  searches.filter((search) => search !== undefined);

test("a search that matches too much is rejected before records are read, with what to send instead", async () => {
  const searches = requested(textSearch("order_number", beginning, finding(maxFound + 1)));

  await expect(readFound({ db, list: orderList, owner: "100" }, searches, firstPage)).rejects.toMatchObject({
    kind: "invalid",
    message: "order_number matches more than 10000 records, too many; send more characters",
  });
});

test("a search that is filtered further may match fewer records, and all that match too much are named", async () => {
  const searches = requested(
    textSearch("order_number", beginning, finding(maxFiltered + 1)),
    textSearch("order_reference", exact, finding(maxFiltered + 2)),
    textSearch("unasked", undefined, finding(maxFound + 1)),
  );

  const message = "matches more than 1000 records, too many to be filtered any further;";
  await expect(
    readFound({ db, list: orderList, owner: "100" }, searches, { ...firstPage, ...onDays(1) }),
  ).rejects.toMatchObject({
    kind: "invalid",
    message: `order_number ${message} send more characters`,
    details: {
      errors: [
        { path: "order_number", message: `${message} send more characters` },
        { path: "order_reference", message: `${message} search by something else` },
      ],
    },
  });
});

test("a search that passes over too many archived records is rejected, with what to send instead", async () => {
  const searches = requested(
    textSearch("order_number", beginning, () => Promise.reject(new TooManyArchived())),
  );

  await expect(readFound({ db, list: orderList, owner: "100" }, searches, firstPage)).rejects.toMatchObject({
    kind: "invalid",
    message: "order_number matches more than 40000 archived records, too many; send more characters",
  });
});

test("records that only one of several searches matches are not counted", async () => {
  const searches = requested(
    textSearch("order_number", beginning, finding(maxFound)),
    textSearch("order_reference", exact, finding(0)),
  );

  await expect(
    readFound({ db, list: orderList, owner: "100" }, searches, { ...firstPage, ...onDays(1) }),
  ).resolves.toEqual({
    records: [],
    total: 0,
  });
});
