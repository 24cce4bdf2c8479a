/** Takes an order from the product's creation to the shipment, over the public API. */
import * as z from "zod/mini";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import type { ApiClient } from "../api-client.ts";
import { omsClient, type Run, untilApplied, wms, wmsClient } from "../run.ts";
import { fetchWork, pick, reserve, signIn } from "./picking.ts";

/** The units in stock, and those of the order. */
const [counted, ordered] = [10, 2];

const oms = "/apirest/v4/oms";

/** @returns the id of the shipped order @throws Stopped at the first step that fails */
export async function runOrderLife(run: Run): Promise<number> {
  const { report } = run;
  const sku = `SMOKE-${run.account.accountId}`;
  await report.take("product", () => createProduct(run, sku));
  await report.take("recount", () => recount(run, sku));
  const orderId = await report.take("order", () => createOrder(run, sku));
  await report.take("retry", () => retryOrder(run, sku, orderId));
  const picker = await report.take("sign-in", () => signIn(run));
  await report.take("claim", () => fetchWork(run, picker, orderId));
  await report.take("picks", () => pick(run, picker, orderId, { sku, quantity: ordered }));
  await report.take("weight", () => weigh(run, orderId));
  await report.take("shipment", () => ship(run, picker, sku, orderId));
  return orderId;
}

async function createProduct(run: Run, sku: string): Promise<void> {
  const figures = { width: 1, length: 1, height: 1, weight: 1, cost: 1, retail: 1 };
  const { distributionCenter: distribution_center } = run.account;
  const product = { sku, description: "Created by operator smoke", ...figures, distribution_center };
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

const address = { address1: "1 Test Street", city: "Testville", state: "TS", zip: "00001", country: "US" };

const customer = { firstname: "Smoke", ...address };

/** Creates the account's order. A retry has the same idempotency key. */
function sendOrder(run: Run, sku: string) {
  const { accountId, shippingMethod: shipping_method } = run.account;
  const items = [{ sku, quantity: ordered }];
  const order = { order_number: `SMOKE-${accountId}`, shipping_method, customer, items };
  return omsClient(run).send(orders, `${oms}/orders`, {
    method: "POST",
    headers: { "Idempotency-Key": `smoke-${accountId}` },
    body: JSON.stringify({ data: [order] }),
  });
}

/** Creates an order and assigns it to the test's picker before another picker can be given it. */
async function createOrder(run: Run, sku: string): Promise<number> {
  const { body } = await sendOrder(run, sku);
  const [created] = body.data;
  if (created === undefined) throw new Error("the response has no order");
  await reserve(run, created.order_id);
  await expectStock(run, sku, counted, ordered);
  return created.order_id;
}

async function retryOrder(run: Run, sku: string, orderId: number): Promise<void> {
  const { body, headers } = await sendOrder(run, sku);
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

async function weigh(run: Run, orderId: number): Promise<void> {
  const body = { data: [{ nbtybarcode: barcodeOf(orderId), weight: 1.5 }] };
  const { response } = await wmsClient(run).post(accepted, `${wms}/orders/UpdateWeight`, body);
  run.jobs.push(...response.jobs.map(({ job_id }) => job_id));
  for (const { job_id } of response.jobs) await untilApplied(run, job_id);
}

const order = z.object({ data: z.object({ status: z.string() }) });

async function ship(run: Run, picker: ApiClient, sku: string, orderId: number): Promise<void> {
  const body = { order_id: orderId, approve: true, tracking_number: "SMOKE" };
  await picker.post(z.unknown(), "/apiv2/mobile-v1/qc-shippings-1", body);
  const { data } = await omsClient(run).get(order, `${oms}/orders/${orderId}`);
  if (data.status !== "Shipped")
    throw new Error(`expected order ${orderId} to be Shipped but found ${data.status}`);
  await expectStock(run, sku, counted - ordered, 0);
}
