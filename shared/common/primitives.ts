/**
 * Schemas of values without rules. All fields of a kind share one schema, because creating a schema takes 5
 * to 200 microseconds while a function loads, and functions have hundreds of fields.
 */
import * as z from "zod/mini";

export const text = z.string();
export const textOrNull = z.nullable(text);
/** An ISO 8601 date-time in UTC. */
export const time = z.string();
export const timeOrNull = z.nullable(time);
/** `YYYY-MM-DD`. */
export const day = z.string();
export const dayOrNull = z.nullable(day);
/** The id of a record in a path. Any other text is accepted as well, and is the id of no record. */
export const idInPath = z.string();
/** The id of the call that caused the record's content; null if none did, as in release 1.0.0. */
export const requestId = z._default(textOrNull, null);
export const int = z.int();
export const intOrNull = z.nullable(int);
export const number = z.number();
export const numberOrNull = z.nullable(number);
export const boolean = z.boolean();
export const unknown = z.unknown();
export const record = z.record(text, unknown);

/** The fields of stored records that have versions. */
export const versionFields = {
  created_at: time,
  updated_at: time,
  /**
   * Incremented by every change. A change is stored only if the version on which it is based is unchanged.
   */
  version: int,
};

/** These fields of a record that is created at `at`. */
export const firstVersion = (at: string) => ({ created_at: at, updated_at: at, version: 1 });
