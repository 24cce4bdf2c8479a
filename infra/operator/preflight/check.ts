/** The findings of a preflight check, including the one for a check that could not run. */
import type { Settings } from "../../settings.ts";

type Severity = "error" | "warning" | "note" | "ok";

export interface PreflightFinding {
  readonly check: string;
  readonly severity: Severity;
  readonly text: string;
  /** A command or an instruction; null if nothing needs to be done. */
  readonly what_to_do: string | null;
}

/** A finding before the check's name is added. */
export type Judgment = Omit<PreflightFinding, "check">;

export interface PlannedDeployment {
  readonly account: string;
  readonly region: string;
  readonly settings: Settings;
}

export type Check = (target: PlannedDeployment) => Promise<readonly Judgment[]>;

const nothingToDo =
  (severity: Severity) =>
  (text: string): Judgment => ({ severity, text, what_to_do: null });

const toDo =
  (severity: Severity) =>
  (text: string, what_to_do: string): Judgment => ({ severity, text, what_to_do });

export const ok = nothingToDo("ok");
export const note = nothingToDo("note");

/** Something could fail later, or could not be determined. */
export const warning = toDo("warning");

/** The deployment would fail or cause damage. */
export const error = toDo("error");

/** Names of the errors that AWS services return for missing permissions. */
const accessErrors: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "UnauthorizedOperation",
  "AuthorizationError",
  "NotAuthorized",
]);

/** A check that throws becomes a warning, so that the other checks still run. AWS names what was denied. */
export function unchecked(failure: unknown): Judgment {
  if (!(failure instanceof Error)) return warning(`The check failed: ${failure}`, "Run preflight again.");
  if (accessErrors.has(failure.name))
    return warning(`The check was denied: ${failure.message}`, "Grant the permission, or check it yourself.");
  return warning(`The check failed: ${failure.name}: ${failure.message}`, "Run preflight again.");
}
