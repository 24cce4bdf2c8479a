import { describe, expect, test } from "vitest";
import { barcodeOf } from "../../../shared/orders/order.ts";
import { claimedOrder, shelf, stockedProduct } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { recountOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const jobOf = async (id: number) => (await service.wms.get(`/jobs/${id}`)).body;

const applied = {
  status: "applied",
  reason: null,
  requested_by: "user:manager",
  request_id: expect.any(String),
  queued_at: expect.stringMatching(/Z$/),
  finished_at: expect.stringMatching(/Z$/),
  attempts: 1,
};

describe("a job can be looked up by the id that its call answered, whatever its kind", () => {
  test("a correction, a weight and a revert, each with what it is about", async () => {
    const { sku } = await stockedProduct(service, 3);
    const [first, second] = [
      await claimedOrder(service, [{ sku, quantity: 1 }]),
      await claimedOrder(service, [{ sku, quantity: 1 }]),
    ];
    const count = recountOf(sku, [{ ...shelf, qty: 2 }], { account_id: service.accountId });
    const counted = numberAt((await service.wms.post("/recount", count)).body, "result.0.correction_id");
    const data = [second, first].map((id) => ({ nbtybarcode: barcodeOf(id), weight: id }));
    const weights = listAt((await service.wms.post("/orders/UpdateWeight", { data })).body, "response.jobs");
    await service.settled();
    const list = { shipments_list: [first, second] };
    const reverts = listAt((await service.wms.post("/shipments/revert/pending", list)).body, "response.jobs");
    await service.settled();

    expect(weights.map((job) => at(job, "nbtybarcode"))).toEqual([second, first].map(barcodeOf));
    expect(reverts.map((job) => at(job, "order_id"))).toEqual([first, second]);
    const [weight, revert] = [numberAt(weights[1], "job_id"), numberAt(reverts[1], "job_id")];
    expect(new Set([counted, weight, revert]).size).toBe(3);
    expect(await jobOf(counted)).toMatchObject({
      data: {
        kind: "recount",
        job_id: counted,
        correction_id: counted,
        ...applied,
        sku,
        qty: 2,
        new_quantity: 5,
      },
    });
    expect(await jobOf(weight)).toEqual({
      data: {
        kind: "weight",
        job_id: weight,
        ...applied,
        order_id: first,
        nbtybarcode: barcodeOf(first),
        weight: first,
      },
    });
    expect(await jobOf(revert)).toEqual({
      data: {
        kind: "revert",
        job_id: revert,
        ...applied,
        order_id: second,
        nbtybarcode: barcodeOf(second),
      },
    });
    // It is a job, but no correction.
    expect((await service.wms.get(`/recount/${weight}`)).status).toBe(404);
  });
});
