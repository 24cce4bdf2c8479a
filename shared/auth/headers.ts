import { Problem } from "../common/problem.ts";

/** Header values by lower-cased name. */
export type Headers = Readonly<Record<string, string | undefined>>;

export const unauthorized = (message: string): Problem => new Problem("unauthorized", message);

export const headerProblem = (rest: string): Problem => unauthorized(`Header value invalid; ${rest}`);

/** The value of a required header. @throws Problem `unauthorized`, with the interface's text */
export function requiredHeader(headers: Headers, name: string): string {
  const value = headers[name.toLowerCase()];
  if (value === undefined || value === "") throw headerProblem(`${name} is missing or empty`);
  return value;
}
