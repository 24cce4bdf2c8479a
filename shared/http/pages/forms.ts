/** The sign-in form, forms that browsers send, and the cookie of a session. */
import { Problem } from "../../common/problem.ts";
import type { HttpEvent } from "../http-handler.ts";
import { rawBody } from "../request/body.ts";
import { type HttpResponse, nosniff } from "../responses.ts";

/** The fields of a form; of repeated ones, the last. @throws Problem `invalid` if the body is not UTF-8 */
export const formOf = (event: HttpEvent): object => Object.fromEntries(new URLSearchParams(rawBody(event)));

const hostOf = (origin: string | undefined): string | undefined =>
  origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;

/**
 * Accepts only forms of the service's own pages (docs/decisions.md, Signing in to the documentation).
 * Browsers state the origin of a form in `Sec-Fetch-Site`, older ones in `Origin`.
 * @throws Problem `forbidden` if the form came from another site
 */
export function requireOwnForm({ headers }: HttpEvent): void {
  const site = headers["sec-fetch-site"];
  const own = site === undefined ? hostOf(headers["origin"]) === headers["host"] : site === "same-origin";
  if (own) return;
  throw new Problem(
    "forbidden",
    "The form came from another site, or from no browser; a program gets openapi.json with userName and Key as headers",
  );
}

/** With this prefix, browsers reject the cookie if it comes from another host or without `Secure`. */
const cookieName = "__Host-wms-docs";

const cookieOf = (value: string, seconds: number): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;

/** The value of the session's cookie. */
export const sentCookie = ({ cookies = [] }: HttpEvent): string | undefined =>
  cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);

/** Redirects a browser from a form to a page, with the session's cookie. Without a value, it is deleted. */
export const redirect = (location: string, value = "", seconds = 0): HttpResponse => ({
  statusCode: 303,
  headers: { location, "cache-control": "no-store", ...nosniff },
  cookies: [cookieOf(value, seconds)],
});

/** The place in the form's file for the reason of a rejection. */
export const messageMark = "<!-- message -->";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML shows it. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);

/** The sign-in form, with the reason if it was rejected. A function as the replacement keeps `$` as it is. */
export const withMessage = (form: string, message?: string): string =>
  form.replace(messageMark, () =>
    message === undefined ? "" : `<p class="refusal" role="alert">${escapeHtml(message)}.</p>`,
  );
