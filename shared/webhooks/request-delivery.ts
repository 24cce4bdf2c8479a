import type { Context } from "../lambda/context.ts";
import { storeOnce } from "../store/store-once.ts";
import type { Delivery } from "./delivery.ts";
import { insertDelivery } from "./delivery-repository.ts";
import { enqueueWebhook } from "./sending/queue.ts";
import type { Webhook } from "./webhook.ts";
import { requestRun } from "./webhook-repository.ts";

/** Stores a delivery that an account asks for, and wakes the sender. The endpoint's `sends` must state `webhook`. */
export async function requestDelivery(
  context: Context,
  webhook: Webhook,
  delivery: Delivery,
): Promise<{ readonly data: Delivery }> {
  const answer = await storeOnce(context, [...insertDelivery(delivery), requestRun(webhook.webhook_id)], {
    data: delivery,
  });
  await enqueueWebhook(webhook);
  return answer;
}
