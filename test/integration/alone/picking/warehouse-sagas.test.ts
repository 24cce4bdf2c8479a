import { worker as applyRevert } from "../../../../functions/jobs/apply-revert.ts";
import { endpoint as checkShippings } from "../../../../functions/v2/mobile/check-shippings.ts";
import { countGoods } from "../../../../infra/demo/load.ts";
import { applyJob } from "../../../../shared/jobs/apply.ts";
import { orders } from "../../../../shared/orders/storage/order-repository.ts";
import { maxPicksAndSerials } from "../../../../shared/picking/picking.ts";
import { shipOrder } from "../../../../shared/picking/picking-flows.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import {
  byManager,
  claim,
  newOrders,
  newProducts,
  pickFrom,
  pickItems,
} from "../../../support/business/world.ts";
import { batchByBatch } from "../../../support/http/one-by-one.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { acceptedJobs } from "../../../support/store/job-records.ts";
import { type Call, type Send, sagaRules } from "../../../support/store/saga-rules.ts";
import { keyed } from "../../../support/store/sagas.ts";

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

/** One unit of each product out of each place. */
const picksOf = ({ products, places }: Large) =>
  skus.slice(0, products).flatMap((sku) => places.map((place) => pickFrom(sku, 1, place)));

const service = await ownService({ paused: true });
const { db, accountId: account_id } = service;
const skus = (await newProducts(service, wide.products)).map(({ sku }) => sku);
const contents = [wide, deep].flatMap(picksOf).map((one) => ({ ...one, quantity: 100 }));
const count = { account_id, by: "user:manager", description: "Counted." };
await countGoods(db, count, [...new Map(contents.map((one) => [JSON.stringify(one), one])).values()]);

/** New orders for all that is picked. */
const newLargeOrders = ({ products, places }: Large, count: number) => {
  const lines = skus.slice(0, products).map((sku) => ({ sku, quantity: places.length }));
  return newOrders(service, Array(count).fill(lines));
};

/** A Pending order that is claimed and picked completely. */
async function pickedWhole(order_id: number, large: Large) {
  const picks = picksOf(large);
  const { reverted_by = null } = await claim(service, order_id);
  for (let start = 0; start < picks.length; start += maxPicksAndSerials)
    await pickItems(service, order_id, ...picks.slice(start, start + maxPicksAndSerials));
  return {
    says: String(order_id),
    shown: async () => {
      const order = (await orders.find(service.db, anyOwner, order_id))?.record;
      return `${order?.status}: ${order?.picks.length} picks`;
    },
    before: `Processing: ${picks.length} picks`,
    reverted_by,
  };
}

/** As many as the rules about steps ship. */
const toShip = batchByBatch(10, (count) => newLargeOrders(wide, count));

/** One order is claimed, picked and reverted again and again. */
let lasting: Promise<readonly number[]> | undefined;
async function toRevert(): Promise<number> {
  lasting ??= newLargeOrders(deep, 1);
  const [order_id = 0] = await lasting;
  return order_id;
}

/** What is to be reverted: an order, and the job that reverted it before. */
interface Reversion {
  readonly order_id: number;
  readonly last: number | null;
}

/** A queued job that reverts an order; its id. */
async function revertJob(payload: Reversion): Promise<number> {
  const [job] = await acceptedJobs(service.db, "revert", [payload]);
  if (job === undefined) throw new Error("no job was accepted");
  return job.job_id;
}

/** The revert of an order by its worker. A message that is delivered again finds the job finished. */
const revert = (jobId: number, payload: Reversion): Send =>
  keyed(checkShippings, async (db) => {
    await applyJob(applyRevert, db, { job_id: jobId, payload, by: "user:manager", attempts: 1 });
    return { order_id: payload.order_id };
  });

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  "order that is shipped": async () => {
    const order_id = await toShip();
    const order = await pickedWhole(order_id, wide);
    const begin = () =>
      keyed(checkShippings, (db, idempotency) =>
        shipOrder({ ...byManager(db), idempotency }, order_id, {}, ({ status }) => ({
          data: { order_id, status },
        })),
      );
    return { ...order, begin, after: `Shipped: ${wide.products} picks` };
  },
  "order that is reverted": async () => {
    const order_id = await toRevert();
    const { reverted_by, ...order } = await pickedWhole(order_id, deep);
    const payload = { order_id, last: reverted_by };
    const jobId = await revertJob(payload);
    return { ...order, begin: () => revert(jobId, payload), after: "Pending: 0 picks" };
  },
};

sagaRules(() => service, flows);
