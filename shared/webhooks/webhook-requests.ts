/** Flows that several webhook endpoints share. */
import { parseId } from "../common/fields.ts";
import { notFound } from "../common/problem.ts";
import { outdatedProblem } from "../common/versioned.ts";
import type { AccountContext, Context } from "../runtime/context.ts";
import { storeOnce } from "../store/idempotency.ts";
import type { Delivery } from "./delivery.ts";
import { insertDelivery } from "./delivery-repository.ts";
import { wakeWebhook } from "./sending/queue.ts";
import type { Webhook } from "./webhook.ts";
import { findWebhook, requestRun, type WebhookState } from "./webhook-repository.ts";

/** @throws Problem `not_found`; `outdated` if the call states another version than the webhook has */
export async function getWebhook(
  { db, account_id, ifMatch }: Pick<AccountContext, "db" | "account_id" | "ifMatch">,
  sent: string,
  version?: number,
): Promise<WebhookState> {
  const id = parseId(sent);
  const found = id === undefined ? undefined : await findWebhook(db, account_id, id);
  if (found === undefined) throw notFound(`There is no webhook with webhook_id ${sent}`);
  const problem = outdatedProblem(`webhook ${id}`, found.webhook, { version, path: "data", ifMatch });
  if (problem !== undefined) throw problem;
  return found;
}

/** Stores a delivery and wakes the sender. The endpoint's `sends` must include `webhook`. */
export async function requestDelivery(
  context: Context,
  webhook: Webhook,
  delivery: Delivery,
): Promise<{ readonly data: Delivery }> {
  const answer = await storeOnce(context, [...insertDelivery(delivery), requestRun(webhook.webhook_id)], {
    data: delivery,
  });
  await wakeWebhook(context.db, webhook);
  return answer;
}
