import type * as z from "zod";
import { parse } from "zod/mini";
import { Problem } from "../../../shared/common/problem.ts";
import type { Endpoint, RequestSchema } from "../../../shared/http/endpoint.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { noReceipts, type Receipts } from "../../../shared/store/bulk/bulk.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import type { Service } from "../runtime/service.ts";

/** What a test does on behalf of an account needs no more than this. */
export type Owner = Pick<Service, "db" | "accountId">;

/**
 * Creates records as the account's call would, without HTTP: for what a test only begins with. It takes a
 * fifth of the time.
 * @throws Problem where a call would be refused
 */
export async function create<I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
  owner: Owner,
  endpoint: Pick<Endpoint<"oms", I, O>, "request" | "response" | "flow">,
  ...data: readonly object[]
): Promise<z.input<O>> {
  return endpoint.flow(parseRequest(endpoint.request, { body: { data } }), contextOf(owner));
}

/** Creates records as `create` does. Answers them as the call would. */
export const createAndAnswer = async <I extends RequestSchema, O extends z.core.$ZodType<object, object>>(
  owner: Owner,
  endpoint: Pick<Endpoint<"oms", I, O>, "request" | "response" | "flow">,
  ...data: readonly object[]
): Promise<z.output<O>> => parse(endpoint.response, await create(owner, endpoint, ...data));

/** What becomes of what a client in this process does. It tries again if the service is busy. */
export async function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  for (;;)
    try {
      await call();
      return "stored";
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind !== "too_many") return error.kind;
    }
}

/** What a flow works with that the account called just now, over this connection. */
export const contextOf = ({ db, accountId }: Owner): AccountContext & Receipts => ({
  ...noReceipts,
  db,
  account_id: accountId,
  actor: `account:${accountId}`,
  now: new Date().toISOString(),
  idempotency: noIdempotencyKey,
});
