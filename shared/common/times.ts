/** Milliseconds. */
export const dayLength = 86_400_000;

/** Maximum difference of two functions' clocks, with a margin. Each additional second costs reads. */
export const clockSkewMs = 10_000;

/** The day (UTC) of an ISO 8601 timestamp or date, counted from 1970-01-01. */
export const dayOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / dayLength);

/** The rest of the ISO 8601 timestamps of a date's (`YYYY-MM-DD`) first and last millisecond. */
export const [dayBegins, dayEnds] = ["T00:00:00.000Z", "T23:59:59.999Z"] as const;

/** The value of a time-to-live attribute: epoch seconds, `days` after a time (ISO 8601). */
export const secondsAfter = (time: string, days: number): number =>
  Math.ceil(Date.parse(time) / 1000) + days * (dayLength / 1000);

/** The later of two UTC timestamps: no change is dated before the one it follows, even if clocks differ. */
export const laterOf = (left: string, right: string): string => (left < right ? right : left);

/** The number of a day's week, by which movements are counted. It begins on a Thursday, as 1970 did. */
export const weekOf = (day: number): number => Math.floor(day / 7);

/** Whether a date (`YYYY-MM-DD`) lies two years or more before the date `today`. */
export const isTwoYearsBefore = (date: string, today: string): boolean =>
  date <= `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`;
