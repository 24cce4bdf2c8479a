/** Times in queries of lists (docs/decisions.md, Filters of orders; Changes since a time). */
import * as z from "zod/mini";
import { dayOrTime, isDay, utcTime } from "../../common/fields.ts";
import { invalidAt } from "../../common/problem.ts";
import { dayLength, dayOf } from "../../common/times.ts";
import type { CreationTimes, PageRequest } from "../../store/lists/page-request.ts";

/** A date, which is its whole day in UTC, or an ISO 8601 date-time, which comes out in UTC. */
export const creationBound = z.pipe(
  dayOrTime("must be a date such as 2026-01-31, or a date-time such as 2026-01-31T09:30:00Z"),
  z.transform((sent) => utcTime(sent) ?? sent),
);

/** `updated_since` of a list: an ISO 8601 date-time, or a date, which is its first moment in UTC. */
export const updatedSince = z.optional(
  z.pipe(
    dayOrTime("must be a date-time such as 2026-01-31T09:30:00Z"),
    z.transform((sent) => utcTime(sent) ?? `${sent}T00:00:00.000Z`),
  ),
);

/**
 * The part of a page request that asks for records created within these bounds, both inclusive.
 * @throws Problem `invalid` if the first is after the last
 */
export function createdBetween(
  from: string | undefined,
  to: string | undefined,
  createdAt: CreationTimes["createdAt"],
): Pick<PageRequest, "fromDay" | "toDay" | "times"> {
  const lastMs =
    to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) + (isDay(to) ? dayLength - 1 : 0);
  if (from !== undefined && Date.parse(from) > lastMs)
    throw invalidAt([{ path: "from_date", message: "must not be after to_date" }]);
  const times = { from: timeIn(from), to: timeIn(to), createdAt };
  return {
    ...(from !== undefined && { fromDay: dayOf(from) }),
    ...(to !== undefined && { toDay: dayOf(to) }),
    ...((times.from ?? times.to) !== undefined && { times }),
  };
}

/** A bound that is no whole day. */
const timeIn = (bound: string | undefined): string | undefined =>
  bound === undefined || isDay(bound) ? undefined : bound;
