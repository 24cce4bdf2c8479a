/** The sign-in form, forms that browsers send, and the cookie of a session. */
import { Problem } from "../../common/problem.ts";
import type { HttpEvent } from "../gateway.ts";
import { rawBody } from "../request/body.ts";
import { type HttpResponse, nosniff } from "../responses.ts";

/** The fields of a form. A repeated one counts once. @throws Problem `invalid` where the body is no text */
export const formOf = (event: HttpEvent): object => Object.fromEntries(new URLSearchParams(rawBody(event)));

const hostOf = (origin: string | undefined): string | undefined =>
  origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;

/**
 * Lets only forms of the service's own pages pass (docs/decisions.md, Signing in to the documentation). A
 * browser says in `Sec-Fetch-Site` where a form comes from; one that does not says it in `Origin`.
 * @throws Problem `forbidden`
 */
export function requireOwnForm({ headers }: HttpEvent): void {
  const site = headers["sec-fetch-site"];
  const own = site === undefined ? hostOf(headers["origin"]) === headers["host"] : site === "same-origin";
  if (own) return;
  throw new Problem(
    "forbidden",
    "The form came from another site; open the page of the service and send it there",
  );
}

/** The prefix has browsers refuse the cookie from other hosts and without `Secure`. */
const cookieName = "__Host-wms-docs";

const cookieOf = (value: string, seconds: number): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;

/** The value of the session's cookie. */
export const sentCookie = ({ cookies = [] }: HttpEvent): string | undefined =>
  cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);

/** Leads a browser from a form to a page, with the session's cookie. No value takes the cookie away. */
export const redirect = (location: string, value = "", seconds = 0): HttpResponse => ({
  statusCode: 303,
  headers: { location, "cache-control": "no-store", ...nosniff },
  cookies: [cookieOf(value, seconds)],
});

/** Stands in the form's file where the reason of a rejection is put. */
export const messageMark = "<!-- message -->";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML shows it. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);

/**
 * The sign-in form, with the reason why it was rejected. A function as the replacement keeps `$` as it is.
 */
export const withMessage = (form: string, message?: string): string =>
  form.replace(messageMark, () =>
    message === undefined ? "" : `<p class="refusal" role="alert">${escaped(message)}.</p>`,
  );
