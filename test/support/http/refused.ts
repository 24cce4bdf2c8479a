import { expect } from "vitest";
import { type Answer, at } from "./client.ts";

/** Holds that a call was refused for what is wrong at each of these places, and for nothing else. */
export function expectRefusedAt({ status, body }: Answer, paths: readonly string[]): void {
  const message = expect.stringMatching(/./);
  expect(status).toBe(400);
  expect(at(body, "response.errors")).toEqual(paths.map((path) => ({ path, message })));
  expect(String(at(body, "response.message")).startsWith(`${paths[0]} `)).toBe(true);
}
