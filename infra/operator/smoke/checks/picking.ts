/** A picker of a smoke test: signs in, is given an order, and takes its goods. */

import * as z from "zod/mini";
import { codeAt } from "../../../../shared/auth/totp.ts";
import { findAnyOrder } from "../../../../shared/orders/storage/order-repository.ts";
import { ordersOfPicker } from "../../../../shared/orders/storage/order-work-index.ts";
import { claimOrder } from "../../../../shared/picking/process-order.ts";
import { noIdempotencyKey } from "../../../../shared/store/store-once.ts";
import { operator } from "../../cli/session.ts";
import { Caller } from "../caller.ts";
import type { Run } from "../run.ts";
import { eventually } from "../steps.ts";

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
 * Reads of the index that all have to show an order: it is eventually consistent, and each may be answered by
 * another copy.
 */
const indexReads = 3;

/**
 * Makes an order the picker's at once. A Pending order waits for whoever asks for work next, so this directly
 * follows what makes it Pending.
 * @throws if another picker was faster
 */
export async function reserve(run: Run, orderId: number): Promise<void> {
  const { db, account } = run;
  const context = { db, actor: operator, now: new Date().toISOString(), idempotency: noIdempotencyKey };
  await unlessTaken(run, orderId, claimOrder(context, orderId, account.user));
}

/**
 * Does something with an order that no other picker may have. @throws with the name of the picker if one has
 * it
 */
export async function unlessTaken<T>(
  { db, account: { user } }: Run,
  orderId: number,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const picker = (await findAnyOrder(db, orderId))?.picker ?? user;
    if (picker === user) throw error;
    throw new Error(
      `the picker ${picker} asked for work at the same moment, and was given order ${orderId} of the test. ` +
        "Nothing is to be picked for it: it goes away with the test's account. Run this again.",
    );
  }
}

const orders = z.object({ data: z.array(z.object({ order_id: z.int() })) });

/**
 * Has the picker ask for work. The order is the picker's already, and a call for work hands out the picker's
 * own orders first. With no other order to hand out, it would claim the oldest that waits, of whatever
 * account; so this waits until the index of work shows the picker's own.
 * @throws if the picker is given another order
 */
export async function fetchWork(run: Run, picker: Caller, orderId: number): Promise<void> {
  const { db, account } = run;
  await eventually(`order ${orderId} is listed as its picker's`, indexSeconds, async () => {
    const reads = Array.from({ length: indexReads }, () => ordersOfPicker(db, account.user, 1));
    const isListed = (await Promise.all(reads)).every((own) => own.some((one) => one.order_id === orderId));
    return isListed ? true : undefined;
  });
  const { data } = await picker.call(orders, { path: "/apiv2/mobile-v1/pp-getOrders-1", body: { limit: 1 } });
  const given = data.map(({ order_id }) => order_id);
  if (!given.includes(orderId))
    throw new Error(
      `expected the picker to be given order ${orderId} but found ${given.join(", ") || "none"}`,
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
