import * as z from "zod/mini";
import { insertSession, revokeSession, type Session } from "../../shared/accounts/session-repository.ts";
import { attempting } from "../../shared/accounts/sign-in-attempts.ts";
import { authenticationAccess, passwordAccess, sessionAccess } from "../../shared/auth/access.ts";
import { authenticators } from "../../shared/auth/authenticate.ts";
import { docsSeconds, docsToken, findDocsSession, newDocsSession } from "../../shared/auth/docs-session.ts";
import { userByPassword } from "../../shared/auth/sign-in.ts";
import { name, text } from "../../shared/common/fields.ts";
import { Problem } from "../../shared/common/problem.ts";
import type { HttpEvent } from "../../shared/http/http-handler.ts";
import { file, html, namedPage, pageText } from "../../shared/http/pages/files.ts";
import { formOf, redirect, requireOwnForm, sentCookie, withMessage } from "../../shared/http/pages/forms.ts";
import { definePage } from "../../shared/http/pages/page.ts";
import { receivedOf } from "../../shared/http/request/parameters.ts";
import { parseRequest } from "../../shared/http/request/validation.ts";
import { failure, type HttpResponse } from "../../shared/http/responses.ts";
import { database } from "../../shared/runtime/database.ts";
import { mergeAccess } from "../../shared/store/access.ts";
import { transact } from "../../shared/store/dynamodb/transact.ts";

const path = "/apirest/v4/wms/docs";
const credentials = z.object({ form: z.object({ user_name: name, password: text() }) });

/** The session of a browser that has signed in. */
const sessionOf = async (event: HttpEvent): Promise<Session | undefined> => {
  const cookie = sentCookie(event);
  return cookie === undefined ? undefined : findDocsSession(await database(), cookie);
};

/** A page if the browser has signed in, else the form. A page that does not exist is 404 to everybody. */
const toUsers = (page: (event: HttpEvent) => Promise<HttpResponse>) => async (event: HttpEvent) => {
  const shown = await page(event);
  const isSignedIn = (await sessionOf(event)) !== undefined;
  return isSignedIn ? shown : html(200, withMessage(await pageText("sign-in.html")));
};

/** The token of a new session of the user. @throws Problem as the mobile application's sign-in does */
async function signedIn(event: HttpEvent): Promise<string> {
  const { form } = parseRequest(credentials, { form: formOf(event) });
  const db = await database();
  const { sourceIp: source } = event.requestContext.http;
  return attempting(db, { user_name: form.user_name, source }, async (succeeded) => {
    const user = await userByPassword(db, form.user_name, form.password);
    const session = newDocsSession(user, new Date().toISOString());
    const token = await docsToken(session);
    await transact(db, [insertSession(session), ...succeeded]);
    return token;
  });
}

/** A rejection shows the form again with the reason, under the status of the rejection. */
async function signIn(event: HttpEvent): Promise<HttpResponse> {
  requireOwnForm(event);
  try {
    return redirect(path, await signedIn(event), docsSeconds);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { statusCode = 500, headers = {} } = failure(error, event.requestContext.requestId);
    return html(statusCode, withMessage(await pageText("sign-in.html"), error.message), headers);
  }
}

async function signOut(event: HttpEvent): Promise<HttpResponse> {
  requireOwnForm(event);
  const session = await sessionOf(event);
  if (session !== undefined) {
    await transact(await database(), [revokeSession(session.session_id, new Date().toISOString())]);
  }
  return redirect(path);
}

/** Client generators have no cookie, so the headers of WMS calls are accepted as well. */
async function showDocument(event: HttpEvent): Promise<HttpResponse> {
  if ((await sessionOf(event)) === undefined) await authenticators.wms(await database(), receivedOf(event));
  return file(event, "openapi.json", "unsaved");
}

export const { page, handler } = definePage({
  summary: "The documentation of the WMS, for warehouse users who have signed in",
  document: "wms",
  parts: ["reference", "sign-in"],
  access: mergeAccess(authenticationAccess.wms, authenticationAccess.mobile, passwordAccess, sessionAccess),
  secret: true,
  routes: [
    { method: "GET", path, answer: toUsers((event) => file(event, "index.html", "unsaved")) },
    { method: "GET", path: `${path}/{file}`, answer: toUsers((event) => namedPage(event, "unsaved")) },
    { method: "POST", path, answer: signIn },
    { method: "POST", path: `${path}/sign-out`, answer: signOut },
    { method: "GET", path: "/apirest/v4/wms/openapi.json", answer: showDocument },
  ],
});
