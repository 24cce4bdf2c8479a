import * as z from "zod/mini";
import { type FieldError, Problem } from "../domain/problem.ts";
import type { Outcome } from "../store/bulk.ts";

/**
 * The body of a bulk call in which every record was stored.
 * @throws Problem `invalid` where one was not; its `data` says for each record whether it was (docs/decisions.md,
 * Bulk calls), and shows no more of it than its `record` schema declares
 */
export function bulkAnswer<T, R extends object>(
  outcomes: readonly Outcome<T>[],
  record: z.core.$ZodType<R, R>,
  present: (result: T) => R,
): { readonly data: R[] } {
  const failed = outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : []));
  const [first] = failed;
  if (first === undefined) {
    return { data: outcomes.flatMap((outcome) => ("result" in outcome ? [present(outcome.result)] : [])) };
  }
  const data = outcomes.map(
    (outcome): Element =>
      "problem" in outcome
        ? { success: false, message: outcome.problem.message }
        : { success: true, ...z.parse(record, present(outcome.result)) },
  );
  const errors = failed.flatMap(({ details }) => details.errors ?? []);
  throw partlyStored(data, errors, first.cause);
}

/** What a bulk call that failed half way tells of a record. */
type Element =
  | { readonly success: true; readonly [field: string]: unknown }
  | { readonly success: false; readonly message: string };

/** The problem of a bulk call of which these records were stored, and those not. */
export function partlyStored(
  data: readonly Element[],
  errors: readonly FieldError[] = [],
  cause?: unknown,
): Problem {
  const failed = data.flatMap((element) => (element.success ? [] : [element.message]));
  const message = `${failed.length} of ${data.length} records were not stored: ${failed[0]}`;
  return new Problem("invalid", message, { errors, data }, cause);
}

/** The body of a call for one record. @throws the problem that it met */
export function onlyOne<T, R>(
  outcomes: readonly Outcome<T>[],
  present: (result: T) => R,
): { readonly data: R } {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("a call for one record has no outcome");
  if ("problem" in outcome) throw outcome.problem;
  return { data: present(outcome.result) };
}
