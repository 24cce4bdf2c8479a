/**
 * The synthetic monitor: calls the service on a schedule as a client does, and fails if a call does. The
 * address and the credentials are in a secret, which an operator sets (docs/operators/day-to-day.md, Monitor
 * the service).
 *
 * Each run stores a change of one product, to check that writes work. The first run of an hour also creates
 * an order and cancels it: 24 orders a day, which are archived like all others. The other runs of the hour
 * send the same order number: the service reads and checks everything, then answers that the order exists,
 * which counts as success. While the order can't be stored, each run tries to store it and fails. If it was
 * stored but not cancelled, the next run cancels it, so that no picker gets it.
 */
import * as z from "zod/mini";
import type { ScheduleContract } from "../../shared/runtime/contract.ts";
import { beginHandler } from "../../shared/runtime/handler.ts";
import { logger } from "../../shared/runtime/log.ts";
import { readSecret } from "../../shared/runtime/secret.ts";
import { monitorVariable } from "../../shared/runtime/shared-names.ts";

export const schedule: ScheduleContract = {
  type: "schedule",
  everyMinutes: 5,
  monitors: true,
  access: {},
  sends: [],
};

/** A slower answer fails the run, which makes at most six calls in its 50 s. */
const timeoutMs = 8_000;

/** Other characters are refused by `fetch`, whose error would show them. */
const headerValue = z.string().check(z.regex(/^[!-~]+$/));

/** What an operator stores: the address, a sandbox account for the monitor alone, and its shipping method. */
const target = z.object({
  url: z.url({ protocol: /^https?$/ }),
  account: headerValue,
  key: headerValue,
  shipping_method: z.string(),
});
type Target = z.output<typeof target>;

interface Answer {
  readonly status: number;
  readonly body: string;
}

const sku = "MONITOR";

async function readTarget(): Promise<Target> {
  const text = await readSecret(monitorVariable);
  try {
    return z.parse(target, JSON.parse(text));
  } catch {
    // An error of the parser would show the secret.
    throw new Error("the secret is not JSON with url, account, key and shipping_method");
  }
}

/**
 * Sends a call.
 * @throws Error if its answer is neither a success nor one of `expected`
 */
async function call(
  { url, account, key }: Target,
  [method, path, record]: readonly [method: string, path: string, record?: object],
  expected = (_: Answer): boolean => false,
): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { "content-type": "application/json", AccountID: account, Key: key },
    ...(record && { body: JSON.stringify({ data: [record] }) }),
    // A redirect would send the key to another address.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = { status: response.status, body: await response.text() };
  if (answer.status === 200 || expected(answer)) return answer;
  const id = response.headers.get("x-request-id");
  throw new Error(
    `${method} ${path} answered ${answer.status} (request ${id}): ${answer.body.slice(0, 500)}`,
  );
}

async function changeProduct(at: Target, now: string): Promise<void> {
  const path = "/apirest/v4/oms/inventory/products";
  const described = { sku, description: `Changed by the monitor at ${now}` };
  const changed = await call(at, ["PATCH", path, described], ({ status }) => status === 404);
  if (changed.status !== 404) return;
  const sizes = { width: 1, length: 1, height: 1, weight: 1, cost: 1, retail: 1 };
  await call(at, ["POST", path, { ...described, ...sizes }]);
}

const listedOrders = z.object({ data: z.array(z.object({ order_id: z.int() })) });

/** Creates the order of an hour if it does not exist, and cancels it if it is Pending. */
async function createOrder(at: Target, hour: string): Promise<void> {
  const path = "/apirest/v4/oms/orders";
  const number = `${sku}-${hour}`;
  const order = {
    order_number: number,
    shipping_method: at.shipping_method,
    customer: { firstname: sku, address1: sku, city: sku, state: "", zip: "", country: sku },
    items: [{ sku, quantity: 1 }],
  };
  const isThere = ({ status, body }: Answer) => status === 400 && body.includes(`already exists (${number})`);
  await call(at, ["POST", path, order], isThere);
  const { body } = await call(at, ["GET", `${path}?order_number=${number}&status_id=1`]);
  for (const { order_id } of z.parse(listedOrders, JSON.parse(body)).data)
    await call(at, ["POST", `${path}/cancel`, { order_id }]);
}

export const handler = beginHandler<unknown, void>().handler(async () => {
  try {
    const at = await readTarget();
    const now = new Date().toISOString();
    await call(at, ["GET", "/health"]);
    await changeProduct(at, now);
    await createOrder(at, now.slice(0, "2026-01-31T09".length));
  } catch (error) {
    logger.error("monitor failed", { error });
    throw error;
  }
});
