/** Calls that store several elements, some of which an interrupted run of the call may have stored. */
import * as z from "zod/mini";
import { Problem } from "../../common/problem.ts";
import type { Idempotency } from "../idempotency.ts";
import type { Outcome, Receipts } from "./bulk.ts";

/** Stores elements of a call and returns the outcome of each, in their order. */
export type StoreElements<E, R, C> = (
  elements: readonly E[],
  context: C & Receipts,
) => Promise<readonly Outcome<R>[]>;

/** What a retry needs of a call: the schema of an element's result, and the response to all results. */
interface Kept<R> {
  readonly result: z.core.$ZodType<R>;
  readonly answer: (results: readonly R[]) => object;
}

/**
 * Stores the elements of a call, except those that an interrupted run of it has stored. Each element is
 * stored with its receipt; a call of one element is stored with the receipt of the call.
 * @returns the outcomes of all elements, in their order
 * @throws as `storeElements`, if nothing of the call is stored
 */
export async function storeRest<E, R, C extends { readonly idempotency: Idempotency }>(
  context: C,
  elements: readonly E[],
  { result, answer }: Kept<R>,
  storeElements: StoreElements<E, R, C>,
): Promise<readonly Outcome<R>[]> {
  const { earlier, callReceipt, noteReceipt, recordReceipt } = context.idempotency;
  const open = [...elements.entries()].filter(([position]) => !earlier.has(position));
  const positions = open.map(([position]) => position);
  // Elements that are stored now count from 0; receipts keep their positions in the call.
  const receiptOf = (index: number, one: unknown) => {
    if (elements.length > 1) return recordReceipt(positions[index] ?? -1, one);
    // A success has stored the receipt. A plan that is made again gets the receipt again.
    noteReceipt();
    return callReceipt(answer([z.parse(result, one)]));
  };
  const storeOpen = () =>
    storeElements(
      open.map(([, element]) => element),
      { ...context, isStoredInPart: earlier.size > 0, receiptOf },
    );
  if (earlier.size === 0) return storeOpen();
  const rest = open.length === 0 ? [] : await storeOpen().catch((error) => refuseAll(error, open.length));
  const outcomes = new Map(rest.map((outcome, index) => [positions[index], outcome]));
  return elements.map(
    (_, position) => outcomes.get(position) ?? { result: z.parse(result, earlier.get(position)) },
  );
}

/** The outcomes of elements that are rejected together, after others of the call were stored. */
function refuseAll(error: unknown, count: number): readonly { readonly problem: Problem }[] {
  if (!(error instanceof Problem) || error.kind === "too_many") throw error;
  // Each shows the message, but the errors are listed once.
  const others = new Problem(error.kind, error.message);
  return Array.from({ length: count }, (_, index) => ({ problem: index === 0 ? error : others }));
}

/** The problem of a call that stored only some of its records: the others have these problems. */
export function storedInPart(
  message: string,
  details: Problem["details"],
  problems: readonly Problem[],
): Problem {
  const unfinished = problems.find(({ details: { isUnfinished } }) => isUnfinished);
  if (unfinished === undefined) return new Problem("invalid", message, details);
  return new Problem("invalid", message, { ...details, isUnfinished: true }, unfinished.cause);
}

/** The result of a call's only element. @throws its problem */
export function onlyResult<R>(outcomes: readonly Outcome<R>[]): R {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("a call for one record has no outcome");
  if ("problem" in outcome) throw outcome.problem;
  return outcome.result;
}
