import { describe, expect, test } from "vitest";
import { expectEachBalanced } from "../../support/business/ledger.ts";
import { newProduct, newStore } from "../../support/business/world.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { recountOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const counts = (sku: string, bins: Parameters<typeof recountOf>[1], more: object = {}) =>
  recountOf(sku, bins, { account_id: service.accountId, ...more });

const binsOf = async (id: number) =>
  listAt((await service.wms.get(`/inventory/products/${id}/bin`)).body, "bin_list");

const correction = async (id: number) => at((await service.wms.get(`/recount/${id}`)).body, "data");

describe("a recount", () => {
  test("carries any text to its worker", async () => {
    const { sku } = await newProduct(service);
    const comment = "Counted \u{1f600}\uffff\u0001";
    const answer = await service.wms.post(
      "/recount",
      counts(sku, [{ location: "A1", bin: "03", qty: 1 }], { comment }),
    );
    await service.settled();

    expect(await correction(numberAt(answer.body, "result.0.correction_id"))).toMatchObject({
      status: "applied",
      description: comment,
    });
  });

  test("that states what the bin must hold is accepted once, however many are sent at the same time", async () => {
    const { sku } = await newProduct(service);
    const bin = { location: "A1", bin: "03" };
    await service.wms.post("/recount", counts(sku, [{ ...bin, qty_in_bin: 12, expected_quantity: 0 }]));
    const more = counts(sku, [{ ...bin, qty: 1, expected_quantity: 12 }]);

    const answers = await timesAtOnce(service, 3, () => service.wms.post("/recount", more));

    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status === 200)).toMatchObject([
      { body: { result: [{ new_quantity: 13 }] } },
    ]);
    expect(refused.map(({ body }) => at(body, "result.0.message"))).toEqual(
      Array(2).fill("expected_quantity is 12, but the bin will hold 13"),
    );
  });

  test("answers the interface's body and changes bin, stock and correction a moment later", async () => {
    const { sku, product_id: id } = await newProduct(service);
    const bins = [
      { location: "A1", bin: "03", qty_in_bin: 12 },
      { location: "B1", bin: "03", qty: 5 },
    ];
    const answer = await service.wms.post("/recount", counts(sku, bins, { comment: "Yearly count" }));
    const first = numberAt(answer.body, "result.0.correction_id");
    await service.settled();

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: `Recount queued for account ${service.accountId}, SKU ${sku}; correction_id ${first}, ${first + 1}`,
      result: [
        {
          account_id: service.accountId,
          sku,
          bin: "03",
          location: "A1",
          correction_id: first,
          error: false,
          new_quantity: 12,
          description: "Yearly count",
        },
        {
          account_id: service.accountId,
          sku,
          bin: "03",
          location: "B1",
          correction_id: first + 1,
          error: false,
          new_quantity: 5,
          description: "Yearly count",
        },
      ],
      code: 200,
    });
    expect(await correction(first)).toEqual({
      correction_id: first,
      status: "applied",
      reason: null,
      account_id: service.accountId,
      sku,
      product_id: id,
      location: "A1",
      bin: "03",
      qty_in_bin: 12,
      new_quantity: 12,
      description: "Yearly count",
      requested_by: "user:manager",
      request_id: expect.any(String),
      queued_at: expect.any(String),
      finished_at: expect.any(String),
      attempts: 1,
    });
    expect(await correction(first + 1)).toMatchObject({
      status: "applied",
      qty: 5,
      attempts: 1,
      reason: null,
    });
    expect(await binsOf(id)).toEqual([
      { BinID: 3, Location: "A1", Bin: "03", Quantity: 12, ProductID: id },
      { BinID: 9, Location: "B1", Bin: "03", Quantity: 5, ProductID: id },
    ]);
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 17, binned: 17 }]);
  });

  test("reckons each entry of a bin on those before it in the call", async () => {
    const { sku } = await newProduct(service);
    const place = { location: "A1", bin: "03" };
    const bins = [
      { ...place, qty_in_bin: 10 },
      { ...place, qty: -4 },
      { ...place, qty: -6 },
    ];
    const answer = await service.wms.post("/recount", counts(sku, bins));
    const tooMuch = await service.wms.post("/recount", counts(sku, [...bins, { ...place, qty: -1 }]));

    expect(listAt(answer.body, "result").map((entry) => at(entry, "new_quantity"))).toEqual([10, 6, 0]);
    expect(tooMuch.status).toBe(400);
    expect(at(tooMuch.body, "result.0.message")).toBe(
      "quantity not valid: the bin will hold 0, so a change by -1 would leave it below zero",
    );
  });

  test("takes blanks around names and nulls as if they were not sent, and warns of fields that it does not know", async () => {
    const { sku } = await newProduct(service);
    const bins = [{ location: " A1", bin: "03 ", qty: 2, qty_in_bin: null, note: "top" }];
    const record = { account_id: service.accountId, comment: null, skus: [{ sku: `${sku} `, bins }] };
    const answer = await service.wms.post("/recount", [record]);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      result: [
        { sku, location: "A1", bin: "03", new_quantity: 2, description: "Updated using the Recount API." },
      ],
      warnings: [{ path: "0.skus.0.bins.0.note", message: "is not a field of this call and was ignored" }],
    });
  });

  test("of an absolute quantity of 0 empties the bin, and the bin stays listed", async () => {
    const { sku, product_id: id } = await newProduct(service);
    const place = { location: "A2", bin: "03" };
    for (const qty_in_bin of [7, 0]) {
      await service.wms.post("/recount", counts(sku, [{ ...place, qty_in_bin }]));
      await service.settled();
    }

    expect(await binsOf(id)).toMatchObject([{ Quantity: 0 }]);
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 0 }]);
  });

  test("takes several accounts in one call and a hundred bin entries", async () => {
    const store = { db: service.db, ...(await newStore(service)) };
    const second = await newProduct(store);
    const { sku } = await newProduct(service);
    const bins = Array.from({ length: 99 }, () => ({ location: "A1", bin: "02", qty: 1 }));
    const other = {
      account_id: store.accountId,
      skus: [{ sku: second.sku, bins: [{ location: "A1", bin: "02", qty: 1 }] }],
    };
    const answer = await service.wms.post("/recount", [...counts(sku, bins), other]);
    await service.settled();

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "result")).toHaveLength(100);
    expect(at(answer.body, "message")).toContain(
      `account ${service.accountId}, SKU ${sku}; account ${store.accountId}, SKU ${second.sku}; correction_id `,
    );
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 99 }]);
    expect(await expectEachBalanced(store, [second.sku])).toMatchObject([{ on_hand: 1 }]);
  });
});
