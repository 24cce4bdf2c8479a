/**
 * Serial numbers: one for each unit of the products that have them.
 *
 * Serials are created (`serialsCall`), given attributes by ranges (`serial-batch.ts`, `serial-range.ts`),
 * picked for an order and freed again (`serial-picks.ts`). `serial-repository.ts` stores them, and a mark
 * of each product that may have some, so that picks of other products read none.
 */

import * as z from "zod/mini";
import { skuError } from "../catalog/names.ts";
import { bulkBody, identifier, name, newIdentifier } from "../common/fields.ts";
import { type Placed, placed } from "../common/placed.ts";
import * as primitive from "../common/primitives.ts";
import {
  alreadyExists,
  duplicateErrors,
  type FieldError,
  invalidAt,
  type NamedAt,
} from "../common/problem.ts";

/** Maximum serials of one record, which is stored by one transaction of 100 items. */
const maxSerials = 100;

const maxSerialLength = 64;

/** A serial number, unique in its product. */
export const serialText = identifier(maxSerialLength);

/** What a client sends to create serials of a product. */
const serialsInput = z.object({
  sku: name,
  serials: z.array(newIdentifier(maxSerialLength)).check(z.minLength(1), z.maxLength(maxSerials)),
});
export type SerialsInput = z.output<typeof serialsInput>;

/** Maximum serials of one call: about as many of one product as DynamoDB stores within a call's time. */
const maxSerialsPerCall = 2000;

export const serialsCall = bulkBody(serialsInput).check(
  z.refine(({ data }) => data.reduce((sum, { serials }) => sum + serials.length, 0) <= maxSerialsPerCall, {
    path: ["data"],
    error: `must hold at most ${maxSerialsPerCall} serials in all`,
  }),
);

export const serial = z.object({
  product_id: primitive.int,
  serial: primitive.text,
  created_at: primitive.time,
  /** The order that the serial was picked for. A serial that is put back has none; a shipped one keeps it. */
  picked_for: z.optional(primitive.int),
});
export type Serial = z.output<typeof serial>;

/** What the serials of one call refer to, and which of them exist already. */
interface SerialReferences {
  readonly productId: (sku: string) => number | undefined;
  readonly isTaken: (productId: number, serial: string) => boolean;
}

/** Serials of one product that are created together. */
export interface NewSerials {
  readonly product_id: number;
  readonly sku: string;
  readonly serials: readonly string[];
  /** Their record's place in the call. */
  readonly path: string;
}

/** The serials of a record at `path`, and where each is in the call. */
export const serialsAt = (path: string, serials: readonly string[]): readonly Placed<string>[] =>
  placed(serials, `${path}.serials`);

/**
 * Finds the product of each record of a create call.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveSerials(
  inputs: readonly Placed<SerialsInput>[],
  { productId, isTaken }: SerialReferences,
): readonly NewSerials[] {
  const errors: FieldError[] = [];
  const resolved = inputs.flatMap(({ value: { sku, serials }, path }): readonly NewSerials[] => {
    const product_id = productId(sku);
    if (product_id === undefined) {
      errors.push(skuError(sku, path));
      return [];
    }
    for (const { value: serial, path: at } of serialsAt(path, serials))
      if (isTaken(product_id, serial)) errors.push(alreadyExists(serial, at));
    return [{ product_id, sku, serials, path }];
  });
  errors.push(...repeatedSerials(inputs));
  if (errors.length > 0) throw invalidAt(errors);
  return resolved;
}

/** An error for each serial that a call repeats for one product, in one or several records. */
const repeatedSerials = (inputs: readonly Placed<SerialsInput>[]): readonly FieldError[] =>
  duplicateSerials(
    inputs.flatMap(({ value: { sku, serials }, path: record }) =>
      serialsAt(record, serials).map(({ value, path }) => ({ product: sku, name: value, path })),
    ),
  );

/** An error for each serial that occurs earlier for the same product. */
export const duplicateSerials = (
  named: readonly (NamedAt & { readonly product: string | number })[],
): readonly FieldError[] =>
  [...Map.groupBy(named, ({ product }) => product).values()].flatMap((ofProduct) =>
    duplicateErrors(ofProduct),
  );
