/** Runs work for each item, `atOnce` at a time. A failure is thrown after all running work has ended. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  atOnce = 8,
): Promise<void> {
  const shared = oneByOne(items);
  const workNext = async () => {
    for await (const item of shared) await work(item);
  };
  await allEnded(Array.from({ length: atOnce }, workNext));
}

/** The results of work for each item, in the order of the items; as `forEachConcurrently`. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce?: number,
): Promise<readonly R[]> {
  const results: R[] = [];
  const workAt = async ([position, item]: [number, T]): Promise<void> => {
    results[position] = await work(item);
  };
  await forEachConcurrently(items.entries(), workAt, atOnce);
  return results;
}

export const inBatches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, batch) =>
    items.slice(batch * size, (batch + 1) * size),
  );

/** Waits until all of this work has ended. @throws the first failure among it */
export async function allEnded(work: Iterable<Promise<unknown>>): Promise<void> {
  const ended = await Promise.allSettled(work);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** A single iterator that concurrent consumers share. */
async function* oneByOne<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}
