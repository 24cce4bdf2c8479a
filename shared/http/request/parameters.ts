/**
 * What is read from an event besides its body, and query parameters that a call does not have
 * (docs/decisions.md, Unknown fields and parameters). For names that other services use, the answer says what
 * to use here.
 */
import { closestMatch } from "leven";
import type { Received } from "../../auth/callers.ts";
import { isBlank, replacementCharacter } from "../../common/fields.ts";
import { type FieldError, invalidAt } from "../../common/problem.ts";
import { truncate } from "../../common/strings.ts";
import type { HttpEvent } from "../http-handler.ts";
import { namesOf, type Shape, shapesOf } from "./schemas.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * The parameters of a query or a path. Where a call has none, API Gateway leaves them out, and emulators send
 * null. @throws Problem `invalid` if one of them is not UTF-8
 */
export function parameters(sent: Texts | null | undefined): Texts {
  const texts = sent ?? {};
  for (const [path, value] of Object.entries(texts))
    if (path.includes(replacementCharacter) || value?.includes(replacementCharacter))
      throw invalidAt([{ path, message: "must be UTF-8, percent-encoded" }]);
  return texts;
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

/** The number of characters of an unknown name that are listed, and compared with known names. */
export const maxNameLength = 60;

/** Advice to use one of several parameters: the first of them that the call has. */
const use =
  (...choices: readonly (readonly [parameter: string, advice: string])[]) =>
  (known: readonly string[]): string | undefined =>
    choices.find(([parameter]) => known.includes(parameter))?.[1];

const feed = "GET /apirest/v4/oms/events has what changed";

/** Parameters that do not filter, but describe what a list looks like. */
const notFilters: ReadonlySet<string> = new Set([
  "page",
  "per_page",
  "order_by",
  "order_direction",
  "identify_by",
]);

/** Names of other services, without case and separators, and what to use here. */
const foreign: readonly (readonly [
  names: RegExp,
  advice: (known: readonly string[]) => string | undefined,
])[] = [
  [
    /^(?:limit|pagesize|perpage|pagelimit|size|count|max|maxresults|top|take|rows|first)$/,
    use(["per_page", "use per_page"], ["limit", "use limit"]),
  ],
  [
    /^(?:offset|skip|start|page|pagenumber|pageno|pageindex|pagetoken|nexttoken|nextpage|pageinfo|cursor|marker|startingafter|after)$/,
    use(
      ["page", "use page: pages are numbered from 1"],
      ["after", "use after, with the next_after of the answer before"],
    ),
  ],
  [
    /^(?:sort|sortby|sortorder|sortdir|sortdirection|order|orderby|ordering|direction|dir)$/,
    use(["order_by", "use order_by and order_direction"], ["order_direction", "use order_direction"]),
  ],
  [
    /^(?:fields|select|columns|include|includes|exclude|expand|embed|view)$/,
    () => "every answer has all fields",
  ],
  [
    /^(?:since|(?:updated|modified|changed)(?:since|after|from|at|atmin|date|gte|gt)|(?:lastupdated|lastmodified|datemodified|dateupdated)\w*|(?:min|ifmodified)(?:updated|modified|since)\w*)$/,
    (known) =>
      use(["updated_since", "use updated_since"])(known) ?? (known.includes("page") ? feed : undefined),
  ],
  [
    /^(?:created(?:after|since|from|at|atmin|gte|gt|date)|startdate|datefrom|datestart|mindate|fromdate)$/,
    use(["from_date", "use from_date"]),
  ],
  [
    /^(?:until|created(?:before|until|to|atmax|lte|lt)|enddate|dateto|dateend|maxdate|todate)$/,
    use(["to_date", "use to_date"]),
  ],
  [
    /^(?:q|query|search|searchterm|filter|filters|where|keyword|keywords|term)$/,
    (known) => {
      const filters = known.filter((name) => !notFilters.has(name));
      return filters.length === 0 ? undefined : `use one of ${filters.join(", ")}`;
    },
  ],
  [
    /^(?:key|apikey|accesstoken|token|auth|authorization|accountid)$/,
    () => "credentials are headers: see the document of the call",
  ],
  [/^(?:format|pretty|callback|accept)$/, () => "every answer is JSON"],
];

/** A name without case and separators, which clients vary. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The name of another service's parameter here; undefined if the names are almost the same. */
export function adviceFor(name: string, known: readonly string[]): string | undefined {
  const sent = plain(name);
  if (known.some((one) => plain(one) === sent)) return undefined;
  return foreign.find(([names]) => names.test(sent))?.[1](known);
}

/**
 * An error for each query parameter that the call does not have, with what to use instead. `more` are the
 * parameters that it takes besides those of its schema.
 */
export function unknownParameters(
  { shape: { query, body } }: { readonly shape: Shape },
  sent: object,
  more: readonly string[] = [],
): readonly FieldError[] {
  const names = Object.keys(sent);
  if (names.length === 0) return [];
  const [known, fields] = [query, body].map((part) => (part === undefined ? [] : namesOf(shapesOf(part))));
  const taken = [...(known ?? []), ...more];
  const unknown = names.filter((name) => !taken.includes(name));
  return unknown.map((name) => {
    const path = truncate(name, maxNameLength);
    if (fields?.includes(name))
      return { path, message: "is not a query parameter of this call, but a field of its body" };
    const nearest = closestMatch(path, taken);
    const advice =
      adviceFor(path, taken) ?? (nearest === undefined ? undefined : `the nearest is ${nearest}`);
    if (advice === undefined)
      return { path, message: "is not a query parameter of this call, which has none" };
    const all = taken.length === 0 ? "" : ` (it takes ${taken.join(", ")})`;
    return { path, message: `is not a query parameter of this call; ${advice}${all}` };
  });
}
