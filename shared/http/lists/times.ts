/** Times in queries of lists (docs/decisions.md, Filters of orders; Changes since a time). */
import * as z from "zod/mini";
import { dayOrTime, isDay, utcTime } from "../../common/fields.ts";
import { invalidAt } from "../../common/problem.ts";
import { dayBegins, dayEnds } from "../../common/times.ts";
import type { CreationBounds, PageRequest } from "../../store/lists/page-request.ts";

/** A date, which stands for its whole day in UTC, or an ISO 8601 date-time, which is converted to UTC. */
export const creationBound = z.pipe(
  dayOrTime("must be a date such as 2026-01-31, or a date-time such as 2026-01-31T09:30:00Z"),
  z.transform((sent) => utcTime(sent) ?? sent),
);

/** `updated_since` of a list: an ISO 8601 date-time, or a date, which stands for its start in UTC. */
export const updatedSince = z.optional(
  z.pipe(
    dayOrTime("must be a date-time such as 2026-01-31T09:30:00Z"),
    z.transform((sent) => utcTime(sent) ?? sent + dayBegins),
  ),
);

/**
 * The part of a page request that selects records created within these bounds, both inclusive.
 * @throws Problem `invalid` if the first is after the last
 */
export function createdBetween(
  first: string | undefined,
  last: string | undefined,
  createdAt: CreationBounds["createdAt"],
): Pick<PageRequest, "created"> {
  if (first === undefined && last === undefined) return {};
  const from = first !== undefined && isDay(first) ? first + dayBegins : first;
  const to = last !== undefined && isDay(last) ? last + dayEnds : last;
  if (from !== undefined && to !== undefined && from > to)
    throw invalidAt([{ path: "from_date", message: "must not be after to_date" }]);
  return { created: { from, to, createdAt } };
}
