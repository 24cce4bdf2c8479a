const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const fieldsOf = (value: object): ReadonlyMap<string, unknown> => new Map(Object.entries(value));

/**
 * Whether two values that JSON can hold are the same. The order of an object's fields does not count, and a field that is
 * undefined is as good as one that is not there.
 */
export function same(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [mine, theirs] = [fieldsOf(left), fieldsOf(right)];
  const names = new Set([...mine.keys(), ...theirs.keys()]);
  return [...names].every((name) => same(mine.get(name), theirs.get(name)));
}
