/** Rules of fields. Text is limited, so that keys fit DynamoDB's limits and pages stay small. */
import * as z from "zod/mini";
import type { FieldError } from "./problem.ts";

/** Replaces bytes that are not UTF-8. API Gateway inserts it before a function receives the text. */
export const replacementCharacter = "\uFFFD";

/** Without lone surrogates, which can't be stored, and U+FFFD, which shows that bytes were lost. */
export const isStorableText = (value: string): boolean =>
  value.isWellFormed() && !value.includes(replacementCharacter);

export const wellFormed = z.refine<string>(isStorableText, {
  error: ({ input }) =>
    String(input).isWellFormed()
      ? "must not hold U+FFFD, which stands for a lost character"
      : "must be well-formed text",
});

/** Lets fields of one length share a schema, because functions create hundreds of schemas while they load. */
const byLength = <T>(make: (maxLength: number) => T) => {
  const made = new Map<number, T>();
  return (maxLength = 255): T => {
    const known = made.get(maxLength) ?? make(maxLength);
    made.set(maxLength, known);
    return known;
  };
};

const atLeastOne = z.minLength(1);

/** Text of 1 to `maxLength` characters. Blank text counts as missing (docs/decisions.md, Request bodies). */
export const text = byLength((maxLength) =>
  z.string().check(atLeastOne, z.maxLength(maxLength), wellFormed, z.regex(/\S/, "is required")),
);

export const anyText = byLength((maxLength) => z.string().check(z.maxLength(maxLength), wellFormed));

/** Control, zero-width and direction characters, and line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Also everything that is shown as nothing: characters that Unicode calls ignorable, and blank signs. */
const unseenOrBlank = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

const hidden = "must not hold control characters or invisible ones";

const visible = z.refine<string>((value) => !unseen.test(value), hidden);

/**
 * Text that identifies a record, of 1 to `maxLength` characters. It is trimmed and normalized to Unicode NFC,
 * so that texts that look alike identify the same record (docs/decisions.md, Identifiers).
 */
export const identifier = (maxLength: number) =>
  z.string().check(z.trim(), z.normalize("NFC"), atLeastOne, z.maxLength(maxLength), wellFormed, visible);

/** A SKU, an order number or another name that identifies a record. */
export const name = identifier(100);

/**
 * The name of a new record. Records of release 1.0.0 may have names with invisible characters, so the name of
 * an existing record is only a `name`.
 */
const legible = z.refine<string>((value) => !unseenOrBlank.test(value), hidden);
export const newName = name.check(legible);
export const newIdentifier = (maxLength: number) => identifier(maxLength).check(legible);

/** The error of a record's name that is shown only in part, unless the record has it already. */
export const hiddenName = (
  path: string,
  value: string | null = null,
  before?: string | null,
): FieldError[] =>
  value === null || value === before || !unseenOrBlank.test(value) ? [] : [{ path, message: hidden }];

export const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");

/** Replaces a blank value by `value`. */
const blankAs = (value: unknown) => z.transform((sent: unknown) => (isBlank(sent) ? value : sent));

const blankAsMissing = blankAs(undefined);
const blankAsNull = blankAs(null);

/** A field that may be left out, by `null` or blank text as well (docs/decisions.md, Request bodies). */
export const optional = <T extends z.core.$ZodType>(field: T) =>
  z.optional(z.pipe(blankAsMissing, z.optional(field)));

export const optionalName = optional(name);

export const optionalText = byLength((maxLength) => optional(anyText(maxLength)));

/**
 * An optional field of a record that PATCH can change. `null` and blank text become null: PATCH then clears
 * the field, and a create treats it as left out (docs/decisions.md, Request bodies).
 */
export const clearable = <T extends z.core.$ZodType>(field: T) =>
  z.optional(z.pipe(blankAsNull, z.nullable(field)));

/** A field with a default for a missing, `null` or blank value. */
export const withDefault = <V extends number | boolean>(field: z.ZodMiniType<V>, fallback: V) =>
  z._default(z.pipe(blankAs(fallback), field), fallback);

/** Whether a field was sent with a value, neither left out nor null. */
export const isPresent = <T>(sent: T | null | undefined): sent is T => sent !== undefined && sent !== null;

/** One without an offset is in UTC. */
const dateOf = (time: string): Date => new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);

/** The first time in UTC whose year has five digits: as text it would come before all others. */
const endOfTimes = Date.parse("+010000-01-01T00:00:00Z");

/** The time with its seconds, which some languages leave out where they are 0. */
const withSeconds = z.transform((value: unknown) =>
  typeof value === "string" ? value.replace(/(T\d\d:\d\d)(?=(?:Z|[+-]\d\d:\d\d)$)/, "$1:00") : value,
);

const dateTime = z.pipe(
  withSeconds,
  z.iso
    .datetime({
      offset: true,
      local: true,
      error: "must be an ISO 8601 date-time, such as 2026-11-01T00:00:00Z",
    })
    .check(
      z.refine((time) => !(dateOf(time).getTime() >= endOfTimes), "must be before the year 10000 in UTC"),
    ),
);

/** An ISO 8601 date-time in UTC; undefined if the value is none. */
export function utcTime(value: unknown): string | undefined {
  const { data: time } = z.safeParse(dateTime, value);
  return time && dateOf(time).toISOString();
}

export const moment = z.pipe(
  dateTime,
  z.transform((time) => utcTime(time) ?? time),
);

const isoDate = z.iso.date();

/** A day, `YYYY-MM-DD`, or an ISO 8601 date-time, as it was sent. */
export const dayOrTime = (problem: string) => z.union([isoDate, dateTime], problem);

export const isDay = (value: string): boolean => z.safeParse(isoDate, value).success;

/** A day (UTC), sent as `YYYY-MM-DD` or as an ISO 8601 date-time (docs/decisions.md, Ids and times). */
export const day = z.pipe(
  z.transform((value: unknown) => utcTime(value)?.slice(0, 10) ?? value),
  isoDate,
);

/** The largest quantity of one entry. Sums of a million such quantities are still exact integers. */
export const maxQuantity = 1_000_000_000;

export const quantity = z.int().check(z.gte(1), z.lte(maxQuantity));

/** Smaller positive amounts are mistakes; DynamoDB can't store those below 10⁻¹³⁰. */
const minPositiveAmount = 1e-9;

const maxAmount = 1_000_000_000;

/** Money or a measure, never negative, stored as the decimal that was sent. */
export const amount = z.number().check(
  z.gte(0),
  z.lte(maxAmount),
  z.refine((value) => value <= 0 || value >= minPositiveAmount, `must be 0 or at least ${minPositiveAmount}`),
);

/** The unit price of a line. A negative price is a discount (docs/decisions.md, Prices). */
const price = z.number().check(
  z.gte(-maxAmount),
  z.lte(maxAmount),
  z.refine(
    (value) => value === 0 || Math.abs(value) >= minPositiveAmount,
    `must be 0, or at least ${minPositiveAmount} from it`,
  ),
);

export const optionalPrice = optional(price);

export const id = z.int().check(z.gte(1));
export const optionalId = optional(id);

/** The `{"data": [ … ]}` body of a bulk call. Other forms have been converted to this one. */
export const expectedVersion = optionalId;

/** The id in a path or a command; undefined if the text is not an id. Ids have at most 12 digits. */
export const parseId = (value: string): number | undefined =>
  /^[1-9]\d{0,11}$/.test(value) ? Number(value) : undefined;

/** Maximum records of a bulk call (docs/decisions.md, Bulk calls). */
export const maxRecords = 100;

/** The `{"data": [ … ]}` body of a bulk call. Other forms are brought into this one before. */
export const bulkBody = <T extends z.core.$ZodType>(record: T) =>
  z.object({ data: z.array(record).check(z.minLength(1), z.maxLength(maxRecords)) });

/** What is said of a read-only field that nothing changes. */
export const setOnce = "the service sets it once";
