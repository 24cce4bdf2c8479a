/**
 * What is wrong with a sign-in's body by itself; some of it is sent over HTTP in
 * `alone/auth/sign-in.test.ts`.
 */
import { expect, test } from "vitest";
import { endpoint as login } from "../../../functions/v2/mobile/login.ts";
import { endpoint as verify } from "../../../functions/v2/mobile/verify-code.ts";
import type { RequestSchema } from "../../../shared/http/endpoint.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { problemOf } from "../samples.ts";

function expectRefused(request: RequestSchema, body: unknown, message: string): void {
  const problem = problemOf(() => parseRequest(request, { body }));

  expect([problem.kind, problem.message]).toEqual(["invalid", message]);
}

test.each<[string, unknown, string]>([
  ["no object", [], "body must be an object"],
  ["no user name", { password: "x" }, "username is required"],
  ["an empty user name", { username: "", password: "x" }, "username is required"],
  [
    "a user name that nobody can have",
    { username: "x".repeat(101), password: "x" },
    "username must have at most 100 characters",
  ],
  ["a user name that is no text", { username: 1, password: "x" }, "username must be a string"],
  ["no password", { username: "manager" }, "password is required"],
  ["an empty password", { username: "manager", password: "" }, "password is required"],
  [
    "a password without end",
    { username: "manager", password: "x".repeat(256) },
    "password must have at most 255 characters",
  ],
  ["a password that is null", { username: "manager", password: null }, "password is required"],
  ["a password that is no text", { username: "manager", password: 1 }, "password must be a string"],
])("a login with %s is invalid", (_case, body, message) => {
  expectRefused(login.request, body, message);
});

test.each([
  ["letters", "12345a"],
  ["five digits", "12345"],
  ["seven digits", "1234567"],
  ["digits of another script", "１２３４５６"],
  ["a space", "123 45"],
  ["nothing", ""],
])("a code of %s is invalid", (_case, code) => {
  expectRefused(verify.request, { login_id: "x", code }, "code must be 6 digits");
});

test.each<[unknown, string]>([
  [{ code: "123456" }, "login_id is required"],
  [{ login_id: "", code: "123456" }, "login_id is required"],
  [{ login_id: "x".repeat(256), code: "123456" }, "login_id must have at most 255 characters"],
  [{ login_id: "x" }, "code is required"],
  [{ login_id: "x", code: 123456 }, "code must be a string"],
])("the code's body %j is invalid", (body, message) => {
  expectRefused(verify.request, body, message);
});
