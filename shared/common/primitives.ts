/**
 * Schemas of values without rules. All fields of a kind share one schema, because creating a schema takes 5
 * to 200 microseconds while a function loads, and functions have hundreds of fields.
 */
import * as z from "zod/mini";

export const text = z.string();
export const textOrNull = z.nullable(text);
export const int = z.int();
export const intOrNull = z.nullable(int);
export const number = z.number();
export const numberOrNull = z.nullable(number);
export const boolean = z.boolean();
