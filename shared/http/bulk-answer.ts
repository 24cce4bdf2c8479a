import * as z from "zod/mini";
import type { Outcome } from "../data/bulk.ts";
import { Problem } from "../domain/problem.ts";

/**
 * The body of a bulk call in which every record was stored.
 * @throws Problem `invalid` where one was not; its `data` says for each record whether it was (decisions, section 1),
 * and shows no more of it than its `record` schema declares
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
  const data = outcomes.map((outcome) =>
    "problem" in outcome
      ? { success: false, message: outcome.problem.message }
      : { success: true, ...z.parse(record, present(outcome.result)) },
  );
  const message = `${failed.length} of ${outcomes.length} records were not stored: ${first.message}`;
  const errors = failed.flatMap(({ details }) => details.errors ?? []);
  throw new Problem("invalid", message, { errors, data }, first.cause);
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
