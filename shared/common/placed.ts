import { type FieldError, invalidAt } from "./problem.ts";

/**
 * An element of a call's list, or its outcome, with its place in the call (`data.0`). The place goes
 * with the element, because a retry stores only the elements that are left, which are counted otherwise.
 */
export interface Placed<T> {
  readonly input: T;
  readonly path: string;
}

/** The elements of the list that a call names `list`. */
export const placed = <T>(inputs: readonly T[], list = "data"): readonly Placed<T>[] =>
  inputs.map((input, position) => ({ input, path: `${list}.${position}` }));

/** The elements without their places. */
export const inputsOf = <T>(elements: readonly Placed<T>[]): readonly T[] =>
  elements.map(({ input }) => input);

/**
 * Resolves each element of a call. `resolve` adds what is wrong with an element to `errors`. It returns
 * undefined if the element can't be resolved.
 * @param known what else is wrong with the call
 * @throws Problem `invalid` with everything that is wrong
 */
export function resolveEach<I, R>(
  elements: readonly Placed<I>[],
  resolve: (input: I, path: string, errors: FieldError[], index: number) => R | undefined,
  known: readonly FieldError[] = [],
): readonly Placed<R>[] {
  const errors = [...known];
  const resolved = elements.flatMap(({ input, path }, index): readonly Placed<R>[] => {
    const one = resolve(input, path, errors, index);
    return one === undefined ? [] : [{ input: one, path }];
  });
  if (errors.length > 0) throw invalidAt(errors);
  return resolved;
}
