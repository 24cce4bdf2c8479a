/** Versions of an item, and what `changeKeeper` is told of them. */

export const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place);

/** What is told of an item that was put in these versions. */
export const told = (first: number, last: number): readonly string[] =>
  range(first, last).map((version) => `${version === 1 ? "insert" : "modify"} ${version}`);

/** What was told, each change where it came first. */
export const each = (all: readonly string[]): readonly string[] => [...new Set(all)];
