import * as z from "zod/mini";
import { spendCode } from "../../../shared/accounts/credential-repository.ts";
import { completeLogin } from "../../../shared/accounts/login-repository.ts";
import { insertSession } from "../../../shared/accounts/session-repository.ts";
import { attempting } from "../../../shared/accounts/sign-in-attempts.ts";
import { codeAccess } from "../../../shared/auth/access.ts";
import { credentialsOf, newSession, sessionSeconds } from "../../../shared/auth/mobile.ts";
import { invalidCode, userByCode, waitingLogin } from "../../../shared/auth/sign-in.ts";
import { text } from "../../../shared/common/fields.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { mergeAccess } from "../../../shared/store/access.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";

const code = z.string().check(z.refine((digits) => /^\d{6}$/.test(digits), "must be 6 digits"));

const credentials = z.object({
  jwt: primitive.text,
  token: primitive.text,
  user_id: primitive.int,
  expires_in: primitive.int,
});

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-verify-code-1",
    auth: "sign-in",
    summary: "Sign in to the mobile application: the code of the authenticator",
    request: z.object({ body: z.object({ login_id: text(), code }) }),
    response: dataOf(credentials),
    access: mergeAccess(codeAccess, { identity: { "session#": "insert" } }),
    secret: true,
  },
  async ({ body: { login_id, code } }, { db, device, source, now }) => {
    const login = await waitingLogin(db, login_id, device);
    return attempting(db, { user_name: login.user_name, source }, async (succeeded) => {
      const { user, checked } = await userByCode(db, login, code);
      const session = newSession(user, device, now);
      const answer = await credentialsOf(session);
      await transact(db, [
        spendCode(user, checked, invalidCode),
        completeLogin(login.login_hash, now, invalidCode),
        insertSession(session),
        ...succeeded,
      ]);
      return { data: { ...answer, user_id: user.user_id, expires_in: sessionSeconds } };
    });
  },
);
