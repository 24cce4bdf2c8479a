import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longestChain } from "../../../infra/local/index.ts";
import { pickOrder } from "../../../shared/operations/pick-order.ts";
import { at, listAt, numberAt } from "../../support/client.ts";
import { byManager, claimedOrder } from "../../support/goods.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { productOf, recountOf } from "../../support/records.ts";
import { asItIs } from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

/** A product of account 100 that lies nowhere yet. */
async function newProduct(): Promise<{ readonly sku: string; readonly id: number }> {
  const product = productOf();
  const created = await service.oms.post("/inventory/products", { data: [product] });
  return { sku: product.sku, id: numberAt(created.body, "data.0.product_id") };
}

const binsOf = async (id: number) =>
  listAt((await service.wms.get(`/inventory/products/${id}/bin`)).body, "bin_list");

const correction = async (id: number) => at((await service.wms.get(`/recount/${id}`)).body, "data");

describe("a recount", () => {
  test("that counts goods of which some are picked before it is applied fails, and undoes no pick", async () => {
    const { sku, id } = await newProduct();
    const place = { location: "A1", bin: "03" };
    await service.wms.post("/recount", recountOf(sku, [{ ...place, qty: 10 }]));
    await service.runtime.settled();
    const orderId = await claimedOrder(service, [{ sku, quantity: 4 }]);
    await service.runtime.pause();
    const counted = await service.wms.post("/recount", recountOf(sku, [{ ...place, qty_in_bin: 10 }]));
    await pickOrder(byManager(service.db), orderId, [{ sku, ...place, quantity: 4 }], asItIs);
    service.runtime.resume();
    await service.runtime.settled();

    expect(await correction(numberAt(counted.body, "result.0.correction_id"))).toMatchObject({
      status: "failed",
      reason: "the bin changed since it was counted: goods were put in or taken out",
    });
    expect(await binsOf(id)).toMatchObject([{ Quantity: 6 }]);
    expect(await expectBalanced(service, sku)).toMatchObject({ on_hand: 10, binned: 6, picked: 4 });
  });

  test("carries any text to its worker", async () => {
    const { sku } = await newProduct();
    const comment = "Counted \u{1f600}\uffff\u0001";
    const answer = await service.wms.post(
      "/recount",
      recountOf(sku, [{ location: "A1", bin: "03", qty: 1 }], { comment }),
    );
    await service.runtime.settled();

    expect(await correction(numberAt(answer.body, "result.0.correction_id"))).toMatchObject({
      status: "applied",
      description: comment,
    });
  });

  test("answers the interface's body and changes bin, stock and correction a moment later", async () => {
    const { sku, id } = await newProduct();
    const bins = [
      { location: "A1", bin: "03", qty_in_bin: 12 },
      { location: "B1", bin: "03", qty: 5 },
    ];
    const answer = await service.wms.post("/recount", recountOf(sku, bins, { comment: "Yearly count" }));
    const first = numberAt(answer.body, "result.0.correction_id");
    await service.runtime.settled();

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: `Recount queued for account 100, SKU ${sku}; correction_id ${first}, ${first + 1}`,
      result: [
        {
          account_id: 100,
          sku,
          bin: "03",
          location: "A1",
          correction_id: first,
          error: false,
          new_quantity: 12,
          description: "Yearly count",
        },
        {
          account_id: 100,
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
    expect(await correction(first)).toMatchObject({
      status: "applied",
      qty_in_bin: 12,
      requested_by: "user:manager",
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
    expect(await expectBalanced(service, sku)).toMatchObject({ on_hand: 17, binned: 17 });
  });

  test("reckons each entry of a bin on those before it in the call", async () => {
    const { sku } = await newProduct();
    const place = { location: "A1", bin: "03" };
    const bins = [
      { ...place, qty_in_bin: 10 },
      { ...place, qty: -4 },
      { ...place, qty: -6 },
    ];
    const answer = await service.wms.post("/recount", recountOf(sku, bins));
    const tooMuch = await service.wms.post("/recount", recountOf(sku, [...bins, { ...place, qty: -1 }]));

    expect(listAt(answer.body, "result").map((entry) => at(entry, "new_quantity"))).toEqual([10, 6, 0]);
    expect(tooMuch.status).toBe(400);
    expect(at(tooMuch.body, "result.0.message")).toBe("quantity not valid");
  });

  test("that no longer fits when it is applied fails with the reason and changes nothing", async () => {
    const { sku, id } = await newProduct();
    const place = { location: "A2", bin: "02" };
    await service.wms.post("/recount", recountOf(sku, [{ ...place, qty_in_bin: 5 }]));
    await service.runtime.settled();
    await service.runtime.pause();
    const answers = [];
    for (let call = 0; call < 2; call += 1) {
      answers.push(await service.wms.post("/recount", recountOf(sku, [{ ...place, qty: -4 }])));
    }
    service.runtime.resume();
    await service.runtime.settled();

    const ended = await Promise.all(
      answers.map(({ body }) => correction(numberAt(body, "result.0.correction_id"))),
    );
    const failed = ended.filter((job) => at(job, "status") === "failed");
    expect(ended.map((job) => at(job, "status")).sort()).toEqual(["applied", "failed"]);
    expect(at(failed[0], "reason")).toBe("quantity not valid: the bin holds 1, the change is -4");
    expect(await binsOf(id)).toMatchObject([{ Quantity: 1 }]);
    await expectBalanced(service, sku);
  });

  test("of an absolute quantity of 0 empties the bin, and the bin stays listed", async () => {
    const { sku, id } = await newProduct();
    const place = { location: "A2", bin: "03" };
    for (const qty_in_bin of [7, 0]) {
      await service.wms.post("/recount", recountOf(sku, [{ ...place, qty_in_bin }]));
      await service.runtime.settled();
    }

    expect(await binsOf(id)).toMatchObject([{ Quantity: 0 }]);
    expect(await expectBalanced(service, sku)).toMatchObject({ on_hand: 0 });
  });

  test("takes several accounts in one call and a hundred bin entries", async () => {
    const second = productOf();
    await service.omsOf(101).post("/inventory/products", { data: [second] });
    const { sku } = await newProduct();
    const bins = Array.from({ length: 99 }, () => ({ location: "A1", bin: "02", qty: 1 }));
    const other = {
      account_id: 101,
      skus: [{ sku: second.sku, bins: [{ location: "A1", bin: "02", qty: 1 }] }],
    };
    const mark = service.runtime.mark();
    const answer = await service.wms.post("/recount", [...recountOf(sku, bins), other]);
    const calls = service.runtime
      .calls(mark)
      .filter((call) => call.function === "wms/recount" && call.service === "dynamodb");
    await service.runtime.settled();

    expect(answer.status).toBe(200);
    expect(listAt(answer.body, "result")).toHaveLength(100);
    expect(longestChain(calls)).toBeLessThanOrEqual(6);
    expect(await expectBalanced(service, sku)).toMatchObject({ on_hand: 99 });
  });

  test("of +1 a hundred times at once, each message delivered twice, ends at exactly +100", async () => {
    const { sku, id } = await newProduct();
    const body = recountOf(sku, [{ location: "B1", bin: "02", qty: 1 }]);
    service.runtime.faults.add({ effect: "duplicate", operation: "SendMessageBatch", times: 100 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => service.wms.post("/recount", body)));
    await service.runtime.settled();
    service.runtime.faults.clear();

    const ids = answers.map((answer) => numberAt(answer.body, "result.0.correction_id"));
    const ended = await Promise.all(ids.map(correction));
    expect(new Set(ids).size).toBe(100);
    expect(new Set(ended.map((job) => at(job, "status")))).toEqual(new Set(["applied"]));
    expect(await binsOf(id)).toMatchObject([{ Quantity: 100 }]);
    const ledger = await expectBalanced(service, sku);
    expect(ledger).toMatchObject({ on_hand: 100 });
    expect(ledger.movements).toHaveLength(100);
  });
});
