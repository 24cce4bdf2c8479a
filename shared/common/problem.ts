/**
 * How a call is refused. There is one error, `Problem`, which ends as the answer to the client, and these
 * ways to it:
 *
 * - thrown: the whole call is refused, and nothing of it is stored
 * - `{ problem }`, returned by what plans or decides about one record: a bulk call refuses the call with the
 *   problems of all records or, once others are stored, the record alone (`store/bulk/bulk.ts`)
 * - the `rejection` of a write, which makes the Problem if the write's condition fails. A `Stale` one only
 *   makes the caller decide again (`store/dynamodb/writes.ts`)
 * - `errors`, a list that a caller passes to checks (`resolveEach`, `resolveTerms`): they add everything that
 *   is wrong, so that one answer names all of it, and the caller throws it. A check of one value may return a
 *   text instead, or undefined if the value is valid (`rangeError`)
 *
 * Wrong places are `FieldError`s of a Problem, so that one answer names all of them. Other errors are faults
 * of the service: logged, and answered as 500 without their message. Warnings
 * (`http/request/unread-fields.ts`) refuse nothing.
 */

/** The kind of an error, independent of HTTP. Only the HTTP layer maps kinds to status codes. */
export type ProblemKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "not_allowed"
  | "conflict"
  | "outdated"
  | "too_large"
  | "unsupported"
  | "too_many"
  | "unavailable";

/**
 * Error codes for programs, so that they need not read messages (docs/decisions.md, Codes of errors): the
 * record exists already, a record that it names does not exist, a status does not allow the change, or the
 * feed no longer has the events.
 */
export const errorCodes = ["already_exists", "unknown_reference", "wrong_status", "too_old"] as const;

/**
 * One wrong place: `path` is dotted (`data.0.items.1.sku`), and `message` completes the sentence that it
 * begins ("is required").
 */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly code?: (typeof errorCodes)[number];
  /** The order that already exists, if it was looked up. */
  readonly order_id?: number;
}

/** Maximum errors, and maximum warnings, that one answer lists (docs/decisions.md, Sizes of answers). */
export const maxListed = 100;

interface Details {
  readonly errors?: readonly FieldError[];
  /** The number of wrong places, if `errors` holds only some of them. */
  readonly errorsTotal?: number;
  /** Which records were stored, if a call took effect in part. */
  readonly data?: readonly unknown[];
  readonly retryAfterSeconds?: number;
  /** Whether a failure of the service left the outcome of some records open, so that a retry continues. */
  readonly isUnfinished?: true;
  /** What is wrong with the record, as the rest of a sentence after its place ("is Shipped; …"). */
  readonly why?: string;
}

/** An error whose message is shown to clients. The messages of all other errors are hidden from them. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly details: Details;

  /** `cause` is for the log, if something unexpected led to the problem. */
  constructor(kind: ProblemKind, message: string, details: Details = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "Problem";
    this.kind = kind;
    this.details = details;
  }
}

/** What is decided about a record, or the problem that rules it out. */
export type Decision<T> = T | { readonly problem: Problem };

/** The request breaks a rule that is not tied to one field. */
export const invalid = (message: string): Problem => new Problem("invalid", message);

/** The call can't be carried out as things stand. */
export const conflict = (message: string): Problem => new Problem("conflict", message);

/** The request is wrong in these places, `errorsTotal` in all. The message names the first. */
export const invalidAt = (errors: readonly FieldError[], errorsTotal = errors.length): Problem =>
  problemAt("invalid", errors, errorsTotal);

/** What these places request can't be provided as things stand. The message names the first. */
export const conflictAt = (errors: readonly FieldError[]): Problem => problemAt("conflict", errors);

function problemAt(kind: ProblemKind, errors: readonly FieldError[], errorsTotal = errors.length): Problem {
  const [first] = errors;
  const message = first === undefined ? "The request is invalid" : `${first.path} ${first.message}`.trim();
  return new Problem(kind, message, { errors, errorsTotal });
}

/** The requested record does not exist for this caller. `errors` say where a body names the record. */
export const notFound = (message: string, errors?: readonly FieldError[]): Problem =>
  new Problem("not_found", message, errors === undefined ? {} : { errors });

/** @throws Problem with the errors of all these problems, in the words of the first, if there are any */
export function throwTogether(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.flatMap(({ details }) => details.errors ?? []);
  if (first.kind === "invalid" && errors.length > 0) throw invalidAt(errors);
  throw errors.length > 0 ? new Problem(first.kind, first.message, { errors }) : first;
}

/** The positions whose key (a SKU, an id) is known from an earlier one. Missing keys never are. */
export function duplicatePositions(keys: readonly (string | number | undefined)[]): ReadonlySet<number> {
  const known = new Set<string | number>();
  const duplicates = new Set<number>();
  for (const [position, key] of keys.entries()) {
    if (key === undefined) continue;
    if (known.has(key)) duplicates.add(position);
    known.add(key);
  }
  return duplicates;
}

/** The error of a name that another record has. */
export const alreadyExists = (name: string, path: string): FieldError => ({
  path,
  message: `already exists (${name})`,
  code: "already_exists",
});

/** A name in a call, and its place there. */
export interface NamedAt {
  readonly name: string;
  readonly path: string;
}

/** An error for each name that is in the `list` again, at its second and later occurrences. */
export function duplicateErrors(named: readonly NamedAt[], list = "this call"): readonly FieldError[] {
  const duplicates = duplicatePositions(named.map(({ name }) => name));
  return named
    .filter((_, position) => duplicates.has(position))
    .map(({ name, path }) => ({ path, message: `is in ${list} twice (${name})` }));
}
