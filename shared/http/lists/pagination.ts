import * as z from "zod/mini";
import { isBlank, withDefault } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import type { Page } from "../../store/lists/pages.ts";

/** Digits of a whole number that a query may have. */
const digits = /^\d{1,15}$/;

/** More digits than that. */
const tooManyDigits = /^\d{16,}$/;

/** A whole number in a query, from `min` to `max`, sent as digits. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER) {
  const isBounded = max !== Number.MAX_SAFE_INTEGER;
  const problem = isBounded
    ? `must be a whole number from ${min} to ${max}`
    : `must be a whole number of at least ${min}`;
  const error = ({ input }: { readonly input?: unknown }) => {
    if (input === undefined) return undefined;
    return !isBounded && tooManyDigits.test(String(input))
      ? "must be a whole number of at most 15 digits"
      : problem;
  };
  return z.pipe(
    z.transform((sent: unknown) => (typeof sent === "string" && digits.test(sent) ? Number(sent) : sent)),
    z.int({ error }).check(z.gte(min, problem), z.lte(max, problem)),
  );
}

/** A positive whole number in a query, at most `max`. */
export const positive = (max?: number) => whole(1, max);

/** `page` and `per_page` with an endpoint's default and maximum (docs/decisions.md, Pages). */
export const pageQuery = (perPage = 20, maxPerPage = 100) => ({
  page: z._default(positive(), 1),
  per_page: z._default(positive(maxPerPage), perPage),
});

/** The requested page. */
export interface PageQuery {
  readonly page: number;
  readonly per_page: number;
}

/** One of some words in a query, in upper or lower case (docs/decisions.md, Request bodies). */
export const oneOf = <const T extends readonly string[]>(words: T) =>
  z.pipe(
    z.transform((sent: unknown) =>
      typeof sent === "string"
        ? (words.find((word) => word.toLowerCase() === sent.trim().toLowerCase()) ?? sent)
        : sent,
    ),
    z.enum(words),
  );

export const orderDirection = z._default(oneOf(["asc", "desc"]), "desc");

const asText = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);

/** A query's parameters as texts. Null and blank values count as not sent, as in a query. */
const asTexts = (body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => !isBlank(value))
      .map(([name, value]) => [name, asText(value)]),
  );

/** A list's query sent as a JSON body, its numbers also as digits. Without it, all defaults hold. */
export const queryBody = <T extends z.core.$ZodType<object, Record<string, unknown>>>(query: T) =>
  z.prefault(z.pipe(z.pipe(z.looseObject({}), z.transform(asTexts)), query), {});

/** `page` and `per_page` as numbers in a JSON body whose other fields are not a query. */
export const pageFields = (perPage = 20, maxPerPage = 100) => ({
  page: withDefault(z.int().check(z.gte(1)), 1),
  per_page: withDefault(z.int().check(z.gte(1), z.lte(maxPerPage)), perPage),
});

const metadata = z.object({
  page: primitive.int,
  per_page: primitive.int,
  total_records: primitive.int,
  total_pages: primitive.int,
  total_current_page: primitive.int,
});

const pagination = z.object({
  current_page: primitive.int,
  per_page: primitive.int,
  total: primitive.int,
  total_pages: primitive.int,
});

/** The body of a list. The interface describes the pagination block in two ways, so both are served. */
export const listOf = <T extends z.core.$ZodType>(record: T) =>
  z.object({ data: z.array(record), metadata, pagination });

/** The body of a list that takes `updated_since`. */
export const changesOf = <T extends z.core.$ZodType>(record: T) =>
  z.object({
    data: z.array(record),
    metadata: z.extend(metadata, { complete_until: z.optional(primitive.time) }),
    pagination,
  });

/** A page of records that changed since a time, and the time (ISO 8601) up to which none is missing. */
export interface ChangePage<T> extends Page<T> {
  readonly complete_until?: string | undefined;
}

/** The body of such a list. */
export function changesBody<T>({ complete_until, ...found }: ChangePage<T>, query: PageQuery) {
  const { metadata, ...body } = listBody(found, query);
  return { ...body, metadata: { ...metadata, ...(complete_until !== undefined && { complete_until }) } };
}

/** A list's body from one page of its records. */
export function listBody<T>({ records: data, total }: Page<T>, { page, per_page }: PageQuery) {
  const total_pages = Math.ceil(total / per_page);
  return {
    data: [...data],
    metadata: { page, per_page, total_records: total, total_pages, total_current_page: data.length },
    pagination: { current_page: page, per_page, total, total_pages },
  };
}

/** A page of records that are few enough to be read at once. */
export const pageOfAll = <T>(all: readonly T[], { page, per_page }: PageQuery): Page<T> => ({
  records: all.slice((page - 1) * per_page, page * per_page),
  total: all.length,
});

/** `page` and `per_page` of a list that returns all of its records unless one of them is sent. */
export const wholeQuery = { page: z.optional(positive()), per_page: z.optional(positive(100)) };

/**
 * The body of a list of few records: all of them, unless the query requests a page (docs/decisions.md,
 * Pages). The pagination block shows all of them as one page.
 */
export function wholeList<T>(
  all: readonly T[],
  { page, per_page }: z.output<z.ZodMiniObject<typeof wholeQuery>>,
) {
  const isWhole = page === undefined && per_page === undefined;
  const asked = { page: page ?? 1, per_page: per_page ?? (isWhole ? Math.max(all.length, 1) : 20) };
  return listBody(pageOfAll(all, asked), asked);
}
