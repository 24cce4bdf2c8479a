/** A picker of a smoke test: signs in, is given an order, and takes its goods. */
import * as z from "zod/mini";
import { codeAt } from "../../../shared/auth/totp.ts";
import {
  beforeOldest,
  ordersOfPicker,
  pendingOrders,
  releasedOrders,
} from "../../../shared/data/order-work.ts";
import { claimOrder } from "../../../shared/operations/advance-order.ts";
import { noForesight } from "../../../shared/operations/context.ts";
import { operator } from "../cli/session.ts";
import { Caller } from "./caller.ts";
import type { Run } from "./run.ts";
import { eventually } from "./steps.ts";

const begun = z.object({ data: z.object({ login_id: z.string() }) });
const signedIn = z.object({ data: z.object({ jwt: z.string(), token: z.string(), user_id: z.int() }) });

/** Signs the account's user in by password and code. @returns calls of the mobile application */
export async function signIn({ url, account: { user, password, totpSecret } }: Run): Promise<Caller> {
  const device = { "Device-Id": user, App: "smoke", "App-Version": "1", "System-Version": "1" };
  const anybody = new Caller(url, device);
  const { data: login } = await anybody.call(begun, {
    path: "/apiv2/mobile-login-1",
    body: { username: user, password },
  });
  const { data: session } = await anybody.call(signedIn, {
    path: "/apiv2/mobile-verify-code-1",
    body: { login_id: login.login_id, code: codeAt(totpSecret, Date.now()) },
  });
  const { jwt, token, user_id } = session;
  return new Caller(url, { ...device, Authorization: jwt, Token: token, "User-Id": String(user_id) });
}

/** Seconds within which the index of the warehouse's work shows an order. */
const indexSeconds = 15;

/**
 * Sees to it that the picker is given this order and no other. A call for work hands out the picker's own orders first, and
 * after them the oldest that waits, whatever account it belongs to. If others wait, the order is assigned to the picker directly.
 */
async function offer({ db, account: { user } }: Run, orderId: number): Promise<void> {
  const isNext = await eventually("the order waits for a picker", indexSeconds, async () => {
    const waiting = [
      ...(await releasedOrders(db, beforeOldest, 1)),
      ...(await pendingOrders(db, beforeOldest, 2)),
    ];
    const isAlone = waiting.length === 1 && waiting[0]?.order_id === orderId;
    return waiting.length === 0 ? undefined : isAlone;
  });
  if (isNext) return;
  const context = { db, actor: operator, now: new Date().toISOString(), foresee: noForesight };
  await claimOrder(context, orderId, user);
  await eventually("the picker's order is listed", indexSeconds, async () => {
    const own = await ordersOfPicker(db, user, 1);
    return own.some(({ order_id }) => order_id === orderId) ? true : undefined;
  });
}

const orders = z.object({ data: z.array(z.object({ order_id: z.int() })) });

/** Has the picker given the order. @throws if the picker is given another one */
export async function claim(run: Run, picker: Caller, orderId: number): Promise<void> {
  await offer(run, orderId);
  const { data } = await picker.call(orders, { path: "/apiv2/mobile-v1/pp-getOrders-1", body: { limit: 1 } });
  const given = data.map(({ order_id }) => order_id);
  if (!given.includes(orderId))
    throw new Error(
      `expected order ${orderId} but was given ${given.join(", ") || "none"}; ` +
        "an order of another account is to be reverted to Pending",
    );
}

/** Takes goods out of the account's bin for an order. */
export async function pick(
  { account: { location, bin } }: Run,
  picker: Caller,
  orderId: number,
  goods: { readonly sku: string; readonly quantity: number },
): Promise<void> {
  await picker.call(z.unknown(), {
    path: "/apiv2/mobile-v1/pp-updateLogPick-1",
    body: { order_id: orderId, picks: [{ ...goods, location, bin }] },
  });
}
