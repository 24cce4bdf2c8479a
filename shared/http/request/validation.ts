import * as z from "zod/mini";
import { type FieldError, invalidAt } from "../../common/problem.ts";

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

/** Fields that may be empty accept what is empty. So where a problem is found, a value is missing. */
const isMissing = (input: unknown): boolean => input === undefined || input === null || input === "";

/** Says what is wrong with a value. The text is the end of a sentence that begins with the value's path. */
function describe(issue: RawIssue): string {
  if (isMissing(issue.input) && issue.code !== "custom") return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${noun(issue.expected)}`;
    case "too_small":
      if (issue.inclusive === false) return `must be more than ${issue.minimum}`;
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

/**
 * Parses what a client sent.
 * @throws Problem `invalid` that names every wrong place. A path begins below the part of the request
 * (`body`); a part that is wrong as a whole is named itself. `found` are errors that were found before
 */
export function parseRequest<T extends z.core.$ZodType>(
  schema: T,
  request: unknown,
  found: readonly FieldError[] = [],
): z.output<T> {
  const result = z.safeParse(schema, request);
  if (result.success && found.length === 0) return result.data;
  const errors = new Map(found.map((error) => [error.path, error]));
  for (const { path: steps, message } of result.error?.issues ?? []) {
    const path = steps.slice(1).map(String).join(".") || String(steps[0] ?? "request");
    // The last issue of a place is the narrowest: a number beyond all integers is also beyond its own limit.
    errors.set(path, { path, message });
  }
  throw invalidAt([...errors.values()]);
}
