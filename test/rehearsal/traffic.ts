/**
 * Calls that clients make all through a deployment: none of them may fail but by 429, and nothing
 * acknowledged may be lost.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, at, numberAt } from "../support/http/client.ts";
import { orderOf, productOf, recountOf, unique } from "../support/records/records.ts";
import type { Store } from "./emulator/store.ts";

/** What came of the calls. */
export interface Report {
  readonly calls: number;
  /** Calls that were answered 429, and were sent again. */
  readonly throttled: number;
  /** Calls whose function the emulator ended in the middle, and that were sent again. */
  readonly killed: number;
  readonly orders: number;
}

export interface Traffic {
  /**
   * Ends the traffic, and looks whether everything acknowledged is there.
   * @throws naming what failed or is lost
   */
  readonly stop: () => Promise<Report>;
}

const clients = 3;

/**
 * The emulator's answer if it ends a function in the middle of a call, as it does whenever the function's
 * code changes. AWS lets the call end first. So a call is sent again with its key, as after a crash.
 */
const isKilled = ({ status, body }: Answer): boolean =>
  status === 502 && at(body, "errorMessage") === "Worker process died";

/** Failures that are kept to be shown. */
const maxShown = 5;

/**
 * Starts clients that create a product each, count it in, order it, and read, edit and cancel what they
 * ordered.
 */
export async function startTraffic(store: Store): Promise<Traffic> {
  let isStopping = false;
  let calls = 0;
  let throttled = 0;
  let killed = 0;
  const failures: string[] = [];
  const orderNumbers: string[] = [];

  const send = async (title: string, make: () => Promise<Answer>): Promise<unknown> => {
    for (;;) {
      calls += 1;
      try {
        const answer = await make();
        const { status, body, headers } = answer;
        if (status === 200) return body;
        if (isKilled(answer)) killed += 1;
        else if (status === 429) throttled += 1;
        else throw new Error(`${status} ${JSON.stringify(body)}`);
        await sleep(1000 * Number(headers.get("retry-after") ?? 0.1));
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${title}: ${String(error)}`);
        return undefined;
      }
    }
  };

  const { oms, wms, accountId } = store;
  const trade = async (): Promise<void> => {
    const product = productOf({ distribution_center: "REHEARSAL" });
    const { sku } = product;
    // Every write has a key of its own, so that sending it again is safe.
    const write = (title: string, method: "post" | "put", path: string, body: object, client = oms) => {
      const key = { "Idempotency-Key": randomUUID() };
      return send(title, () => client[method](path, body, key));
    };
    await write("create a product", "post", "/inventory/products", { data: [product] });
    const recount = recountOf(sku, [{ location: "R1", bin: "01", qty: 1 }]);
    while (!isStopping) {
      await write(
        "recount",
        "post",
        "/recount",
        recount.map((one) => ({ ...one, account_id: accountId })),
        wms,
      );
      const order = orderOf([{ sku, quantity: 1 }], { order_number: unique("REHEARSAL") });
      const created = await write("create an order", "post", "/orders", { data: [order] });
      if (created === undefined) continue;
      orderNumbers.push(order.order_number);
      const order_id = numberAt(created, "data.0.order_id");
      await send("read an order", () => oms.get(`/orders/${order_id}`));
      await write("edit an order", "put", "/orders", {
        data: [{ ...order, order_id, order_reference: "edited" }],
      });
      await send("list orders", () => oms.get("/orders?per_page=5"));
      await send("read stock", () => oms.get(`/inventory/stock?sku=${sku}`));
      if (orderNumbers.length % 2 === 0)
        await write("cancel an order", "post", "/orders/cancel", { order_id });
    }
  };

  const trading = Array.from({ length: clients }, trade);
  return {
    stop: async () => {
      isStopping = true;
      await Promise.all(trading);
      failures.push(...(await lostOrders(store, orderNumbers)));
      if (failures.length > 0)
        throw new Error(
          `${failures.length} of ${calls} calls failed:\n${failures.slice(0, maxShown).join("\n")}`,
        );
      return { calls, throttled, killed, orders: orderNumbers.length };
    },
  };
}

/** Orders that were acknowledged, and are not found by their number. */
async function lostOrders({ oms }: Store, numbers: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const number of numbers) {
    const { status, body } = await oms.get(`/orders/${number}?identify_by=order_number`);
    if (status !== 200 || at(body, "data.order_number") !== number)
      lost.push(`the acknowledged order ${number} can't be read: ${status} ${JSON.stringify(body)}`);
  }
  return lost;
}
