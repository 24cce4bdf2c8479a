/** Groups records as they come: each batch but the last has `size` of them. */
export async function* batchesOf<T>(
  records: AsyncIterable<T> | Iterable<T>,
  size: number,
): AsyncGenerator<readonly T[], void> {
  let batch: T[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
