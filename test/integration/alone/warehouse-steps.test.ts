import { afterAll, beforeAll } from "vitest";
import { worker as applyRevert } from "../../../functions/jobs/apply-revert.ts";
import { endpoint as checkShippings } from "../../../functions/v2/mobile/check-shippings.ts";
import { countGoods } from "../../../infra/demo/load.ts";
import { findAnyOrder } from "../../../shared/data/orders.ts";
import { applyJob } from "../../../shared/jobs/apply-job.ts";
import { shipOrder } from "../../../shared/operations/advance-order.ts";
import { insertJob, JobFinished } from "../../../shared/store/jobs.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { everyone, jobList } from "../../../shared/store/lists/definitions.ts";
import { transact } from "../../../shared/store/transact.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { type Call, stepRules } from "../../support/step-rules.ts";
import { keyed } from "../../support/steps.ts";
import { byManager, claimed, newProducts, pendingOrder, picked, pickFrom } from "../../support/world.ts";

/** An order of so many products, from two bins each, is shipped and reverted in three transactions or more. */
const many = 60;
const places = ["A1/01", "A1/02"];

let service: OwnService;
let lines: readonly { readonly sku: string; readonly quantity: number }[];
beforeAll(async () => {
  service = await startService({ paused: true });
  const { db, accountId: account_id } = service;
  lines = (await newProducts(service, many)).map(({ sku }) => ({ sku, quantity: 2 }));
  const goods = places.flatMap((name) => {
    const [location = "", bin = ""] = name.split("/");
    return lines.map(({ sku }) => ({ sku, location, bin, quantity: 100 }));
  });
  await countGoods(db, { account_id, by: "user:manager", description: "Counted." }, goods);
});
afterAll(() => service.runtime.stop());

/** A new order that is picked completely. */
async function pickedWhole() {
  const order_id = await pendingOrder(service, lines);
  await claimed(service, order_id);
  for (const place of places)
    await picked(service, order_id, ...lines.map(({ sku }) => pickFrom(sku, 1, place)));
  return {
    order_id,
    says: String(order_id),
    shown: async () => {
      const order = await findAnyOrder(service.db, order_id);
      return `${order?.status}: ${order?.picks.length} picks`;
    },
    before: `Processing: ${many * places.length} picks`,
  };
}

/** The revert of an order by its worker. A message that is delivered again finds the job finished. */
async function revert(order_id: number): Promise<Call["send"]> {
  const { firstId: jobId, at } = await allocate(service.db, jobList, everyone, 1);
  const payload = { order_id, last: null };
  await transact(service.db, [insertJob("revert", { job_id: jobId, by: "user:manager", payload }, at)]);
  return keyed(checkShippings, async (db) => {
    const applied = applyJob(applyRevert, { db, jobId, payload, by: "user:manager" }, 1);
    await applied.catch((error: unknown) => {
      if (!(error instanceof JobFinished)) throw error;
    });
    return { order_id };
  });
}

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  "order that is shipped": async () => {
    const { order_id, ...order } = await pickedWhole();
    const send = keyed(checkShippings, (db, foresee) =>
      shipOrder({ ...byManager(db), foresee }, order_id, {}, ({ status }) => ({
        data: { order_id, status },
      })),
    );
    return { ...order, send, after: `Shipped: ${many * places.length} picks` };
  },
  "order that is reverted": async () => {
    const { order_id, ...order } = await pickedWhole();
    return { ...order, send: await revert(order_id), after: "Pending: 0 picks" };
  },
};

stepRules(() => service, flows);
