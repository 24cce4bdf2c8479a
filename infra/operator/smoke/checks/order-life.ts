/** Takes one order from the product's creation to the shipment, and reverts another, over the public API. */
import * as z from "zod/mini";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { findAnyOrder } from "../../../../shared/orders/storage/order-repository.ts";
import type { ApiClient } from "../api-client.ts";
import { isApplied, jobTimeoutSeconds, omsClient, type Run, untilApplied, wms, wmsClient } from "../run.ts";
import { pollUntil } from "../steps.ts";
import { fetchWork, pick, reserve, signIn, unlessTaken } from "./picking.ts";

/** The units in stock, and the units of each order. */
const [counted, ordered] = [10, 2];

const oms = "/apirest/v4/oms";

/** @returns the id of the shipped order @throws Stopped at the first step that fails */
export async function runOrderLife(run: Run): Promise<number> {
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
  return orderId;
}

async function createProduct(run: Run, sku: string): Promise<void> {
  const product = {
    sku,
    description: "Created by operator smoke",
    ...{ width: 1, length: 1, height: 1, weight: 1, cost: 1, retail: 1 },
    distribution_center: run.account.distributionCenter,
  };
  await omsClient(run).post(z.unknown(), `${oms}/inventory/products`, { data: [product] });
}

const stock = z.object({ data: z.array(z.object({ on_hand: z.int(), reserved: z.int() })) });

async function expectStock(run: Run, sku: string, onHand: number, reserved: number): Promise<void> {
  const { data } = await omsClient(run).get(stock, `${oms}/inventory/stock?sku=${sku}`);
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
  const { result } = await wmsClient(run).post(recounted, `${wms}/recount`, body);
  for (const { correction_id } of result) {
    run.jobs.push(correction_id);
    await untilApplied(run, correction_id);
  }
  await expectStock(run, sku, counted, 0);
}

const orders = z.object({ data: z.array(z.object({ order_id: z.int() })) });

const customer = {
  ...{ firstname: "Smoke", address1: "1 Test Street", city: "Testville", state: "TS" },
  ...{ zip: "00001", country: "US" },
};

/** Creates the account's first or second order. A retry has the same idempotency key. */
function sendOrder(run: Run, sku: string, number: number) {
  const { accountId, shippingMethod: shipping_method } = run.account;
  const items = [{ sku, quantity: ordered }];
  const order = { order_number: `SMOKE-${accountId}-${number}`, shipping_method, customer, items };
  return omsClient(run).send(orders, `${oms}/orders`, {
    method: "POST",
    headers: { "Idempotency-Key": `smoke-${accountId}-${number}` },
    body: JSON.stringify({ data: [order] }),
  });
}

/** Creates an order and assigns it to the test's picker before another picker can be given it. */
async function createOrder(run: Run, sku: string, number: number): Promise<number> {
  const { body } = await sendOrder(run, sku, number);
  const [created] = body.data;
  if (created === undefined) throw new Error("the response has no order");
  await reserve(run, created.order_id);
  if (number === 1) await expectStock(run, sku, counted, ordered);
  return created.order_id;
}

async function retryOrder(run: Run, sku: string, orderId: number): Promise<void> {
  const { body, headers } = await sendOrder(run, sku, 1);
  const [again] = body.data;
  if (headers.get("idempotent-replayed") !== "true")
    throw new Error("the retry did not get the response of the first request");
  if (again?.order_id !== orderId) {
    if (again !== undefined) await reserve(run, again.order_id);
    throw new Error(`the retry created another order, ${again?.order_id}`);
  }
  await expectStock(run, sku, counted, ordered);
}

const accepted = z.object({ response: z.object({ jobs: z.array(z.object({ job_id: z.int() })) }) });

/** Sends a request to the WMS that queues a job. @returns the job's id */
async function queueJob(run: Run, path: string, body: object): Promise<number> {
  const { response } = await wmsClient(run).post(accepted, `${wms}${path}`, body);
  const ids = response.jobs.map(({ job_id }) => job_id);
  run.jobs.push(...ids);
  const [jobId] = ids;
  if (jobId === undefined) throw new Error(`the response to ${path} has no job`);
  return jobId;
}

async function weigh(run: Run, orderId: number): Promise<void> {
  const body = { data: [{ nbtybarcode: barcodeOf(orderId), weight: 1.5 }] };
  await untilApplied(run, await queueJob(run, "/orders/UpdateWeight", body));
}

const order = z.object({ data: z.object({ status: z.string() }) });

async function expectStatus(run: Run, orderId: number, status: string): Promise<void> {
  const { data } = await omsClient(run).get(order, `${oms}/orders/${orderId}`);
  if (data.status !== status)
    throw new Error(`expected order ${orderId} to be ${status} but found ${data.status}`);
}

async function ship(run: Run, picker: ApiClient, sku: string, orderId: number): Promise<void> {
  const body = { order_id: orderId, approve: true, tracking_number: "SMOKE" };
  await picker.post(z.unknown(), "/apiv2/mobile-v1/qc-shippings-1", body);
  await expectStatus(run, orderId, "Shipped");
  await expectStock(run, sku, counted - ordered, 0);
}

async function revertAnother(run: Run, picker: ApiClient, sku: string): Promise<void> {
  const orderId = await createOrder(run, sku, 2);
  await fetchWork(run, picker, orderId);
  await pick(run, picker, orderId, { sku, quantity: ordered });
  const jobId = await queueJob(run, "/shipments/revert/pending", { shipments_list: [orderId] });
  await unlessTaken(run, orderId, cancelOnceReverted(run, orderId, jobId));
  await untilApplied(run, jobId);
  await expectStatus(run, orderId, "Cancelled");
  await expectStock(run, sku, counted - ordered, 0);
}

/** Other pickers can be given the order as soon as it is Pending, so it is polled this often. */
const revertPollMs = 20;

/**
 * Cancels an order as soon as a job has reverted it: from then on, any picker who asks for work could be
 * given it.
 */
async function cancelOnceReverted(run: Run, orderId: number, jobId: number): Promise<void> {
  const isPending = async (): Promise<boolean> => {
    const hasEnded = await isApplied(run, jobId);
    const status = (await findAnyOrder(run.db, orderId))?.status;
    if (hasEnded && status !== "Pending")
      throw new Error(`expected order ${orderId} to be Pending but found ${status}`);
    return status === "Pending";
  };
  await pollUntil(`order ${orderId} is reverted to Pending`, jobTimeoutSeconds, isPending, revertPollMs);
  await omsClient(run).post(z.unknown(), `${oms}/orders/cancel`, { order_id: orderId });
}
