/** What is read from an event besides its body. */
import type { Received } from "../../auth/callers.ts";
import { isBlank, replacementCharacter } from "../../common/fields.ts";
import { invalidAt } from "../../common/problem.ts";
import type { HttpEvent } from "../gateway.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** The parameters of a query or a path. @throws Problem `invalid` if one of them is not UTF-8 */
export function parameters(sent: Texts | undefined): Texts {
  const entries = Object.entries(sent ?? {});
  const path = entries.find((entry) => entry.some((text) => text?.includes(replacementCharacter)))?.[0];
  if (path !== undefined) throw invalidAt([{ path, message: "must be UTF-8, percent-encoded" }]);
  return Object.fromEntries(entries);
}

/** The query parameters. A blank one counts as not sent (docs/decisions.md, Request bodies). */
export const queryOf = ({ queryStringParameters }: HttpEvent): Texts =>
  Object.fromEntries(
    Object.entries(parameters(queryStringParameters)).filter(([, value]) => !isBlank(value)),
  );

/** What authentication reads of a call. `weight` is the number of requests that it counts as. */
export const receivedOf = ({ headers, requestContext }: HttpEvent, weight = 1): Received => ({
  headers,
  source: requestContext.http.sourceIp,
  weight,
});
