/**
 * Finds sent fields and parameters that the call does not read (docs/decisions.md, Unknown fields and
 * parameters). The known ones derive from the call's schemas.
 */
import { closestMatch } from "leven";
import * as z from "zod/mini";
import { type FieldError, maxListed } from "../../common/problem.ts";
import { truncated } from "../../common/strings.ts";

type Schema = z.core.$ZodType;
type Shape = Readonly<Record<string, Schema>>;

/** How many characters of an unknown name are listed, and compared with known names. */
const maxNameLength = 60;

/** The schemas within a schema that say what a client may send. */
function within(schema: Schema): readonly Schema[] {
  if (schema instanceof z.ZodMiniPipe) return [schema._zod.def.out, schema._zod.def.in];
  if (schema instanceof z.ZodMiniUnion) return schema._zod.def.options;
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault ||
    schema instanceof z.ZodMiniPrefault
  )
    return [schema._zod.def.innerType];
  return [];
}

/**
 * The fields of the objects that a schema accepts; none if it accepts no object, or objects with any fields.
 */
function shapesOf(schema: Schema): readonly Shape[] {
  if (!(schema instanceof z.ZodMiniObject)) return within(schema).flatMap(shapesOf);
  return schema._zod.def.catchall === undefined ? [schema._zod.def.shape] : [];
}

/** The elements of the lists that a schema accepts. */
function elementsOf(schema: Schema): readonly Schema[] {
  if (schema instanceof z.ZodMiniArray) return [schema._zod.def.element];
  return within(schema).flatMap(elementsOf);
}

/** The query parameters that a call has. */
export const parametersOf = (query: Schema | undefined): readonly string[] =>
  query === undefined ? [] : shapesOf(query).flatMap(Object.keys);

/**
 * An error for each query parameter that the call does not have. It names the nearest one that the call has.
 */
export function unknownParameters(sent: object, known: readonly string[]): readonly FieldError[] {
  const unknown = Object.keys(sent).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const path = truncated(name, maxNameLength);
    const nearest = closestMatch(path, known);
    const message =
      nearest === undefined
        ? "is not a query parameter of this call, which has none"
        : `is not a query parameter of this call; the nearest is ${nearest} (all are ${known.join(", ")})`;
    return { path, message };
  });
}

/** A place in a body: what the call accepts there, and what responses show there. */
interface Place {
  readonly taken: readonly Schema[];
  readonly shown: readonly Schema[];
  readonly path: string;
}

/** The fields beside `data` in a response. A client may send back a whole response. */
const besides = z.object({
  metadata: z.unknown(),
  pagination: z.unknown(),
  warnings: z.unknown(),
  warnings_total: z.unknown(),
});

/** What one answer says of fields that were left out. */
export interface Warnings {
  /** The first 100 of them. */
  readonly warnings: readonly FieldError[];
  readonly total: number;
}

/**
 * A warning for each field of a body that the call does not take. Fields that `answers` show of the record
 * are passed over: they are known and read-only, and a client may send back what it has read.
 */
export function unreadFields(body: unknown, taken: Schema, answers: readonly Schema[]): Warnings {
  const takesRecords = fieldOf(shapesOf(taken), "data").length > 0;
  const shown = takesRecords ? [...answers, besides] : [];
  const warnings: FieldError[] = [];
  let total = 0;
  // A body may hold a hundred thousand of them. The nearest known name is searched only for those listed.
  for (const unread of unreadIn(body, { taken: [taken], shown, path: "" })) {
    if (total < maxListed) warnings.push(warning(unread));
    total += 1;
  }
  return { warnings, total };
}

/** A field that the call does not read, in the object at `parent`, which accepts the fields of `shapes`. */
interface Unread {
  readonly name: string;
  readonly parent: string;
  readonly shapes: readonly Shape[];
}

const below = (path: string, step: string | number): string => (path === "" ? `${step}` : `${path}.${step}`);

function* unreadIn(value: unknown, { taken, shown, path }: Place): Generator<Unread, void> {
  if (value === null || typeof value !== "object") return;
  const elements = taken.flatMap(elementsOf);
  if (elements.length > 0) {
    // A single record may be sent in place of a list.
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [position, element] of list.entries())
      yield* unreadIn(element, {
        taken: elements,
        shown: shown.flatMap(elementsOf),
        path: below(path, position),
      });
    return;
  }
  const [shapes, shownShapes] = [taken.flatMap(shapesOf), shown.flatMap(shapesOf)];
  if (shapes.length === 0 || Array.isArray(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const takenHere = fieldOf(shapes, name);
    const shownHere = fieldOf(shownShapes, name);
    if (takenHere.length > 0)
      yield* unreadIn(field, { taken: takenHere, shown: shownHere, path: below(path, name) });
    else if (shownHere.length === 0) yield { name, parent: path, shapes };
  }
}

const fieldOf = (shapes: readonly Shape[], name: string): readonly Schema[] =>
  shapes.flatMap((shape) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined ? [] : [field];
  });

/** The warning for a field. It names the field that was probably meant, if a similar one exists. */
function warning({ name, parent, shapes }: Unread): FieldError {
  const shortName = truncated(name, maxNameLength);
  const maxDistance = Math.max(1, Math.floor(shortName.length / 3));
  const nearest = closestMatch(shortName, shapes.flatMap(Object.keys), { maxDistance });
  const meant = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return { path: below(parent, shortName), message: `is not a field of this call and was left out${meant}` };
}
