/** The field rules that records have in common. Lengths keep every key within DynamoDB's limits and every page small. */
import * as z from "zod/mini";

/** Half a character (a lone surrogate) would be stored as another one than was sent. */
const wellFormed = z.refine<string>((value) => value.isWellFormed(), "must be well-formed text");

/** Text of 1 to `longest` characters. */
export const text = (longest = 255) => z.string().check(z.minLength(1), z.maxLength(longest), wellFormed);

/** Text of at most `longest` characters, which may be empty. */
export const anyText = (longest = 255) => z.string().check(z.maxLength(longest), wellFormed);

/** Optional text, which may be empty. */
export const optionalText = (longest = 255) => z.optional(anyText(longest));

/** A SKU, an order number or another name that records are found by. */
export const name = text(100);

/** Largest quantity of one entry: sums of 10⁶ of them are still exact integers. */
export const largestQuantity = 1_000_000_000;

/** Units of a product, at least one. */
export const quantity = z.int().check(z.gte(1), z.lte(largestQuantity));

/** A change of a quantity, in units. */
export const quantityChange = z.int().check(z.gte(-largestQuantity), z.lte(largestQuantity));

/** Units counted in a bin. */
export const countedQuantity = z.int().check(z.gte(0), z.lte(largestQuantity));

/** Smallest amount but 0; DynamoDB holds none below 10⁻¹³⁰, and nobody means one below this. */
const smallestAmount = 1e-9;

/** Money or a measure: never negative; kept as the decimal that was sent, never calculated with. */
export const amount = z.number().check(
  z.gte(0),
  z.lte(1_000_000_000),
  z.refine((value) => value <= 0 || value >= smallestAmount, `must be 0 or at least ${smallestAmount}`),
);

/** An id in a body. */
export const id = z.int().check(z.gte(1));

/** The id that a text (a path's, a command's) states; undefined where it is none. Ids have at most 12 digits. */
export const idIn = (value: string): number | undefined =>
  /^[1-9]\d{0,11}$/.test(value) ? Number(value) : undefined;

/** Most records of one bulk call (docs/decisions.md, Bulk calls). */
export const mostRecords = 100;

/** The `{"data": [ … ]}` body of a bulk call. */
export const records = <T extends z.core.$ZodType>(record: T) =>
  z.object({ data: z.array(record).check(z.minLength(1), z.maxLength(mostRecords)) });
