import * as z from "zod/mini";
import { maxRecords } from "../../common/fields.ts";
import { type FieldError, invalidAt, maxListed, type Problem } from "../../common/problem.ts";

type RawIssue = z.core.$ZodRawIssue;

const nouns: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

const formats: Readonly<Record<string, string>> = {
  date: "a date such as 2026-01-31",
  email: "an e-mail address",
  url: "an http or https URL",
};

const noun = (expected: string): string => nouns[expected] ?? `a ${expected}`;

const limit = (origin: string, bound: number | bigint, word: "least" | "most"): string => {
  if (origin === "string") return `must have at ${word} ${bound} character${bound === 1 ? "" : "s"}`;
  if (origin === "array") return `must hold at ${word} ${bound} element${bound === 1 ? "" : "s"}`;
  return `must be at ${word} ${bound}`;
};

/** Whether a rejected value counts as not sent. Fields that may be empty accept empty values. */
const isMissing = (input: unknown): boolean => input === undefined || input === null || input === "";

/** The error of a value that was not sent. */
export const required = "is required";

/** What is wrong with a value, as the end of a sentence that begins with the value's path. */
function describe(issue: RawIssue): string {
  if (isMissing(issue.input) && issue.code !== "custom") return required;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${noun(issue.expected)}`;
    case "too_small":
      return limit(issue.origin, issue.minimum, "least");
    case "too_big":
      return limit(issue.origin, issue.maximum, "most");
    case "invalid_format":
      return `must be ${formats[issue.format] ?? "well-formed"}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return "has the wrong type";
    default:
      return issue.message ?? "is invalid";
  }
}

z.config({ customError: describe });

/** A bulk call of several records. A call of more than the limit is wrong as a whole. */
const severalRecords = z.lazy(() =>
  z.looseObject({
    body: z.looseObject({ data: z.array(z.unknown()).check(z.minLength(2), z.maxLength(maxRecords)) }),
  }),
);

/**
 * The parts of a request to validate: a bulk call is validated as one call for each of its records. A body of
 * 1 MB may be wrong in some 300,000 places, and zod overflows the stack if it has to collect so many at once.
 */
function* partsOf(request: unknown): Generator<unknown, void> {
  const several = z.safeParse(severalRecords, request);
  if (!several.success) return yield request;
  const { body, ...others } = several.data;
  for (const record of body.data) yield { ...others, body: { ...body, data: [record] } };
}

/** The steps to the first record of a bulk call. */
const toRecord = ["body", "data", 0];

/** The steps to a place in the whole request; undefined if an earlier part has the same place. */
function stepsIn(part: number, steps: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  if (part === 0) return steps;
  const isInRecord = toRecord.every((step, index) => steps[index] === step);
  return isInRecord ? ["body", "data", part, ...steps.slice(toRecord.length)] : undefined;
}

/** What is wrong with a part of the request. A path begins below `params`, `query` or `body`. */
function errorsOf(schema: z.core.$ZodType, request: unknown, part: number): readonly FieldError[] {
  const errors = new Map<string, FieldError>();
  const wrongTypes = new Set<string>();
  for (const { path: inPart, message, code } of z.safeParse(schema, request).error?.issues ?? []) {
    const steps = stepsIn(part, inPart);
    if (steps === undefined) continue;
    const path = steps.slice(1).map(String).join(".") || String(steps[0] ?? "request");
    // zod measures whatever has a length: a list where a text belongs is not too short.
    if (wrongTypes.has(path)) continue;
    if (code === "invalid_type") wrongTypes.add(path);
    // The last issue of a place is the narrowest: a number beyond all integers is also beyond its own limit.
    errors.set(path, { path, message });
  }
  return [...errors.values()];
}

/** Without `abortEarly`, zod would collect the issues of all records at once. */
const untilFirstIssue = { reportInput: false, abortEarly: true };

/**
 * Parses what a client sent.
 * @param found errors that were found before
 * @param explained adds to the problem what else is known of it
 * @throws Problem `invalid` that names the first 100 wrong places and the number of all. A path begins below
 * the part of the request (`body`); a part that is wrong as a whole is named itself
 */
export function parseRequest<T extends z.core.$ZodType>(
  schema: T,
  request: unknown,
  found: readonly FieldError[] = [],
  explained: (problem: Problem) => Problem = (problem) => problem,
): z.output<T> {
  const result = z.safeParse(schema, request, untilFirstIssue);
  if (result.success && found.length === 0) return result.data;
  const errors = found.slice(0, maxListed);
  let total = found.length;
  const add = (more: readonly FieldError[]) => {
    errors.push(...more.slice(0, maxListed - errors.length));
    total += more.length;
  };
  if (!result.success) {
    let part = 0;
    for (const one of partsOf(request)) {
      add(errorsOf(schema, one, part));
      part += 1;
    }
    // Each record may be valid by itself, but not together with the others.
    if (total === found.length) add(errorsOf(schema, request, 0));
  }
  throw explained(invalidAt(errors, total));
}
