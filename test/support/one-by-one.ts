/**
 * Hands out what a file prepared at once, each of it once.
 * @throws where more is asked for: a file that makes more on the way would lose what preparing saves, and nobody would see it
 */
export function oneByOne<T>(prepared: readonly T[]): () => T {
  const left = prepared.values();
  return () => {
    const { done, value } = left.next();
    if (done) throw new Error(`a test asks for more than the ${prepared.length} that were prepared`);
    return value;
  };
}
