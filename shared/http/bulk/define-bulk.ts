import * as z from "zod/mini";
import { bulkBody } from "../../common/fields.ts";
import type { AccountContext } from "../../lambda/context.ts";
import type { Outcome } from "../../store/bulk/bulk.ts";
import { type BodySchema, type Contract, defineEndpoint, type RequestSchema } from "../endpoint.ts";
import { dataOf } from "../responses.ts";
import { bulkCall } from "./bulk-answer.ts";

/** The contract of an OMS endpoint that stores the records of its body, each atomically. */
interface BulkContract<I extends z.core.$ZodType, R extends object, S extends z.core.$ZodType<object, R>>
  extends Omit<Contract<"oms", RequestSchema, BodySchema>, "auth" | "request" | "response"> {
  /** A record as clients send it. */
  readonly input: I;
  /** A record as `store` returns it. */
  readonly record: z.core.$ZodType<R, R>;
  /** A record as clients see it; as `store` returns it by default. */
  readonly shown?: S;
}

/**
 * Defines an OMS endpoint that stores several records (docs/decisions.md, Bulk calls). `store` returns the
 * outcome of each record, in their order.
 */
export const defineBulk = <
  I extends z.core.$ZodType,
  R extends object,
  S extends z.core.$ZodType<object, R> = z.core.$ZodType<R, R>,
>(
  { input, record, shown, ...contract }: BulkContract<I, R, S>,
  store: (records: readonly z.output<I>[], context: AccountContext) => Promise<readonly Outcome<R>[]>,
) =>
  defineEndpoint(
    {
      ...contract,
      auth: "oms",
      request: z.object({ body: bulkBody(input) }),
      response: dataOf(z.array(shown ?? record)),
    },
    ({ body: { data } }, context) => bulkCall(context, data, record, store),
  );
