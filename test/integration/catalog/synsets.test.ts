import { describe, expect, test } from "vitest";
import { endpoint as createSynsets } from "../../../functions/oms/inventory/synsets/create-synsets.ts";
import { newProduct, pendingOrder, stockedProduct } from "../../support/business/world.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { createAndAnswer } from "../../support/records/flows.ts";
import { recountOf, synsetOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });
const { sku } = await newProduct(service);
const kits = Array.from({ length: 24 }, () => synsetOf([{ sku, quantity: 2 }]));
const { data } = await createAndAnswer(service, createSynsets, ...kits);
const records = data.map((_, position) => at({ data }, `data.${position}`));
/** Kits that no test has touched yet, of a product that nothing else happens to. */
const freshSynset = oneByOne(records);

const post = (...data: readonly unknown[]) => service.oms.post("/inventory/synsets", { data });
const patch = (...data: readonly unknown[]) => service.oms.patch("/inventory/synsets", { data });
const get = (identifier: string | number) =>
  service.oms.get(`/inventory/synsets/${encodeURIComponent(identifier)}`);

/** A synset as it was answered: a new one, or any that no test has touched. */
async function newSynset(sent?: ReturnType<typeof synsetOf>) {
  const record =
    sent === undefined ? freshSynset() : at(await createAndAnswer(service, createSynsets, sent), "data.0");
  return {
    record,
    synset: String(at(record, "synset")),
    synset_id: numberAt(record, "synset_id"),
  };
}

async function stockOf(synset: string) {
  const { body } = await get(synset);
  return { available: at(body, "data.available"), limited_by: at(body, "data.limited_by") };
}

/** Counts another so many units of a product in or out. */
async function recount(sku: string, location: string, bin: string, qty: number): Promise<void> {
  const counts = recountOf(sku, [{ location, bin, qty }], { account_id: service.accountId });
  await service.wms.post("/recount", counts);
  await service.settled();
}

describe("reading a synset", () => {
  test("by a name that is another's id finds the one with the name", async () => {
    const other = await newSynset();
    const named = await newSynset(synsetOf(undefined, { synset: String(other.synset_id) }));

    const answer = await get(other.synset_id);

    expect(answer.body).toEqual({ data: named.record });
  });
});

describe("changing synsets", () => {
  test("by id is 404, since the name says which", async () => {
    const { synset_id } = await newSynset();

    const answer = await patch({ synset: String(synset_id) });

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe(`There is no synset with the name ${synset_id}`);
  });
});

describe("how many can be built", () => {
  test("follows reservations, counts and cancellations, and names what limits it", async () => {
    const [{ sku: shirt }, { sku: cup }] = [
      await stockedProduct(service, 10),
      await stockedProduct(service, 9),
    ];
    const { synset } = await newSynset(
      synsetOf([
        { sku: shirt, quantity: 2 },
        { sku: cup, quantity: 1 },
      ]),
    );
    const order = (sku: string, quantity: number) => pendingOrder(service, [{ sku, quantity }]);
    const seen = [await stockOf(synset)];

    await order(shirt, 1);
    seen.push(await stockOf(synset));
    const order_id = await order(cup, 6);
    seen.push(await stockOf(synset));
    await recount(cup, "A1", "03", -4);
    seen.push(await stockOf(synset));
    await service.oms.post("/orders/cancel", { order_id });
    seen.push(await stockOf(synset));

    expect(seen).toEqual([
      { available: 5, limited_by: shirt },
      { available: 4, limited_by: shirt },
      { available: 3, limited_by: cup },
      { available: 0, limited_by: cup },
      { available: 4, limited_by: shirt },
    ]);
  });

  test("is what the distribution center has that a component's orders are reserved in", async () => {
    const { sku } = await stockedProduct(service, 10);
    const { synset } = await newSynset(synsetOf([{ sku, quantity: 2 }]));
    const before = await stockOf(synset);

    await service.oms.patch("/inventory/products", { data: [{ sku, distribution_center: "EAST" }] });
    const moved = await stockOf(synset);
    await recount(sku, "E1", "01", 7);
    const counted = await stockOf(synset);

    expect([before, moved, counted].map(({ available }) => available)).toEqual([5, 0, 3]);
  });

  test("reads the same in every answer", async () => {
    const { sku } = await stockedProduct(service, 7);
    const sent = synsetOf([{ sku, quantity: 3 }]);

    const created = await post(sent);
    const patched = await patch({ synset: sent.synset });
    const listed = await service.oms.get("/inventory/synsets?per_page=1");
    const read = await get(sent.synset);

    for (const record of [
      at(created.body, "data.0"),
      at(patched.body, "data.0"),
      at(listed.body, "data.0"),
      at(read.body, "data"),
    ]) {
      expect(record).toMatchObject({ synset: sent.synset, available: 2, limited_by: sku });
    }
  });
});
