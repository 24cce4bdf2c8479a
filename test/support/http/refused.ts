import { expect } from "vitest";
import { type Answer, at } from "./client.ts";

/** The body of a refusal for what is wrong at one place, whether or not it has a code. */
const refusalAt = (path: string, message: string) => ({
  response: {
    success: false,
    message: `${path} ${message}`,
    errors: [expect.objectContaining({ path, message })],
  },
});

/** Asserts that a call was refused for what is wrong at one place, in these words. */
export function expectRefusal({ status, body }: Answer, path: string, message: string): void {
  expect({ status, body }).toEqual({ status: 400, body: refusalAt(path, message) });
}

/** Asserts that a record of another account is answered as one that does not exist, the one 999999999. */
export function expectAsMissing(foreign: Answer, id: unknown, missing: Answer): void {
  const shape = ({ status, body }: Answer, text: unknown) => [
    status,
    JSON.stringify(body).replaceAll(String(text), "?"),
  ];
  expect(shape(foreign, id)).toEqual(shape(missing, 999_999_999));
}

/** Asserts that a call was refused for what is wrong at each of these places, and for nothing else. */
export function expectRefusedAt({ status, body }: Answer, paths: readonly string[]): void {
  const message = expect.stringMatching(/./);
  expect(status).toBe(400);
  expect(at(body, "response.errors")).toEqual(
    paths.map((path) => expect.objectContaining({ path, message })),
  );
  expect(String(at(body, "response.message")).startsWith(`${paths[0]} `)).toBe(true);
}
