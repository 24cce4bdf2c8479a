import { insertDelivery } from "../../data/deliveries.ts";
import { touch } from "../../data/webhooks.ts";
import type { Delivery } from "../../domain/webhooks/delivery.ts";
import type { Webhook } from "../../domain/webhooks/webhook.ts";
import { type Context, storeOnce } from "../../operations/context.ts";
import { wakeWebhook } from "./wake.ts";

/** Stores a delivery that an account asks for, and wakes the sender. The endpoint's `sends` must state `webhook`. */
export async function askFor(
  context: Context,
  webhook: Webhook,
  delivery: Delivery,
): Promise<{ readonly data: Delivery }> {
  const answer = await storeOnce(context, [...insertDelivery(delivery), touch(webhook.webhook_id)], {
    data: delivery,
  });
  await wakeWebhook(webhook);
  return answer;
}
