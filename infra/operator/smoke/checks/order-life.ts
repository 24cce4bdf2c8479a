/**
 * An order from its product's creation to its shipment, and another one that is reverted: as clients have
 * them.
 */
import * as z from "zod/mini";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { findAnyOrder } from "../../../../shared/orders/storage/order-repository.ts";
import type { Caller } from "../caller.ts";
import { isApplied, jobSeconds, type Run, storeOf, untilApplied, warehouseOf, wms } from "../run.ts";
import { eventually } from "../steps.ts";
import { fetchWork, pick, reserve, signIn, unlessTaken } from "./picking.ts";

/** Units that are counted, and units that an order takes of them. */
const [counted, ordered] = [10, 2];

const oms = "/apirest/v4/oms";

/** Takes all steps of an order's life. @throws Stopped at the first one that fails */
export async function liveThrough(run: Run): Promise<{ readonly orderId: number }> {
  const { report } = run;
  const sku = `SMOKE-${run.account.accountId}`;
  await report.take("product", () => createProduct(run, sku));
  await report.take("recount", () => recount(run, sku));
  const orderId = await report.take("order", () => createOrder(run, sku, 1));
  await report.take("retry", () => retryOrder(run, sku, orderId));
  const picker = await report.take("sign-in", () => signIn(run));
  await report.take("claim", () => fetchWork(run, picker, orderId));
  await report.take("picks", () => pick(run, picker, orderId, { sku, quantity: ordered }));
  await report.take("weight", () => weigh(run, orderId));
  await report.take("shipment", () => ship(run, picker, sku, orderId));
  await report.take("revert", () => revertAnother(run, picker, sku));
  return { orderId };
}

async function createProduct(run: Run, sku: string): Promise<void> {
  const product = {
    sku,
    description: "Made by operator smoke",
    ...{ width: 1, length: 1, height: 1, weight: 1, cost: 1, retail: 1 },
    distribution_center: run.account.distributionCenter,
  };
  await storeOf(run).call(z.unknown(), { path: `${oms}/inventory/products`, body: { data: [product] } });
}

const stock = z.object({ data: z.array(z.object({ on_hand: z.int(), reserved: z.int() })) });

async function expectStock(run: Run, sku: string, onHand: number, reserved: number): Promise<void> {
  const { data } = await storeOf(run).call(stock, {
    method: "GET",
    path: `${oms}/inventory/stock?sku=${sku}`,
  });
  const [found] = data;
  if (found?.on_hand !== onHand || found.reserved !== reserved)
    throw new Error(
      `expected ${onHand} units on hand and ${reserved} reserved but found ${found?.on_hand} and ${found?.reserved}`,
    );
}

const recounted = z.object({ result: z.array(z.object({ correction_id: z.int() })) });

async function recount(run: Run, sku: string): Promise<void> {
  const { accountId, location, bin } = run.account;
  const bins = [{ location, bin, qty_in_bin: counted }];
  const body = [{ account_id: accountId, skus: [{ sku, bins }] }];
  const { result } = await warehouseOf(run).call(recounted, { path: `${wms}/recount`, body });
  for (const { correction_id } of result) {
    run.jobs.push(correction_id);
    await untilApplied(run, correction_id);
  }
  await expectStock(run, sku, counted, 0);
}

const orders = z.object({ data: z.array(z.object({ order_id: z.int() })) });

/** The call that creates the account's order of this number, of which each try carries the same key. */
const orderCall = ({ account: { accountId, shippingMethod } }: Run, sku: string, number: number) => ({
  path: `${oms}/orders`,
  headers: { "Idempotency-Key": `smoke-${accountId}-${number}` },
  body: {
    data: [
      {
        order_number: `SMOKE-${accountId}-${number}`,
        shipping_method: shippingMethod,
        customer: {
          firstname: "Smoke",
          address1: "1 Test Street",
          city: "Testville",
          state: "TS",
          zip: "00001",
          country: "US",
        },
        items: [{ sku, quantity: ordered }],
      },
    ],
  },
});

/** Creates an order, and makes it the picker's before any other picker may be given it. */
async function createOrder(run: Run, sku: string, number: number): Promise<number> {
  const { data } = await storeOf(run).call(orders, orderCall(run, sku, number));
  const [created] = data;
  if (created === undefined) throw new Error("the answer names no order");
  await reserve(run, created.order_id);
  if (number === 1) await expectStock(run, sku, counted, ordered);
  return created.order_id;
}

async function retryOrder(run: Run, sku: string, orderId: number): Promise<void> {
  const { body, headers } = await storeOf(run).answered(orders, orderCall(run, sku, 1));
  const [again] = body.data;
  if (headers.get("idempotent-replayed") !== "true")
    throw new Error("the retry was not answered by the first call's answer");
  if (again?.order_id !== orderId) {
    if (again !== undefined) await reserve(run, again.order_id);
    throw new Error(`the retry created another order, ${again?.order_id}`);
  }
  await expectStock(run, sku, counted, ordered);
}

const accepted = z.object({ response: z.object({ jobs: z.array(z.object({ job_id: z.int() })) }) });

/** Makes a call of the WMS that queues a job. @returns the job's id */
async function queued(run: Run, path: string, body: object): Promise<number> {
  const { response } = await warehouseOf(run).call(accepted, { path: `${wms}${path}`, body });
  const ids = response.jobs.map(({ job_id }) => job_id);
  run.jobs.push(...ids);
  const [jobId] = ids;
  if (jobId === undefined) throw new Error(`the answer to ${path} names no job`);
  return jobId;
}

async function weigh(run: Run, orderId: number): Promise<void> {
  const body = { data: [{ nbtybarcode: barcodeOf(orderId), weight: 1.5 }] };
  await untilApplied(run, await queued(run, "/orders/UpdateWeight", body));
}

const order = z.object({ data: z.object({ status: z.string() }) });

async function expectStatus(run: Run, orderId: number, status: string): Promise<void> {
  const { data } = await storeOf(run).call(order, { method: "GET", path: `${oms}/orders/${orderId}` });
  if (data.status !== status)
    throw new Error(`expected order ${orderId} to be ${status} but found ${data.status}`);
}

async function ship(run: Run, picker: Caller, sku: string, orderId: number): Promise<void> {
  const body = { order_id: orderId, approve: true, tracking_number: "SMOKE" };
  await picker.call(z.unknown(), { path: "/apiv2/mobile-v1/qc-shippings-1", body });
  await expectStatus(run, orderId, "Shipped");
  await expectStock(run, sku, counted - ordered, 0);
}

async function revertAnother(run: Run, picker: Caller, sku: string): Promise<void> {
  const orderId = await createOrder(run, sku, 2);
  await fetchWork(run, picker, orderId);
  await pick(run, picker, orderId, { sku, quantity: ordered });
  const jobId = await queued(run, "/shipments/revert/pending", { shipments_list: [orderId] });
  await unlessTaken(run, orderId, cancelOnceReverted(run, orderId, jobId));
  await untilApplied(run, jobId);
  await expectStatus(run, orderId, "Cancelled");
  await expectStock(run, sku, counted - ordered, 0);
}

/** Milliseconds between looks at an order that other pickers may be given as soon as it is Pending. */
const briefly = 20;

/**
 * Cancels an order as soon as a job has reverted it, because from then on it waits for whoever asks for work.
 */
async function cancelOnceReverted(run: Run, orderId: number, jobId: number): Promise<void> {
  const look = async (): Promise<true | undefined> => {
    const hasEnded = await isApplied(run, jobId);
    const status = (await findAnyOrder(run.db, orderId))?.status;
    if (hasEnded && status !== "Pending")
      throw new Error(`expected order ${orderId} to be Pending but found ${status}`);
    return status === "Pending" ? true : undefined;
  };
  await eventually(`order ${orderId} is reverted to Pending`, jobSeconds, look, briefly);
  await storeOf(run).call(z.unknown(), { path: `${oms}/orders/cancel`, body: { order_id: orderId } });
}
