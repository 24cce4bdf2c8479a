import type { Device } from "../accounts/session-repository.ts";
import { type Headers, headerProblem, requiredHeader } from "./headers.ts";

/** Maximum characters of a header. Limited because every session stores these values. */
const maxHeaderLength = 255;

function bounded(headers: Headers, name: string): string {
  const value = requiredHeader(headers, name);
  if (value.length > maxHeaderLength)
    throw headerProblem(`${name} has more than ${maxHeaderLength} characters`);
  return value;
}

/**
 * The device headers of a call of the mobile application (docs/decisions.md, Signing in on a device).
 * @throws Problem `unauthorized` that names the first missing header
 */
export const deviceOf = (headers: Headers): Device => ({
  device_id: bounded(headers, "Device-Id"),
  app: bounded(headers, "App"),
  app_version: bounded(headers, "App-Version"),
  system_version: bounded(headers, "System-Version"),
});
