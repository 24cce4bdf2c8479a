import { parseId } from "../common/fields.ts";
import { notFound } from "../common/problem.ts";
import type { AccountContext } from "../lambda/context.ts";
import { findWebhook, type WebhookState } from "./webhook-repository.ts";

/** The caller's webhook with the id that a path states. @throws Problem `not_found` */
export async function getWebhook(
  { db, account_id }: Pick<AccountContext, "db" | "account_id">,
  sent: string,
): Promise<WebhookState> {
  const id = parseId(sent);
  const found = id === undefined ? undefined : await findWebhook(db, account_id, id);
  if (found === undefined) throw notFound(`There is no webhook with webhook_id ${sent}`);
  return found;
}
