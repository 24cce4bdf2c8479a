import { describe, expect, test } from "vitest";
import { newProducts, newStore } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const inMain = Array.from({ length: 5 }, () => unique("MAIN"));
const inEast = Array.from({ length: 4 }, () => unique("EAST"));
const inBoth = Array.from({ length: 2 }, () => unique("BOTH"));

const service = await sharedService({ demoData: true });
const owner = { db: service.db, ...(await newStore(service)) };
/** A store with 5 products at MAIN, 4 at EAST and 2 at both, in the order of their ids. */
const store = owner.oms;
await newProducts(owner, [
  ...inMain.map((sku) => ({ sku })),
  ...inEast.map((sku) => ({ sku, distribution_center: "EAST" })),
  ...inBoth.map((sku) => ({ sku })),
]);
await store.patch("/inventory/products", {
  data: inBoth.map((sku) => ({ sku, distribution_center: "EAST" })),
});

/** `SKU@center` of each level of an answer. */
const placesOf = (body: unknown) =>
  listAt(body, "data").map((level) => `${at(level, "sku")}@${at(level, "distribution_center")}`);

const placed = (center: string, skus: readonly string[]) => skus.map((sku) => `${sku}@${center}`);
const allPlaces = [
  ...placed("MAIN", inMain),
  ...placed("EAST", inEast),
  ...inBoth.flatMap((sku) => [`${sku}@MAIN`, `${sku}@EAST`]),
];

describe("stock levels", () => {
  test("without a filter are all of the account's, 1000 a page", async () => {
    const answer = await store.get("/inventory/stock");

    expect(new Set(placesOf(answer.body))).toEqual(new Set(allPlaces));
    expect(placesOf(answer.body)).toHaveLength(allPlaces.length);
    expect(at(answer.body, "metadata")).toEqual({
      page: 1,
      per_page: 1000,
      total_records: 13,
      total_pages: 1,
      total_current_page: 13,
    });
    expect(at(answer.body, "pagination")).toEqual({
      current_page: 1,
      per_page: 1000,
      total: 13,
      total_pages: 1,
    });
  });

  test.each<[string, string, readonly string[]]>([
    ["a SKU", `sku=${inMain[3]}`, placed("MAIN", inMain.slice(3, 4))],
    ["a SKU at two centers", `sku=${inBoth[1]}`, [`${inBoth[1]}@MAIN`, `${inBoth[1]}@EAST`]],
    ["an unknown SKU", "sku=NO-SUCH", []],
    ["a SKU in other letters", `sku=${inMain[3]?.toLowerCase()}`, []],
    ["a center", "distribution_center=MAIN", [...placed("MAIN", inMain), ...placed("MAIN", inBoth)]],
    ["another center", "distribution_center=EAST", [...placed("EAST", inEast), ...placed("EAST", inBoth)]],
    ["an unknown center", "distribution_center=WEST", []],
    ["a center in other letters", "distribution_center=main", []],
    ["a center that keeps nothing", "distribution_center=IDLE", []],
    ["a SKU and its center", `sku=${inBoth[0]}&distribution_center=EAST`, [`${inBoth[0]}@EAST`]],
    ["a SKU and another center", `sku=${inMain[0]}&distribution_center=EAST`, []],
    ["a SKU and an unknown center", `sku=${inMain[0]}&distribution_center=WEST`, []],
    ["an unknown SKU and a center", "sku=NO-SUCH&distribution_center=MAIN", []],
  ])("by %s are exactly those", async (_case, query, places) => {
    const answer = await store.get(`/inventory/stock?${query}`);

    expect(answer.status).toBe(200);
    expect(placesOf(answer.body)).toEqual(places);
    expect(numberAt(answer.body, "metadata.total_records")).toBe(places.length);
    expect(numberAt(answer.body, "pagination.total")).toBe(places.length);
  });

  test.each([
    ["", 13],
    ["distribution_center=MAIN", 7],
    [`sku=${inBoth[1]}`, 2],
  ])("have pages that partition the whole: %s", async (query, total) => {
    const whole = await store.get(`/inventory/stock?${query}`);

    for (const per_page of [1, 5, 13]) {
      const count = Math.ceil(total / per_page);
      const pages = await Promise.all(
        Array.from({ length: count + 1 }, (_, index) =>
          store.get(`/inventory/stock?per_page=${per_page}&page=${index + 1}&${query}`),
        ),
      );

      expect(pages.flatMap(({ body }) => placesOf(body))).toEqual(placesOf(whole.body));
      for (const { body } of pages) {
        expect(numberAt(body, "metadata.total_records")).toBe(total);
        expect(numberAt(body, "metadata.total_pages")).toBe(count);
      }
    }
  });
});
