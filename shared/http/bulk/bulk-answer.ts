import * as z from "zod/mini";
import { type FieldError, Problem } from "../../common/problem.ts";
import type { Outcome } from "../../store/bulk/bulk.ts";

/** Presents the results to clients, for flows whose plans do not do so. */
export const presented = <T, R>(
  outcomes: readonly Outcome<T>[],
  present: (result: T) => R,
): readonly Outcome<R>[] =>
  outcomes.map((outcome) => ("problem" in outcome ? outcome : { result: present(outcome.result) }));

/**
 * The body of a bulk call that stored all records.
 * @throws Problem `invalid` if a record was not stored (docs/decisions.md, Bulk calls). Its `data` says for
 * each record whether it was stored, with the fields of stored records that the `record` schema declares
 */
export function bulkAnswer<R extends object>(
  outcomes: readonly Outcome<R>[],
  record: z.core.$ZodType<R, R>,
): { readonly data: R[] } {
  const failed = outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : []));
  const [first] = failed;
  if (first === undefined) {
    return { data: outcomes.flatMap((outcome) => ("result" in outcome ? [outcome.result] : [])) };
  }
  const data = outcomes.map(
    (outcome): Element =>
      "problem" in outcome
        ? { success: false, message: outcome.problem.message }
        : { success: true, ...z.parse(record, outcome.result) },
  );
  const errors = failed.flatMap(({ details }) => details.errors ?? []);
  throw partlyStored(data, errors, first.cause);
}

/** One record in the response of a bulk call that stored only some records. */
type Element =
  | { readonly success: true; readonly [field: string]: unknown }
  | { readonly success: false; readonly message: string };

/** The problem of a bulk call that stored only some of its records. */
export function partlyStored(
  data: readonly Element[],
  errors: readonly FieldError[] = [],
  cause?: unknown,
): Problem {
  const failed = data.flatMap((element) => (element.success ? [] : [element.message]));
  const message = `${failed.length} of ${data.length} records were not stored: ${failed[0]}`;
  return new Problem("invalid", message, { errors, data }, cause);
}

/** The body of a call for one record. @throws the record's problem */
export function onlyOne<R>(outcomes: readonly Outcome<R>[]): { readonly data: R } {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("a call for one record has no outcome");
  if ("problem" in outcome) throw outcome.problem;
  return { data: outcome.result };
}
