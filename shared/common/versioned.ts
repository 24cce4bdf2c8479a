/** Versions of records: a change is stored only if the record still has the one that it is based on. */

import { isDeepEqual } from "./deep-equal.ts";
import { Problem } from "./problem.ts";
import { laterOf } from "./times.ts";

export interface Versioned {
  /** When the record last changed, ISO 8601. */
  readonly updated_at: string;
  readonly version: number;
}

/**
 * The record with these changes, made at `at`. If they change nothing, it is `before` itself, and nothing is
 * stored: no version, no time, no history (docs/decisions.md, Changing nothing).
 */
export function nextVersion<T extends Versioned>(before: T, changes: NoInfer<Partial<T>>, at: string): T {
  const after = { ...before, ...changes };
  if (isDeepEqual(before, after)) return before;
  return { ...after, updated_at: laterOf(at, before.updated_at), version: before.version + 1 };
}

/** The version that a call expects: in the body, for the record at `path`, and in the header `If-Match`. */
interface ExpectedVersion {
  readonly version: number | undefined;
  readonly path: string;
  readonly ifMatch: number | undefined;
}

/** The problem of a change that expects another version. `words` name the record: `order 1003`. */
export function outdatedProblem(
  words: string,
  { version: stored }: Pick<Versioned, "version">,
  { version: sent, path, ifMatch }: ExpectedVersion,
): Problem | undefined {
  const expected = [
    { version: sent, path: `${path}.version` },
    { version: ifMatch, path: "If-Match" },
  ];
  const wrong = expected.find(({ version }) => version !== undefined && version !== stored);
  if (wrong === undefined) return undefined;
  const message = `${words} has version ${stored}, not ${wrong.version}: read it again`;
  return new Problem("outdated", message, { errors: [{ path: wrong.path, message }] });
}

/** The value of a field after a PATCH: what was sent, `cleared` for null, unchanged if nothing was sent. */
export const patchedValue = <T>(before: T, sent: T | null | undefined, cleared: T): T =>
  sent === undefined ? before : (sent ?? cleared);
