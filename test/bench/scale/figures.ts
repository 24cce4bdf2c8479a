/** What the bench finds, beside what is to be reached. */

export const parts = ["lists", "life", "creates", "competing", "past", "kept"] as const;
export type PartName = (typeof parts)[number];

/** One line of the table. */
export interface Figure {
  readonly figure: string;
  /** The goal, in words. */
  readonly goal: string;
  /** What was found, in words. */
  readonly found: string;
  readonly held: boolean;
}

/** A part of the bench. It prints what its figures are made of as it goes. */
export type Part = (print: (line: string) => void) => Promise<readonly Figure[]>;

/** The figures as a table in Markdown. */
export const tableOf = (figures: readonly Figure[], heading = "figure (one account)"): string =>
  [
    [heading, "goal", "found", ""],
    ["---", "---", "---", "---"],
    ...figures.map(({ figure, goal, found, held }) => [figure, goal, found, held ? "reached" : "missed"]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

/** The value below which so much of `sorted` lies, from 0 to 1. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
