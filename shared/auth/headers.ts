import type { Device } from "../accounts/session-repository.ts";
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

/** Maximum characters of a header. Limited because every session stores these values. */
const maxHeaderLength = 255;

function boundedHeader(headers: Headers, name: string): string {
  const value = requiredHeader(headers, name);
  if (value.length > maxHeaderLength)
    throw headerProblem(`${name} has more than ${maxHeaderLength} characters`);
  return value;
}

/** The device headers of a mobile call. @throws Problem `unauthorized` that names the first missing one */
export const deviceOf = (headers: Headers): Device => ({
  device_id: boundedHeader(headers, "Device-Id"),
  app: boundedHeader(headers, "App"),
  app_version: boundedHeader(headers, "App-Version"),
  system_version: boundedHeader(headers, "System-Version"),
});
