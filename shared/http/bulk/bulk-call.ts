import * as z from "zod/mini";
import { bulkBody } from "../../common/fields.ts";
import { invalidAt, Problem } from "../../common/problem.ts";
import type { AccountContext, Context } from "../../runtime/context.ts";
import type { Outcome } from "../../store/bulk/bulk.ts";
import { type BodySchema, type Contract, defineEndpoint, type RequestSchema } from "../endpoint.ts";
import { dataOf } from "../responses.ts";

type Keyed = Pick<Context, "idempotency" | "ifMatch">;

/** Stores elements of a call and returns the outcome of each. */
type Store<E, R, C> = (elements: readonly E[], context: C) => Promise<readonly Outcome<R>[]>;

/**
 * Carries out a call about several records. `record` is the schema of a record in the answer.
 * @returns the body of the response, if all records are stored
 * @throws Problem `invalid` if some are not (docs/decisions.md, Bulk calls); as `store`
 */
export const bulkCall = async <E, R extends object, C extends Keyed>(
  context: C,
  elements: readonly E[],
  record: z.core.$ZodType<R, R>,
  store: Store<E, R, C>,
): Promise<{ readonly data: R[] }> => {
  if (context.ifMatch !== undefined && elements.length > 1)
    throw invalidAt([
      { path: "If-Match", message: "is for calls about one record; state the version of each" },
    ]);
  return bulkAnswer(
    await storeRest(context, elements, { result: record, answer: (data) => ({ data }) }, store),
    record,
  );
};

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

/** An OMS endpoint that stores records (docs/decisions.md, Bulk calls), with an outcome for each. */
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

/** Carries out a call about one record. @throws the record's problem; as `store` */
export const singleCall = async <R extends object, C extends Keyed>(
  context: C,
  record: z.core.$ZodType<R, R>,
  store: (context: C) => Promise<readonly Outcome<R>[]>,
): Promise<{ readonly data: R }> => {
  const kept = { result: record, answer: ([data]: readonly R[]) => ({ data }) };
  return onlyOne(await storeRest(context, [undefined], kept, (_, own) => store(own)));
};

/** What a retry needs of a call: the schema of an element's result, and the response to all results. */
interface Kept<R> {
  readonly result: z.core.$ZodType<R>;
  readonly answer: (results: readonly R[]) => object;
}

/**
 * Stores the elements of a call, except those that an interrupted run of it has stored. Each element is
 * stored with its receipt; a call of one element is stored with the receipt of the call.
 * @returns the outcomes of all elements, in their order
 * @throws as `store`, if nothing of the call is stored
 */
export async function storeRest<E, R, C extends Keyed>(
  context: C,
  elements: readonly E[],
  { result, answer }: Kept<R>,
  store: Store<E, R, C>,
): Promise<readonly Outcome<R>[]> {
  const { idempotency } = context;
  if (elements.length === 1) {
    const receipt = (_: number, one: unknown) => idempotency.callReceipt(answer([z.parse(result, one)]));
    return store(elements, { ...context, idempotency: { ...idempotency, receipt } });
  }
  const { earlier } = idempotency;
  if (earlier.size === 0) return store(elements, context);
  const open = [...elements.keys()].filter((position) => !earlier.has(position));
  const receipt = (index: number, one: unknown) => idempotency.receipt(open[index] ?? -1, one);
  const own = { ...context, idempotency: { ...idempotency, receipt } };
  const left = elements.filter((_, position) => !earlier.has(position));
  const rest =
    open.length === 0 ? [] : await store(left, own).catch((error) => refuseAll(error, open.length));
  const outcomes = new Map(rest.map((outcome, index) => [open[index], relocateErrors(outcome, open)]));
  return elements.flatMap((_, position) => {
    const outcome = outcomes.get(position);
    return outcome ?? { result: z.parse(result, earlier.get(position)) };
  });
}

/** The outcomes of elements that are refused together, after others of the call were stored. */
function refuseAll(error: unknown, count: number): readonly { readonly problem: Problem }[] {
  if (!(error instanceof Problem) || error.kind === "too_many") throw error;
  // Each is shown the message, but the errors are listed once.
  const others = new Problem(error.kind, error.message);
  return Array.from({ length: count }, (_, index) => ({ problem: index === 0 ? error : others }));
}

/** An outcome whose errors name places among the elements at `positions`, with their places in the call. */
function relocateErrors<R>(outcome: Outcome<R>, positions: readonly number[]): Outcome<R> {
  if ("result" in outcome) return outcome;
  const { kind, message, details, cause } = outcome.problem;
  const placed = (text: string) =>
    text.replace(/^data\.(\d+)/, (_, index: string) => `data.${positions[Number(index)] ?? index}`);
  const errors = details.errors?.map((error) => ({ ...error, path: placed(error.path) }));
  return { problem: new Problem(kind, placed(message), { ...details, ...(errors && { errors }) }, cause) };
}

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

/** The problem of a call of which some records were not stored, for these problems. */
export function storedInPart(
  message: string,
  details: Problem["details"],
  problems: readonly Problem[],
): Problem {
  const unfinished = problems.find(({ details: { isUnfinished } }) => isUnfinished);
  if (unfinished === undefined) return new Problem("invalid", message, details);
  return new Problem("invalid", message, { ...details, isUnfinished: true }, unfinished.cause);
}

/** The body of a call for one record. @throws the record's problem */
export function onlyOne<R>(outcomes: readonly Outcome<R>[]): { readonly data: R } {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("a call for one record has no outcome");
  if ("problem" in outcome) throw outcome.problem;
  return { data: outcome.result };
}
