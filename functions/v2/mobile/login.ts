import * as z from "zod/mini";
import { insertLogin } from "../../../shared/accounts/login-repository.ts";
import { attempting } from "../../../shared/accounts/sign-in-attempts.ts";
import { passwordAccess } from "../../../shared/auth/access.ts";
import { loginSeconds, newLogin, userByPassword } from "../../../shared/auth/sign-in.ts";
import { name, text } from "../../../shared/common/fields.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { mergeAccess } from "../../../shared/store/access.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-login-1",
    auth: "sign-in",
    summary: "Sign in to the mobile application: the password",
    request: z.object({ body: z.object({ username: name, password: text() }) }),
    response: dataOf(z.object({ login_id: primitive.text, expires_in: primitive.int })),
    access: mergeAccess(passwordAccess, { identity: { "login#": "insert" } }),
  },
  ({ body: { username, password } }, { db, device, source, now }) =>
    attempting(db, { user_name: username, source }, async (succeeded) => {
      const user = await userByPassword(db, username, password);
      const { login_id, login } = newLogin(user, device, now);
      await transact(db, [insertLogin(login), ...succeeded]);
      return { data: { login_id, expires_in: loginSeconds } };
    }),
);
