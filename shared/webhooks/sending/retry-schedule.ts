/** When a delivery that failed is tried again (docs/decisions.md, Deliveries). */

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Pauses after the first attempt, the second and so on; all later ones are as long as the last. */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour] as const;

/** How long a delivery is tried, and how long a webhook may fail, in milliseconds. */
export const maxRetryPeriodMs = 72 * hour;

/** Milliseconds to wait after so many attempts: a fifth more or less, so that receivers are not met by all at once. */
export function pauseAfter(attempts: number, random: () => number = Math.random): number {
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? pauses[0];
  return Math.round(pause * (0.8 + 0.4 * random()));
}

/** A time so many milliseconds after another, both ISO 8601. */
export const timeAfter = (time: string, milliseconds: number): string =>
  new Date(Date.parse(time) + milliseconds).toISOString();

const earlierOf = (left: string, right: string): string => (left < right ? left : right);

/**
 * The next attempt, given that of `since` was the first of them and that the latest, made `now`, was the one of number
 * `attempts`. The last one comes when the time of trying is over. Undefined where that was it.
 */
export function nextAttempt(
  since: string,
  now: string,
  attempts: number,
  random?: () => number,
): string | undefined {
  const end = timeAfter(since, maxRetryPeriodMs);
  return now >= end ? undefined : earlierOf(timeAfter(now, pauseAfter(attempts, random)), end);
}
