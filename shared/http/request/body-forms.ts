/**
 * The forms that a body about records may have: one record, a list, or either of them as `data`
 * (docs/decisions.md, Bulk calls). All are converted to the form of the call's schema, so that all later
 * steps are the same.
 */
import { invalid } from "../../common/problem.ts";
import { elementsOf, fieldOf, namesOf, type Schema, shapesOf } from "./schemas.ts";

/** The list of ids that a call takes, and the field of a record that holds its id. */
export interface IdList {
  readonly list: string;
  readonly id: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const has = (value: unknown, name: string): value is Fields => isObject(value) && Object.hasOwn(value, name);

/**
 * The record in a list of one, or the value itself if it is not such a list.
 * @throws Problem `invalid` for several
 */
function onlyOne(sent: unknown): unknown {
  if (!Array.isArray(sent) || sent.length === 0 || !sent.every(isObject)) return sent;
  if (sent.length > 1) throw invalid(`The call is about one record, and the body holds ${sent.length}`);
  return sent[0];
}

/**
 * Whether an object without `data` is a record itself. An object of lists and objects that have other names
 * than the record's fields is a record in a wrapper of another name.
 */
const isRecord = (sent: Fields, fields: readonly string[]): boolean =>
  Object.entries(sent).some(([name, value]) => fields.includes(name) || typeof value !== "object");

/** A body for a call that takes `data`. */
function asData(sent: unknown, data: readonly Schema[]): unknown {
  const elements = data.flatMap(elementsOf);
  const takesList = elements.length > 0;
  if (has(sent, "data")) {
    const { data: records } = sent;
    if (!takesList) return { ...sent, data: onlyOne(records) };
    return isObject(records) ? { ...sent, data: [records] } : sent;
  }
  if (Array.isArray(sent)) return { data: takesList ? sent : onlyOne(sent) };
  if (!isObject(sent)) return sent;
  if (!takesList) return { data: sent };
  return isRecord(sent, namesOf(elements.flatMap(shapesOf))) ? { data: [sent] } : sent;
}

/** The records whose ids a call takes; undefined if the body has the list of ids itself. */
export function recordsInBody(sent: unknown, { list, id }: IdList): readonly unknown[] | undefined {
  if (has(sent, list)) return undefined;
  const inner: unknown = has(sent, "data") ? sent["data"] : sent;
  if (Array.isArray(inner)) return inner;
  return has(inner, id) ? [inner] : undefined;
}

/** A body in the form that the schema states. @throws Problem `invalid` for more records than it takes */
export function inStatedForm(sent: unknown, schema: Schema, ids?: IdList): unknown {
  const shapes = shapesOf(schema);
  if (shapes.length === 0) return sent;
  const data = fieldOf(shapes, "data");
  if (data.length > 0) return asData(sent, data);
  const records = ids === undefined ? undefined : recordsInBody(sent, ids);
  if (ids !== undefined && records !== undefined)
    return { [ids.list]: records.map((record) => (has(record, ids.id) ? record[ids.id] : record)) };
  const isBare = isObject(sent) && namesOf(shapes).some((name) => Object.hasOwn(sent, name));
  const record = onlyOne(!isBare && has(sent, "data") ? sent["data"] : sent);
  return isObject(record) ? record : sent;
}
