import { describe, expect, test } from "vitest";
import { stockList } from "../../../shared/catalog/products/product-lists.ts";
import { readPastStock } from "../../../shared/stock/past/past-stock.ts";
import { unattendedBudgetMs, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import {
  newProduct,
  newProducts,
  newStore,
  pendingOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { recountOf } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** The present, with a pause around it, so that nothing else happens in its millisecond. */
async function moment(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const now = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return now;
}

const service = await sharedService();
const before = await moment();
/** A product that is counted and then ordered, and the moments before, between and after. */
const product = await newProduct(service);
const counts = recountOf(product.sku, [{ location: "B1", bin: "02", qty_in_bin: 20 }], {
  account_id: service.accountId,
});
await service.wms.post("/recount", counts);
await service.settled();
const counted = await moment();
await pendingOrder(service, [{ sku: product.sku, quantity: 3 }]);
await service.settled();
const moments = { before, counted, ordered: await moment() };

const stockAt = async (as_of: string, query = `sku=${product.sku}`) =>
  service.oms.get(`/inventory/stock?as_of=${encodeURIComponent(as_of)}&${query}`);

const level = (as_of: string, on_hand: number, reserved: number) => ({
  sku: product.sku,
  product_id: product.product_id,
  distribution_center: "MAIN",
  on_hand,
  reserved,
  available: on_hand - reserved,
  held: null,
  incoming: null,
  as_of,
});

describe("GET /inventory/stock?as_of=", () => {
  test("answers stock as it was then", async () => {
    const counted = await stockAt(moments.counted);
    const ordered = await stockAt(moments.ordered);

    expect(at(counted.body, "data")).toEqual([level(moments.counted, 20, 0)]);
    expect(at(ordered.body, "data")).toEqual([level(moments.ordered, 20, 3)]);
  });

  test("shows no record of a product that did not exist then", async () => {
    const { status, body } = await stockAt(moments.before);

    expect(status).toBe(200);
    expect(at(body, "data")).toEqual([]);
  });

  test("reads its page once, whatever holds end meanwhile", async () => {
    const store = { db: service.db, ...(await newStore(service)) };
    const [first, ...others] = await Promise.all(
      Array.from({ length: 6 }, () => stockedProduct(store, { "A1/01": 20 })),
    );
    const skus = [...Array.from({ length: 12 }, () => first?.sku), ...others.map(({ sku }) => sku)];
    const held = await store.oms.post("/inventory/holds", {
      data: skus.map((sku) => ({ sku, quantity: 1, expires_in: 60 })),
    });
    const as_of = await moment();
    const ids = listAt(held.body, "data").map((hold) => at(hold, "hold_id"));
    const endHold = () => store.oms.send("DELETE", `/inventory/holds/${ids.shift()}`, undefined);
    /** How often the list's counters are read for a page, while this happens as holds are read. */
    const listReads = async (meanwhile: () => Promise<unknown>): Promise<number> => {
      let reads = 0;
      const count = {
        before: async () => {
          reads += 1;
        },
      };
      const { db, add } = troubledDatabase(service);
      add({ before: meanwhile }, { command: "Query", text: `hold#${store.accountId}`, times: 12 });
      add(count, { command: "any", text: `${stockList.name}s-of#${store.accountId}`, times: 1000 });
      const reader = { db, account_id: store.accountId, now: new Date().toISOString() };
      await withBudget(() => readPastStock(reader, { page: 1, per_page: 100 }, as_of), unattendedBudgetMs);
      return reads;
    };

    const quiet = await listReads(() => Promise.resolve());
    const disturbed = await listReads(endHold);

    expect(quiet).toBeGreaterThan(0);
    expect(disturbed).toBe(quiet);
    expect(ids.length).toBeLessThan(17);
  });

  test("pages all of the account's stock, each record once, as many as the total says", async () => {
    const owner = { ...service, ...(await newStore(service)) };
    const skus = (await newProducts(owner, 3)).map(({ sku }) => sku);
    const as_of = await moment();
    await newProduct(owner);

    const pages = await Promise.all(
      [1, 2].map((page) => owner.oms.get(`/inventory/stock?as_of=${as_of}&page=${page}&per_page=2`)),
    );

    expect(pages.map(({ body }) => at(body, "metadata.total_records"))).toEqual([3, 3]);
    const shown = pages.map(({ body }) => listAt(body, "data").map((one) => at(one, "sku")));
    expect(shown).toEqual([skus.slice(0, 2), skus.slice(2)]);
  });

  test("tells products apart that were created on the same day, and shows 0 for centers that came later", async () => {
    const owner = { ...service, ...(await newStore(service)) };
    const before = await moment();
    const { sku } = await newProduct(owner);
    const between = await moment();
    await newProduct(owner);
    await owner.oms.patch("/inventory/products", { data: [{ sku, distribution_center: "EAST" }] });

    const shown = await Promise.all(
      [before, between].map(async (as_of) => {
        const { body } = await owner.oms.get(`/inventory/stock?as_of=${as_of}`);
        const levels = listAt(body, "data").map((one) => [at(one, "sku"), at(one, "distribution_center")]);
        return [at(body, "metadata.total_records"), levels];
      }),
    );

    expect(shown).toEqual([
      [0, []],
      [
        2,
        [
          [sku, "MAIN"],
          [sku, "EAST"],
        ],
      ],
    ]);
  });

  test("takes a time with an offset, and answers it in UTC", async () => {
    const local = `${new Date(Date.parse(moments.counted) + 7_200_000).toISOString().slice(0, -1)}+02:00`;

    const { body } = await stockAt(local);

    expect(at(body, "data")).toEqual([level(moments.counted, 20, 0)]);
  });

  test("refuses a time in the future", async () => {
    const { status, body } = await stockAt("2999-01-01T00:00:00Z");

    const message = expect.stringMatching(/^is in the future: it is \d{4}-.*Z now$/);
    expect(status).toBe(400);
    expect(at(body, "response.errors")).toEqual([{ path: "as_of", message }]);
  });

  test("refuses a kit, whose components of then are not kept", async () => {
    const synset = `KIT-${product.sku}`;
    await service.oms.post("/inventory/synsets", {
      data: [{ synset, items: [{ sku: product.sku, quantity: 2 }] }],
    });

    const { status, body } = await stockAt(moments.ordered, `sku=${synset}`);

    expect(status).toBe(400);
    expect(at(body, "response.errors.0.path")).toBe("as_of");
  });

  test("is refused together with changes since a time, which a kit does not have either", async () => {
    const synset = `SET-${product.sku}`;
    await service.oms.post("/inventory/synsets", {
      data: [{ synset, items: [{ sku: product.sku, quantity: 2 }] }],
    });
    const since = `updated_since=${moments.ordered}`;

    const answers = [
      await stockAt(moments.ordered, since),
      await service.oms.get(`/inventory/stock?${since}&sku=${synset}`),
    ];

    const refusals = ["as_of, which answers a moment", `the kit ${synset}; send its components`];
    expect(answers.map(({ body }) => at(body, "response.errors"))).toEqual(
      refusals.map((other) => [{ path: "updated_since", message: `can't be combined with ${other}` }]),
    );
  });
});
