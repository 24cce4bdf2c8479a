import { afterAll, beforeAll } from "vitest";
import { worker as applyRevert } from "../../../functions/jobs/apply-revert.ts";
import { endpoint as checkShippings } from "../../../functions/v2/mobile/check-shippings.ts";
import { countGoods } from "../../../infra/demo/load.ts";
import { findAnyOrder } from "../../../shared/data/orders.ts";
import { mostPickPlaces } from "../../../shared/domain/picking/picking.ts";
import { applyJob } from "../../../shared/jobs/apply-job.ts";
import { shipOrder } from "../../../shared/operations/advance-order.ts";
import { insertJob, JobFinished } from "../../../shared/store/jobs.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { everyone, jobList } from "../../../shared/store/lists/definitions.ts";
import { transact } from "../../../shared/store/transact.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { type Call, type Send, stepRules } from "../../support/step-rules.ts";
import { keyed } from "../../support/steps.ts";
import { byManager, claimed, newProducts, pendingOrder, picked, pickFrom } from "../../support/world.ts";

/** An order of which picks are shipped or reverted in three transactions: the first, a step and the last. */
interface Large {
  readonly products: number;
  readonly places: readonly string[];
}

/** What is shipped changes the stock of each product, and has a movement of it. */
const wide: Large = { products: 50, places: ["A1/01"] };

/** What is reverted changes each bin. Few products are picked faster than many. */
const deep: Large = {
  products: 12,
  places: ["A1", "A2", "B1"].flatMap((location) => ["01", "02", "03"].map((bin) => `${location}/${bin}`)),
};

let service: OwnService;
let skus: readonly string[];
beforeAll(async () => {
  service = await startService({ paused: true });
  const { db, accountId: account_id } = service;
  skus = (await newProducts(service, wide.products)).map(({ sku }) => sku);
  const contents = [wide, deep].flatMap(picksOf).map((one) => ({ ...one, quantity: 100 }));
  const count = { account_id, by: "user:manager", description: "Counted." };
  await countGoods(db, count, [...new Map(contents.map((one) => [JSON.stringify(one), one])).values()]);
});
afterAll(() => service.runtime.stop());

/** One unit of each product out of each place. */
const picksOf = ({ products, places }: Large) =>
  skus.slice(0, products).flatMap((sku) => places.map((place) => pickFrom(sku, 1, place)));

/** A new order that is picked completely. */
async function pickedWhole(large: Large) {
  const [picks, quantity] = [picksOf(large), large.places.length];
  const order_id = await pendingOrder(
    service,
    skus.slice(0, large.products).map((sku) => ({ sku, quantity })),
  );
  await claimed(service, order_id);
  for (let start = 0; start < picks.length; start += mostPickPlaces)
    await picked(service, order_id, ...picks.slice(start, start + mostPickPlaces));
  return {
    order_id,
    says: String(order_id),
    shown: async () => {
      const order = await findAnyOrder(service.db, order_id);
      return `${order?.status}: ${order?.picks.length} picks`;
    },
    before: `Processing: ${picks.length} picks`,
  };
}

const payloadOf = (order_id: number) => ({ order_id, last: null });

/** A queued job that reverts an order; its id. */
async function revertJob(order_id: number): Promise<number> {
  const { firstId: job_id, at } = await allocate(service.db, jobList, everyone, 1);
  const payload = payloadOf(order_id);
  await transact(service.db, [insertJob("revert", { job_id, by: "user:manager", payload }, at)]);
  return job_id;
}

/** The revert of an order by its worker. A message that is delivered again finds the job finished. */
const revert = (jobId: number, order_id: number): Send =>
  keyed(checkShippings, async (db) => {
    const payload = payloadOf(order_id);
    const applied = applyJob(applyRevert, { db, jobId, payload, by: "user:manager" }, 1);
    await applied.catch((error: unknown) => {
      if (!(error instanceof JobFinished)) throw error;
    });
    return { order_id };
  });

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  "order that is shipped": async () => {
    const { order_id, ...order } = await pickedWhole(wide);
    const begin = () =>
      keyed(checkShippings, (db, foresee) =>
        shipOrder({ ...byManager(db), foresee }, order_id, {}, ({ status }) => ({
          data: { order_id, status },
        })),
      );
    return { ...order, begin, after: `Shipped: ${wide.products} picks` };
  },
  "order that is reverted": async () => {
    const { order_id, ...order } = await pickedWhole(deep);
    const jobId = await revertJob(order_id);
    return { ...order, begin: () => revert(jobId, order_id), after: "Pending: 0 picks" };
  },
};

stepRules(() => service, flows);
