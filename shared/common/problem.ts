/** What went wrong, in the service's own terms. Only the HTTP layer knows which status code a kind has. */
export type ProblemKind = "invalid" | "unauthorized" | "forbidden" | "not_found" | "too_many";

/** One wrong place in a request: `path` is dotted (`data.0.items.1.sku`), `message` continues it ("is required"). */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

interface Details {
  readonly errors?: readonly FieldError[];
  /** Which records were stored and which were not, where part of a call took effect. */
  readonly data?: readonly unknown[];
  readonly retryAfterSeconds?: number;
  /** What is wrong with the record, as the rest of a sentence about it ("is Shipped; …"), for who names its place. */
  readonly why?: string;
}

/** An error whose text is meant for the caller. The text of any other error is hidden from callers. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly details: Details;

  /** `cause` is for the log, where something unexpected led to the problem. */
  constructor(kind: ProblemKind, message: string, details: Details = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "Problem";
    this.kind = kind;
    this.details = details;
  }
}

/** The request breaks a rule that is not tied to one field. */
export const invalid = (message: string): Problem => new Problem("invalid", message);

/** The request is wrong in these places. The message names the first. */
export function invalidAt(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  const message = first === undefined ? "The request is invalid" : `${first.path} ${first.message}`.trim();
  return new Problem("invalid", message, { errors });
}

/** The record that a request is about does not exist for this caller. `errors` tell where a body names the record. */
export const notFound = (message: string, errors?: readonly FieldError[]): Problem =>
  new Problem("not_found", message, errors === undefined ? {} : { errors });
