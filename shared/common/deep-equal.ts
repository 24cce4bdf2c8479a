const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const fieldsOf = (value: object): ReadonlyMap<string, unknown> => new Map(Object.entries(value));

/** Whether two JSON values are equal, in any order of fields; an undefined field counts as missing. */
export function isDeepEqual(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [mine, theirs] = [fieldsOf(left), fieldsOf(right)];
  const names = new Set([...mine.keys(), ...theirs.keys()]);
  return [...names].every((name) => isDeepEqual(mine.get(name), theirs.get(name)));
}

/** Whether a record with a version was left as it is. */
export const isUnchanged = <T extends { readonly version: number }>(before: T, after: T): boolean =>
  before.version === after.version && isDeepEqual(before, after);
