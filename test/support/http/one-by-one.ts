/**
 * Hands out what a file prepared at once, each of it once.
 * @throws where more is asked for: a file that makes more on the way would lose what preparing saves, and
 * nobody would see it
 */
export function oneByOne<T>(prepared: readonly T[]): () => T {
  const left = prepared.values();
  return () => {
    const { done, value } = left.next();
    if (done) throw new Error(`a test asks for more than the ${prepared.length} that were prepared`);
    return value;
  };
}

/** Hands out one by one what is made so many at a time, the first of it when it is first asked for. */
export function batchByBatch<T>(
  size: number,
  make: (count: number) => Promise<readonly T[]>,
): () => Promise<T> {
  const left: T[] = [];
  return async () => {
    if (left.length === 0) left.push(...(await make(size)));
    const next = left.shift();
    if (next === undefined) throw new Error("a batch was made of nothing");
    return next;
  };
}
