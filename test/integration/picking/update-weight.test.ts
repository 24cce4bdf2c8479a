import { describe, expect, test } from "vitest";
import { setUpStore } from "../../../infra/demo/registry.ts";
import { barcodeOf } from "../../../shared/orders/order.ts";
import { storedOrders } from "../../support/business/stored.ts";
import {
  claimEach,
  claimedOrder,
  newOrders,
  newProduct,
  newStore,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { expectRefusal } from "../../support/http/refused.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { jobsAbout, jobsOf } from "../../support/store/job-records.ts";

const service = await sharedService();
/** One unit of goods of which there are enough. */
const line = [{ sku: (await stockedProduct(service, 10)).sku, quantity: 1 }];
/** An order of the account for calls that are refused. */
const processing = await claimedOrder(service, line);

async function inProcessing(count: number): Promise<readonly number[]> {
  const ids = await newOrders(
    service,
    Array.from({ length: count }, () => line),
  );
  await claimEach(service, ids);
  return ids;
}

const weigh = (data: unknown, headers = {}): Promise<Answer> =>
  service.wms.post("/orders/UpdateWeight", { data }, headers);

const record = (id: number, weight: unknown = 1) => ({ nbtybarcode: barcodeOf(id), weight });

const orderNow = async (id: number) => at((await service.oms.get(`/orders/${id}`)).body, "data");

describe("weighing orders", () => {
  test("is accepted at once; a moment later the order shows its weight, when, and who asked", async () => {
    const [id = 0] = await inProcessing(1);
    const before = await orderNow(id);
    const answer = await weigh([record(id, 2.345)]);
    await service.settled();
    const after = await orderNow(id);

    const [job] = await jobsAbout(service.db, "weight", id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      response: {
        success: true,
        message: "The request is accepted and will be processed soon (weights: 1)",
        jobs: [{ job_id: job?.job_id, order_id: id, nbtybarcode: barcodeOf(id) }],
      },
    });
    expect(before).toMatchObject({ weight: null, weight_updated_at: null, status: "Processing" });
    expect(after).toMatchObject({ weight: 2.345, weight_updated_at: job?.finished_at, status: "Processing" });
    expect(at(after, "updated_at")).toBe(job?.finished_at);
    expect(listAt(after, "history").at(-1)).toEqual({
      at: job?.finished_at,
      by: "user:manager",
      changed: ["weight", "weight_updated_at"],
      weight: { from: null, to: 2.345 },
      weight_updated_at: { from: null, to: job?.finished_at },
    });
    expect(job).toMatchObject({ status: "applied", reason: null, attempts: 1, by: "user:manager" });
    expect(JSON.stringify(after)).not.toMatch(/weighed_by|reverted_by/);
  });

  test("takes a hundred at once, of any account, Processing or Shipped", async () => {
    const store = { db: service.db, ...(await newStore(service)) };
    await setUpStore(service.db, store.accountId);
    const { sku } = await newProduct(store);
    const theirs = await claimedOrder(store, [{ sku, quantity: 1 }]);
    const { order_id: gone } = await shippedOrder(service, line);
    const ours = [gone, ...(await inProcessing(98))];
    const answer = await weigh([...ours, theirs].map((id, position) => record(id, position + 0.5)));
    await service.settled();

    const stored = await storedOrders(service, ours);
    const read = await store.oms.get(`/orders/${theirs}`);
    expect(answer.status).toBe(200);
    expect(stored.map(({ weight }) => weight)).toEqual(ours.map((_, position) => position + 0.5));
    expect(stored[0]?.status).toBe("Shipped");
    expect(at(read.body, "data.weight")).toBe(99.5);
  });
});

describe("a wrong call is 400 and queues nothing", () => {
  test("for an unknown barcode beside a valid record", async () => {
    const answer = await weigh([record(processing), record(999_999_999)]);

    expectRefusal(answer, "data.1.nbtybarcode", "is the barcode of no order (NB0999999999)");
  });

  changeNothing(async () => {
    await service.settled();
    const order = await orderNow(processing);
    expect(order).toMatchObject({ weight: null });
    return { jobs: await jobsOf(service.db, "weight"), order };
  });
});
