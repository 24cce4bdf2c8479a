import type * as z from "zod";
import { findAccount } from "../../shared/data/accounts.ts";
import type { Endpoint, RequestSchema } from "../../shared/http/endpoint.ts";
import { parseRequest } from "../../shared/http/validation.ts";
import type { Service } from "./service.ts";

/** What a test does on behalf of an account needs no more than this. */
export type Owner = Pick<Service, "db" | "accountId">;

/**
 * Creates records as the account's call would, without HTTP: for what a test only begins with. It takes a fifth of the time.
 * @throws Problem where a call would be refused
 */
export async function create<I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
  { db, accountId }: Owner,
  endpoint: Pick<Endpoint<"oms", I, O>, "request" | "response" | "flow">,
  ...data: readonly object[]
): Promise<z.input<O>> {
  const account = await findAccount(db, accountId);
  if (account === undefined) throw new Error(`there is no account ${accountId}`);
  return endpoint.flow(parseRequest(endpoint.request, { body: { data } }), {
    db,
    account,
    actor: `account:${accountId}`,
    now: new Date().toISOString(),
    foresee: async () => false,
  });
}
