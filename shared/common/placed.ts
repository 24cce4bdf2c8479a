import { type FieldError, invalidAt } from "./problem.ts";

/**
 * An element of a call's list, what it was resolved to, or its outcome, with its place in the call
 * (`data.0`). A retry stores only the remaining elements, whose positions differ, so the place stays with the
 * element.
 */
export interface Placed<T> {
  readonly value: T;
  readonly path: string;
}

/** The elements of the list that a call names `list`. */
export const placed = <T>(values: readonly T[], list = "data"): readonly Placed<T>[] =>
  values.map((value, position) => ({ value, path: `${list}.${position}` }));

/** The elements without their places. */
export const valuesOf = <T>(elements: readonly Placed<T>[]): readonly T[] =>
  elements.map(({ value }) => value);

/**
 * Resolves each element of a call. `resolve` adds what is wrong with an element to `errors`. It returns
 * undefined if the element can't be resolved.
 * @param known what else is wrong with the call
 * @throws Problem `invalid` with everything that is wrong
 */
export function resolveEach<I, R>(
  elements: readonly Placed<I>[],
  resolve: (value: I, path: string, errors: FieldError[], index: number) => R | undefined,
  known: readonly FieldError[] = [],
): readonly Placed<R>[] {
  const errors = [...known];
  const resolved = elements.flatMap(({ value, path }, index): readonly Placed<R>[] => {
    const one = resolve(value, path, errors, index);
    return one === undefined ? [] : [{ value: one, path }];
  });
  if (errors.length > 0) throw invalidAt(errors);
  return resolved;
}
