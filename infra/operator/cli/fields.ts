/** Schemas of command-line values. An error message continues the value's name: "ID must be …". */
import * as z from "zod/mini";
import {
  id as anyId,
  moment,
  newName as newShortName,
  parseId,
  name as shortName,
  wellFormed,
} from "../../../shared/common/fields.ts";

/** A value that satisfies a rule of the service. `rule` is the rule in words. */
export const allowed = <T>(schema: z.ZodMiniType<T>, rule: string) =>
  z.pipe(
    z.custom<unknown>(() => true),
    z.transform((value, context): T => {
      const result = z.safeParse(schema, value);
      if (result.success) return result.data;
      context.issues.push({ code: "custom", message: `must be ${rule}`, input: value });
      return z.NEVER;
    }),
  );

const numbered = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.transform((value: unknown) => (typeof value === "string" ? (parseId(value) ?? value) : value)),
    schema,
  );

export const id = allowed(numbered(anyId), "a whole number of at least 1");

/** A number that satisfies a rule of the service. */
export const number = (schema: z.ZodMiniType<number>, rule: string) => allowed(numbered(schema), rule);

export const name = allowed(shortName, "1 to 100 characters, none of them invisible");

/** A name that is to identify a record from now on. */
export const newName = allowed(newShortName, "1 to 100 characters, none of them invisible");

export const title = allowed(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(255), wellFormed),
  "1 to 255 characters of well-formed text",
);

export const userName = allowed(z.string().check(z.minLength(1), z.maxLength(100)), "1 to 100 characters");

/** The name of a location or a bin. */
export const place = allowed(z.string().check(z.regex(/^[A-Za-z0-9]{1,50}$/)), "1 to 50 letters and digits");

export const date = allowed(z.iso.date(), "a date such as 2026-01-31");

export const time = allowed(
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform((sent) => new Date(sent).toISOString()),
  ),
  "a time such as 2026-01-31T09:30:00Z",
);

/** A moment (ISO 8601 UTC). A date is its end. */
export const asOf = allowed(
  z.union([
    z.pipe(
      z.iso.date(),
      z.transform((day) => `${day}T23:59:59.999Z`),
    ),
    moment,
  ]),
  "a date such as 2026-01-31, or a time such as 2026-01-31T18:00:00Z",
);

export const file = allowed(z.string().check(z.minLength(1)), "the name of a file");

export const text = allowed(z.string().check(z.minLength(1)), "a text");

export const email = allowed(z.email(), "an email address");

/** The number of records that a command lists. */
export const limit = number(z.int().check(z.gte(1), z.lte(1000)), "from 1 to 1000");

export const oneOf = <T extends string>(values: readonly T[]) =>
  allowed(z.enum(values), `one of ${values.join(", ")}`);

/** An optional value, which may be blank. */
export const optional = <T>(field: z.ZodMiniType<T>) =>
  z.pipe(
    z.transform((value: unknown) => (value === "" ? undefined : value)),
    z.optional(field),
  );

export const flag = z._default(z.boolean(), false);
