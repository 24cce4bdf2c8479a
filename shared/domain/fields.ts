/** Field rules that records share. Text is limited so that keys fit DynamoDB's limits and pages stay small. */
import * as z from "zod/mini";

/** A lone surrogate (half a character) can't be stored as it was sent, so it is refused. */
const wellFormed = z.refine<string>((value) => value.isWellFormed(), "must be well-formed text");

/** Text of 1 to `longest` characters. */
export const text = (longest = 255) => z.string().check(z.minLength(1), z.maxLength(longest), wellFormed);

/** Text of 0 to `longest` characters. */
export const anyText = (longest = 255) => z.string().check(z.maxLength(longest), wellFormed);

/** Optional text of 0 to `longest` characters. */
export const optionalText = (longest = 255) => z.optional(anyText(longest));

/** A SKU, an order number or another name that finds records. */
export const name = text(100);

/** The largest quantity of one entry. Sums of a million such quantities are still exact integers. */
export const largestQuantity = 1_000_000_000;

/** Units of a product, at least one. */
export const quantity = z.int().check(z.gte(1), z.lte(largestQuantity));

/** A change of a quantity, in units. */
export const quantityChange = z.int().check(z.gte(-largestQuantity), z.lte(largestQuantity));

/** Units counted in a bin. */
export const countedQuantity = z.int().check(z.gte(0), z.lte(largestQuantity));

/** The smallest amount above 0. DynamoDB holds none below 10⁻¹³⁰, and nobody means a smaller one than this. */
const smallestAmount = 1e-9;

/** Money or a measure, never negative. It is stored as the decimal that was sent; nothing is calculated with it. */
export const amount = z.number().check(
  z.gte(0),
  z.lte(1_000_000_000),
  z.refine((value) => value <= 0 || value >= smallestAmount, `must be 0 or at least ${smallestAmount}`),
);

/** An id in a body. */
export const id = z.int().check(z.gte(1));

/** The id that a text of a path or a command states; undefined where the text is no id. Ids have at most 12 digits. */
export const idIn = (value: string): number | undefined =>
  /^[1-9]\d{0,11}$/.test(value) ? Number(value) : undefined;

/** Most records of one bulk call (docs/decisions.md, Bulk calls). */
export const mostRecords = 100;

/** The `{"data": [ … ]}` body of a bulk call. */
export const records = <T extends z.core.$ZodType>(record: T) =>
  z.object({ data: z.array(record).check(z.minLength(1), z.maxLength(mostRecords)) });
