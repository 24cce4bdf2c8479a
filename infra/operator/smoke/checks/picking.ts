/** The picker of a smoke test: signs in, fetches an order, and picks its goods. */

import * as z from "zod/mini";
import { codeAt } from "../../../../shared/auth/totp.ts";
import { orders } from "../../../../shared/orders/storage/order-repository.ts";
import { ordersOfPicker } from "../../../../shared/orders/storage/order-work.ts";
import { claimOrder } from "../../../../shared/picking/picking-flows.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import { operatorContext } from "../../cli/context.ts";
import { ApiClient } from "../api-client.ts";
import type { Run } from "../run.ts";
import { pollUntil } from "../steps.ts";

const begun = z.object({ data: z.object({ login_id: z.string() }) });
const signedIn = z.object({ data: z.object({ jwt: z.string(), token: z.string(), user_id: z.int() }) });

/** Signs the account's user in with password and code. @returns a client of the mobile API */
export async function signIn({ url, account: { user, password, totpSecret } }: Run): Promise<ApiClient> {
  const device = { "Device-Id": user, App: "smoke", "App-Version": "1", "System-Version": "1" };
  const anonymous = new ApiClient(url, device);
  const { data: login } = await anonymous.post(begun, "/apiv2/mobile-login-1", { username: user, password });
  const code = { login_id: login.login_id, code: codeAt(totpSecret, Date.now()) };
  const { data: session } = await anonymous.post(signedIn, "/apiv2/mobile-verify-code-1", code);
  const { jwt, token, user_id } = session;
  return new ApiClient(url, { ...device, Authorization: jwt, Token: token, "User-Id": String(user_id) });
}

/** The time in which the index of picking work shows an order. */
const indexTimeoutSeconds = 15;

/**
 * The index is eventually consistent, and each read may come from another replica: this many must show the
 * order.
 */
const indexReads = 3;

/**
 * Assigns an order to the test's picker. Any picker who asks for work could be given a Pending order, so this
 * must directly follow the order's creation.
 * @throws an error that names the other picker, if one was faster
 */
export async function reserve({ db, account: { user } }: Run, orderId: number): Promise<void> {
  try {
    await claimOrder(operatorContext(db), orderId, user);
  } catch (error) {
    const picker = (await orders.find(db, anyOwner, orderId))?.record.picker ?? user;
    if (picker === user) throw error;
    throw new Error(
      `the picker ${picker} asked for work at the same moment, and was given order ${orderId} of the test. ` +
        "Nothing must be picked for it: it is removed with the test's account. Run the test again.",
    );
  }
}

const ordersToPick = z.object({ data: z.array(z.object({ order_id: z.int() })) });

/**
 * Requests work for the picker, who must be given this order. The service hands out a picker's own orders
 * first. If the index did not show the reserved order yet, it would claim the oldest order of any account; so
 * this waits for the index first.
 * @throws if the picker is given another order
 */
export async function fetchWork(run: Run, picker: ApiClient, orderId: number): Promise<void> {
  const { db, account } = run;
  await pollUntil(`order ${orderId} is listed as its picker's`, indexTimeoutSeconds, async () => {
    const reads = Array.from({ length: indexReads }, () => ordersOfPicker(db, account.user, 1));
    return (await Promise.all(reads)).every((own) => own.some((one) => one.order_id === orderId));
  });
  const { data } = await picker.post(ordersToPick, "/apiv2/mobile-v1/pp-getOrders-1", { limit: 1 });
  const given = data.map(({ order_id }) => order_id);
  if (!given.includes(orderId))
    throw new Error(
      `expected the picker to be given order ${orderId} but found ${given.join(", ") || "none"}`,
    );
}

export async function pick(
  { account: { location, bin } }: Run,
  picker: ApiClient,
  orderId: number,
  goods: { readonly sku: string; readonly quantity: number },
): Promise<void> {
  const body = { order_id: orderId, picks: [{ ...goods, location, bin }] };
  await picker.post(z.unknown(), "/apiv2/mobile-v1/pp-updateLogPick-1", body);
}
