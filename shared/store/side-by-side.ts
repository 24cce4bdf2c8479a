/** Has each of the items worked on, `atOnce` at a time. None is still worked on when the first failure is thrown. */
export async function forEach<T>(
  items: AsyncGenerator<T, void>,
  work: (item: T) => Promise<void>,
  atOnce = 8,
): Promise<void> {
  const workNext = async () => {
    for await (const item of items) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, workNext));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
