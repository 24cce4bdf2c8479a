/** The values of keys, by key. Keys without a value are absent. */
export function definedValues<K, V>(keys: readonly K[], find: (key: K) => V | undefined): ReadonlyMap<K, V> {
  const values = new Map<K, V>();
  for (const key of keys) {
    const value = find(key);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}
