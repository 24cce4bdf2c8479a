import * as z from "zod/mini";
import { type FieldError, Problem } from "../../common/problem.ts";
import type { Outcome } from "../../store/bulk/bulk.ts";

/** Outcomes with their results as clients see them, for flows whose plans do not present the records themselves. */
export const presented = <T, R>(
  outcomes: readonly Outcome<T>[],
  present: (result: T) => R,
): readonly Outcome<R>[] =>
  outcomes.map((outcome) => ("problem" in outcome ? outcome : { result: present(outcome.result) }));

/**
 * The body of a bulk call in which every record was stored.
 * @throws Problem `invalid` where a record was not stored (docs/decisions.md, Bulk calls). The problem's `data` says for
 * each record whether it was stored. Of a stored record, `data` shows no more than the `record` schema declares
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

/** What the answer of a bulk call that failed half way says about one record. */
type Element =
  | { readonly success: true; readonly [field: string]: unknown }
  | { readonly success: false; readonly message: string };

/** The problem of a bulk call that stored only some of its records. `data` says for each whether it was stored. */
export function partlyStored(
  data: readonly Element[],
  errors: readonly FieldError[] = [],
  cause?: unknown,
): Problem {
  const failed = data.flatMap((element) => (element.success ? [] : [element.message]));
  const message = `${failed.length} of ${data.length} records were not stored: ${failed[0]}`;
  return new Problem("invalid", message, { errors, data }, cause);
}

/** The body of a call for one record. @throws the problem that the record met */
export function onlyOne<R>(outcomes: readonly Outcome<R>[]): { readonly data: R } {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("a call for one record has no outcome");
  if ("problem" in outcome) throw outcome.problem;
  return { data: outcome.result };
}
