/** How records change: as a whole, version by version. */
import { laterOf } from "./days.ts";
import { same } from "./same.ts";

/** What every record has that can be changed. */
export interface Revisable {
  /** When the record last changed, ISO 8601. */
  readonly updated_at: string;
  /** Rises with every change. A change is stored only if the version is still the one it was decided on. */
  readonly version: number;
}

/**
 * The record with these changes, made at `at`. Where they change nothing it is `before` itself, and nothing is to be
 * stored: no version, no time, no history (docs/decisions.md, Changing nothing).
 */
export function revised<T extends Revisable>(before: T, changes: NoInfer<Partial<T>>, at: string): T {
  const after = { ...before, ...changes };
  if (same(before, after)) return before;
  return { ...after, updated_at: laterOf(at, before.updated_at), version: before.version + 1 };
}

/** Whether a field was sent with a value, neither left out nor null. */
export const isGiven = <T>(sent: T | null | undefined): sent is T => sent !== undefined && sent !== null;

/** A field after a change: the value that was sent; `cleared` where null was sent; as it was where nothing was. */
export const fieldAfter = <T>(before: T, sent: T | null | undefined, cleared: T): T =>
  sent === undefined ? before : (sent ?? cleared);
