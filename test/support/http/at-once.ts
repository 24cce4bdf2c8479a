import type { Service } from "../runtime/service.ts";

/**
 * Makes calls that race: as many of them begin at the same time as instances that a function may have, which
 * are two where a file asks for no more. The others follow in these instances. Without this, one instance
 * that has run before might answer all of them, one after another.
 * @throws where fewer of the calls reach a function
 */
export async function atOnce<T>(
  { meet }: Pick<Service, "meet">,
  calls: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const met = meet(calls.length);
  const [answers] = await Promise.all([Promise.all(calls.map((call) => call())), met]);
  return answers;
}

/** The same call so many times at once. */
export const timesAtOnce = <T>(
  service: Pick<Service, "meet">,
  count: number,
  call: () => Promise<T>,
): Promise<readonly T[]> => atOnce(service, Array<typeof call>(count).fill(call));
