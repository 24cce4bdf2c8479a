/** What `wrong-bodies.test.ts` does not derive from the schema of a sign-in's body. */
import { expect, test } from "vitest";
import { endpoint as verify } from "../../../functions/v2/mobile/verify-code.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import { linesOf, problemOf } from "../samples.ts";

test.each([
  ["letters", "12345a"],
  ["five digits", "12345"],
  ["seven digits", "1234567"],
  ["digits of another script", "１２３４５６"],
  ["a space", "123 45"],
  ["nothing", ""],
])("a code of %s is invalid", (_case, code) => {
  const problem = problemOf(() => parseRequest(verify.request, { body: { login_id: "x", code } }));

  expect(linesOf(problem)).toEqual(["code must be 6 digits"]);
});
