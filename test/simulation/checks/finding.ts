/** A rule that a schedule broke. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  readonly text: string;
}

/** Findings of one check. */
export const findings = (check: string, texts: readonly string[]): readonly Finding[] =>
  texts.map((text) => ({ check, text }));
