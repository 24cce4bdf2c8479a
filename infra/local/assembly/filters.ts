import { isObject, parseJson } from "../json.ts";
import { LocalProblem } from "../problem.ts";

/** Whether a record passes, so that the function is called with it. */
export type Filter = (record: unknown) => boolean;

/**
 * Reads the patterns of a filter. A record passes if one pattern matches it. A pattern matches if each of its
 * fields does: an object by its own fields, a list if one of its rules matches the value. A rule is a text
 * that the value must equal, or `{ "prefix": … }`. Other rules of EventBridge are rejected.
 */
export const readFilter = (patterns: readonly string[]): Filter => {
  const filters = patterns.map((pattern) => fieldsOf(parseJson(pattern)));
  return (record) => filters.some((filter) => filter(record));
};

const fieldsOf = (pattern: unknown): Filter => {
  if (!isObject(pattern)) throw unknownPattern(pattern);
  const fields = Object.entries(pattern).map(([name, inner]): [string, Filter] => [
    name,
    Array.isArray(inner) ? oneOf(inner.map(ruleOf)) : fieldsOf(inner),
  ]);
  if (fields.length === 0) throw unknownPattern(pattern);
  return (value) => isObject(value) && fields.every(([name, filter]) => filter(value[name]));
};

const oneOf =
  (rules: readonly Filter[]): Filter =>
  (value) =>
    rules.some((rule) => rule(value));

const ruleOf = (rule: unknown): Filter => {
  if (typeof rule === "string") return (value) => value === rule;
  const [[name, begins] = [], ...others] = isObject(rule) ? Object.entries(rule) : [];
  if (name !== "prefix" || typeof begins !== "string" || others.length > 0) throw unknownPattern(rule);
  return (value) => typeof value === "string" && value.startsWith(begins);
};

const unknownPattern = (part: unknown): LocalProblem =>
  new LocalProblem(
    `The local runtime does not know the filter pattern ${JSON.stringify(part)} of an event source.`,
  );
