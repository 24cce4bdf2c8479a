/** Has each of the items worked on, `atOnce` at a time. None is still worked on when the first failure is thrown. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  atOnce = 8,
): Promise<void> {
  const shared = oneByOne(items);
  const workNext = async () => {
    for await (const item of shared) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workNext));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** One row of items, from which several take in turn. */
async function* oneByOne<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* items;
}
