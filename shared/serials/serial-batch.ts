/**
 * Attributes that a batch gives to a whole range of serials. A batch is stored as one record, however many
 * serials it covers, and a serial's attributes are computed when the serial is read. So a batch applies to
 * all of its serials, or to none.
 */

import * as z from "zod/mini";
import { attributeInput, namedAt, newAttribute } from "../attributes/attribute.ts";
import { skuError } from "../catalog/names.ts";
import { name } from "../common/fields.ts";
import { type Placed, placed, resolveEach } from "../common/placed.ts";
import * as primitive from "../common/primitives.ts";
import { duplicateErrors, type FieldError } from "../common/problem.ts";
import { type Serial, serialText } from "./serial.ts";
import { covers, rangeError } from "./serial-range.ts";

/**
 * Maximum attributes of one batch. With the longest names and values, a batch takes half of what an item may
 * hold.
 */
const maxAttributes = 50;

/** Maximum serials that one batch may cover (docs/decisions.md, Serial numbers). */
export const maxCovered = 1000;

/** Serials are counted up to this number, so that creating an error message takes a bounded time. */
export const maxCounted = 10_000;

/** The error of a batch that covers `count` serials. `maxCounted` means that many or more. */
export const tooManyCovered = (count: number): string =>
  `covers ${count < maxCounted ? count : `${maxCounted} or more`} serials; it may cover at most ${maxCovered}`;

/**
 * What a client sends to give attributes to the existing serials of a range. Both bounds belong to the range.
 */
export const serialBatchInput = z.object({
  sku: name,
  serial_start: serialText,
  serial_end: serialText,
  attributes: z.array(newAttribute).check(z.minLength(1), z.maxLength(maxAttributes)),
});
export type SerialBatchInput = z.output<typeof serialBatchInput>;

export const serialBatch = z.object({
  product_id: primitive.int,
  serial_start: primitive.text,
  serial_end: primitive.text,
  attributes: z.array(attributeInput),
  created_at: primitive.time,
});
export type SerialBatch = z.output<typeof serialBatch>;

/**
 * Finds the product of each batch of a call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveBatches(
  inputs: readonly Placed<SerialBatchInput>[],
  productId: (sku: string) => number | undefined,
): readonly Placed<{ readonly input: SerialBatchInput; readonly product_id: number }>[] {
  return resolveEach(inputs, (input, path, errors) => {
    const product_id = productId(input.sku);
    if (product_id === undefined) errors.push(skuError(input.sku, path));
    errors.push(...batchErrors(input, path));
    return product_id === undefined ? undefined : { input, product_id };
  });
}

function batchErrors({ attributes, ...range }: SerialBatchInput, path: string): readonly FieldError[] {
  const named = placed(attributes, `${path}.attributes`).map(namedAt);
  const repeated = duplicateErrors(named, "this record");
  const message = rangeError(range);
  return message === undefined ? repeated : [{ path: `${path}.serial_end`, message }, ...repeated];
}

/**
 * A serial's attributes: those of the batches that cover the serial and are not older than it. `batches` are
 * in the order of their creation. The value of a later batch replaces that of an earlier one.
 */
export function attributesOf(
  { serial, created_at }: Serial,
  batches: readonly Omit<SerialBatch, "product_id">[],
): z.output<typeof attributeInput>[] {
  const values = new Map<string, string>();
  for (const batch of batches) {
    if (batch.created_at < created_at || !covers(batch, serial)) continue;
    for (const { attribute, value } of batch.attributes) values.set(attribute, value);
  }
  return [...values].map(([attribute, value]) => ({ attribute, value }));
}

/**
 * The time of a record that must come after `others` of its product: `now`, or just after the latest of them
 * if a clock was ahead. Times are ISO 8601; an empty text stands for none. New serials come after older
 * batches, which don't cover them. A new batch comes after older batches and after the serials that it
 * covers.
 */
export function madeAfter(now: string, others: readonly string[]): string {
  const latest = others.reduce((last, other) => (other > last ? other : last), "");
  return latest < now ? now : new Date(Date.parse(latest) + 1).toISOString();
}
