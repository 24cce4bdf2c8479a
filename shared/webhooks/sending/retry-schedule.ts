/** When failed deliveries are retried (docs/decisions.md, Deliveries). */

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Pauses after the first attempt, the second and so on. The last one repeats. */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour] as const;

/** How long a delivery is retried, and how long a webhook may fail, in milliseconds. */
const maxRetryPeriodMs = 72 * hour;

/** In milliseconds, with a jitter of 20 % to spread the load on receivers. */
export function pauseAfter(attempts: number, random: () => number = Math.random): number {
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? pauses[0];
  return Math.round(pause * (0.8 + 0.4 * random()));
}

/** The time (ISO 8601) that is `milliseconds` after another. */
export const timeAfter = (time: string, milliseconds: number): string =>
  new Date(Date.parse(time) + milliseconds).toISOString();

const earlierOf = (left: string, right: string): string => (left < right ? left : right);

/**
 * The time of the next attempt. `since` is the time of the first attempt; the latest was made `now` and has
 * the number `attempts`. The last attempt takes place when the retry period ends; undefined after that.
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
