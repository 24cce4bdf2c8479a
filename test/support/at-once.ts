import type { Service } from "./service.ts";

/**
 * Makes calls that race: two of them begin at the same time, each in an instance of its own. The others follow in these
 * instances, two at a time. Without this, one instance that has run before might answer them one after another.
 * @throws where fewer than two of the calls reach a function
 */
export async function atOnce<T>(
  { meet }: Pick<Service, "meet">,
  calls: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const met = meet(2);
  const [answers] = await Promise.all([Promise.all(calls.map((call) => call())), met]);
  return answers;
}

/** The same call so many times at once. */
export const timesAtOnce = <T>(
  service: Pick<Service, "meet">,
  count: number,
  call: () => Promise<T>,
): Promise<readonly T[]> => atOnce(service, Array<typeof call>(count).fill(call));
