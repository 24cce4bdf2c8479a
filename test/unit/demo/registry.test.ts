import { expect, test } from "vitest";
import { demoPassword, demoUsers } from "../../../infra/demo/registry.ts";
import { hashPassword, isPassword } from "../../../shared/auth/passwords.ts";

test.each(demoUsers)("$user_name signs in with the demo password", { timeout: 60_000 }, async (user) => {
  expect(await isPassword(demoPassword, user.password)).toBe(true);
  expect(await isPassword(`${demoPassword}!`, user.password)).toBe(false);
});

test("the demo passwords cost as much to check as new ones", { timeout: 60_000 }, async () => {
  const { N, r, p } = await hashPassword("new");

  expect(demoUsers.map(({ password }) => password)).toEqual(
    demoUsers.map(() => expect.objectContaining({ N, r, p })),
  );
});
