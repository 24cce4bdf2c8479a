/**
 * Schemas of values that have no rule of their own. Making a schema takes a function 5 to 200 microseconds while it loads,
 * and functions have hundreds of such fields. So all fields of a kind share one schema.
 */
import * as z from "zod/mini";

export const text = z.string();
export const textOrNull = z.nullable(text);
export const int = z.int();
export const intOrNull = z.nullable(int);
export const number = z.number();
export const numberOrNull = z.nullable(number);
export const boolean = z.boolean();
