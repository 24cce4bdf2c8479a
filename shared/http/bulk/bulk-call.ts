import * as z from "zod/mini";
import { bulkBody } from "../../common/fields.ts";
import { type Placed, placed } from "../../common/placed.ts";
import { invalidAt } from "../../common/problem.ts";
import type { AccountContext, Context } from "../../runtime/context.ts";
import type { Outcome, Receipts } from "../../store/bulk/bulk.ts";
import { onlyResult, type StoreElements, storedInPart, storeRest } from "../../store/bulk/store-rest.ts";
import { defineEndpoint } from "../define-endpoint.ts";
import type { BodyMethod, BodySchema, Contract, RequestSchema } from "../endpoint.ts";
import { dataOf } from "../responses.ts";

type Keyed = Pick<Context, "idempotency" | "ifMatch">;

/**
 * Carries out a call about several records. `record` is the schema of a record in the answer.
 * @returns the body of the response, if all records are stored
 * @throws Problem `invalid` if some are not (docs/decisions.md, Bulk calls); as `storeElements`
 */
export const bulkCall = async <E, R extends object, C extends Keyed>(
  context: C,
  elements: readonly Placed<E>[],
  record: z.core.$ZodType<R, R>,
  storeElements: StoreElements<Placed<E>, R, C>,
): Promise<{ readonly data: R[] }> => {
  if (context.ifMatch !== undefined && elements.length > 1)
    throw invalidAt([
      { path: "If-Match", message: "is for calls about one record; state the version of each" },
    ]);
  return bulkAnswer(
    await storeRest(context, elements, { result: record, answer: (data) => ({ data }) }, storeElements),
    record,
  );
};

/** The contract of an OMS endpoint that stores the records of its body, each atomically. */
interface BulkContract<I extends z.core.$ZodType, R extends object, S extends z.core.$ZodType<object, R>>
  extends Omit<Contract<"oms", RequestSchema, BodySchema, BodyMethod>, "auth" | "request" | "response"> {
  /** A record as clients send it. */
  readonly input: I;
  /** A record as `storeElements` returns it. */
  readonly record: z.core.$ZodType<R, R>;
  /** A record as clients see it; as `storeElements` returns it by default. */
  readonly shown?: S;
}

/** An OMS endpoint that stores records (docs/decisions.md, Bulk calls), with an outcome for each. */
export const defineBulk = <
  I extends z.core.$ZodType,
  R extends object,
  S extends z.core.$ZodType<object, R> = z.core.$ZodType<R, R>,
>(
  { input, record, shown, ...contract }: BulkContract<I, R, S>,
  storeElements: StoreElements<Placed<z.output<I>>, R, AccountContext>,
) =>
  defineEndpoint(
    {
      ...contract,
      auth: "oms",
      request: z.object({ body: bulkBody(input) }),
      response: dataOf(z.array(shown ?? record)),
    },
    ({ body: { data } }, context) => bulkCall(context, placed(data), record, storeElements),
  );

/** Carries out a call about one record. @throws the record's problem; as `storeElements` */
export const singleCall = async <R extends object, C extends Keyed>(
  context: C,
  record: z.core.$ZodType<R, R>,
  storeElements: (context: C & Receipts) => Promise<readonly Outcome<R>[]>,
): Promise<{ readonly data: R }> => {
  const kept = { result: record, answer: ([data]: readonly R[]) => ({ data }) };
  const outcomes = await storeRest(context, [undefined], kept, (_, open) => storeElements(open));
  return { data: onlyResult(outcomes) };
};

/**
 * The body of a bulk call that stored all records.
 * @throws Problem `invalid` if a record was not stored (docs/decisions.md, Bulk calls). Its `data` says for
 * each record whether it was stored, with the fields of stored records that the `record` schema declares
 */
export function bulkAnswer<R extends object>(
  outcomes: readonly Outcome<R>[],
  record: z.core.$ZodType<R, R>,
): { readonly data: R[] } {
  const problems = outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : []));
  const [first] = problems;
  if (first === undefined) {
    return { data: outcomes.flatMap((outcome) => ("result" in outcome ? [outcome.result] : [])) };
  }
  const data = outcomes.map((outcome) =>
    "problem" in outcome
      ? { success: false, message: outcome.problem.message }
      : { success: true, ...z.parse(record, outcome.result) },
  );
  const errors = problems.flatMap(({ details }) => details.errors ?? []);
  if (outcomes.length === 1 && (first.kind === "outdated" || first.kind === "conflict")) throw first;
  const message = `${problems.length} of ${data.length} records were not stored: ${first.message}`;
  throw storedInPart(message, { errors, data }, problems);
}
