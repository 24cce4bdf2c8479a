import type { Device } from "../accounts/session-repository.ts";
import { type Headers, headerProblem, requiredHeader } from "./headers.ts";

/** Most characters of a header, because every session stores these values. */
const longest = 255;

function bounded(headers: Headers, name: string): string {
  const value = requiredHeader(headers, name);
  if (value.length > longest) throw headerProblem(`${name} has more than ${longest} characters`);
  return value;
}

/**
 * What every call of the mobile application tells of its device (docs/decisions.md, Signing in on a device).
 * @throws Problem `unauthorized` that names the first missing header
 */
export const deviceOf = (headers: Headers): Device => ({
  device_id: bounded(headers, "Device-Id"),
  app: bounded(headers, "App"),
  app_version: bounded(headers, "App-Version"),
  system_version: bounded(headers, "System-Version"),
});
