/** What a preflight finds, and how a check that may not ask AWS is reported. */
import type { Settings } from "../../settings.ts";

export type Severity = "error" | "warning" | "note" | "ok";

/** What a check found. */
export interface Finding {
  readonly check: string;
  readonly severity: Severity;
  readonly text: string;
  /** Null if there is nothing to do. */
  readonly what_to_do: string | null;
}

/** What a check finds, without its name. */
export type Found = Omit<Finding, "check">;

/** What is to be deployed, and where. */
export interface Target {
  readonly account: string;
  readonly region: string;
  readonly settings: Settings;
}

/** A group of questions to AWS about one thing. */
export interface Check {
  readonly name: string;
  /** The actions that the credentials need for it. */
  readonly needs: readonly string[];
  readonly run: (target: Target) => Promise<readonly Found[]>;
}

export const ok = (text: string): Found => ({ severity: "ok", text, what_to_do: null });

/** Why a deployment would fail, or do harm. */
export const error = (text: string, what_to_do: string): Found => ({ severity: "error", text, what_to_do });

/** What may go wrong later, or is not known. */
export const warning = (text: string, what_to_do: string): Found => ({
  severity: "warning",
  text,
  what_to_do,
});

export const note = (text: string): Found => ({ severity: "note", text, what_to_do: null });

/** The names of the errors by which AWS's services refuse a call. */
const rejections: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "UnauthorizedOperation",
  "AuthorizationError",
  "NotAuthorized",
]);

/** What is known of a check that failed: it never ends the others. */
export function unchecked({ needs }: Check, failure: unknown): Found {
  if (!(failure instanceof Error)) return warning(`It could not be checked: ${failure}`, "Run this again.");
  if (rejections.has(failure.name))
    return warning(
      `It could not be checked: the credentials need ${needs.join(" and ")}.`,
      "Allow it, or look it up yourself.",
    );
  return warning(`It could not be checked: ${failure.name}: ${failure.message}`, "Run this again.");
}
