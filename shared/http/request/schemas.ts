/** What a schema accepts, for code that treats a request by the names of its fields. */
import * as z from "zod/mini";

export type Schema = z.core.$ZodType;
export type Shape = Readonly<Record<string, Schema>>;

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

/** The fields of the objects that a schema accepts; none if it accepts none, or any fields. */
export function shapesOf(schema: Schema): readonly Shape[] {
  if (!(schema instanceof z.ZodMiniObject)) return within(schema).flatMap(shapesOf);
  return schema._zod.def.catchall === undefined ? [schema._zod.def.shape] : [];
}

/** The elements of the lists that a schema accepts. */
export function elementsOf(schema: Schema): readonly Schema[] {
  if (schema instanceof z.ZodMiniArray) return [schema._zod.def.element];
  return within(schema).flatMap(elementsOf);
}

/** What the shapes accept as a field. */
export const fieldOf = (shapes: readonly Shape[], name: string): readonly Schema[] =>
  shapes.flatMap((shape) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined ? [] : [field];
  });

/** The names of all fields that the shapes accept. */
export const namesOf = (shapes: readonly Shape[]): readonly string[] => shapes.flatMap(Object.keys);
