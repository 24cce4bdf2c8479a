/**
 * The rules for which serials may be picked, and which come back with a return. Each unit of a product with
 * serials has one. A call that picks or returns units of the product names their serials.
 */

import { placed } from "../common/placed.ts";
import { duplicateErrors, type FieldError } from "../common/problem.ts";
import { duplicateSerials, type Serial } from "./serial.ts";

/** Picked units of a product, with their serials if the picker named any. */
export interface SerialPick {
  readonly product_id: number;
  readonly sku: string;
  readonly quantity: number;
  readonly serials: readonly string[] | undefined;
}

/** What the picks of a call refer to. */
export interface PickableSerials {
  readonly hasSerials: (productId: number) => boolean;
  readonly find: (productId: number, text: string) => Serial | undefined;
}

const serialsPath = (position: number): string => `picks.${position}.serials`;

/**
 * What is wrong with the serials of a call's picks. An undefined pick, invalid for another reason, is
 * skipped.
 */
export function serialErrors(
  picks: readonly (SerialPick | undefined)[],
  known: PickableSerials,
): readonly FieldError[] {
  const errors = picks.flatMap((pick, position) =>
    pick === undefined ? [] : errorsOf(pick, serialsPath(position), known),
  );
  return [...errors, ...repeatedSerials(picks)];
}

function errorsOf(
  { product_id, sku, quantity, serials }: SerialPick,
  path: string,
  { hasSerials, find }: PickableSerials,
): readonly FieldError[] {
  if (!hasSerials(product_id)) {
    return serials === undefined ? [] : [{ path, message: `must be left out: ${sku} has no serials` }];
  }
  if (serials === undefined) return [{ path, message: `is required: ${sku} has serials` }];
  if (serials.length !== quantity) return [{ path, message: otherNumber(quantity) }];
  return wrongSerials({ product_id, sku, serials }, path, find, reasonNotPickable);
}

const otherNumber = (units: number): string => `must name as many serials as there are units (${units})`;

const wrongSerials = (
  {
    product_id,
    sku,
    serials,
  }: Pick<SerialPick, "product_id" | "sku"> & { readonly serials: readonly string[] },
  path: string,
  find: PickableSerials["find"],
  reasonWrong: (found: Serial) => string | undefined,
): readonly FieldError[] =>
  serials.flatMap((text, position) => {
    const found = find(product_id, text);
    const at = `${path}.${position}`;
    if (found === undefined) return [{ path: at, message: `is not a serial of ${sku} (${text})` }];
    const message = reasonWrong(found);
    return message === undefined ? [] : [{ path: at, message: `${message} (${text})` }];
  });

const reasonNotPickable = ({ picked_for }: Serial): string | undefined =>
  picked_for === undefined ? undefined : `is picked for order ${picked_for} already`;

/** Counts the units of a product among an order's picks: those with a serial each, and those without one. */
export function pickedUnits(
  picks: readonly {
    readonly product_id: number;
    readonly quantity: number;
    readonly serials: readonly string[];
  }[],
  productId: number,
) {
  const ofProduct = picks.filter(({ product_id }) => product_id === productId);
  const units = ofProduct.reduce((sum, { quantity }) => sum + quantity, 0);
  const withSerials = ofProduct.reduce((sum, { serials }) => sum + serials.length, 0);
  return { withSerials, without: units - withSerials };
}

/**
 * What is wrong with the serials of units that come back from an order. Units that were picked before their
 * product had serials have none. So the check depends on how the order's units were picked, and on how many
 * of those without serials (`picked.without`) are still to come back.
 */
export function returnedSerialErrors(
  { product_id, sku, quantity, serials }: SerialPick,
  orderId: number,
  picked: ReturnType<typeof pickedUnits>,
  find: PickableSerials["find"],
): readonly FieldError[] {
  const path = "serials";
  if (serials === undefined)
    return quantity <= picked.without || picked.withSerials === 0
      ? []
      : [{ path, message: `is required: ${sku} has serials` }];
  if (picked.withSerials === 0)
    return [{ path, message: `must be left out: ${sku} was picked for order ${orderId} without serials` }];
  if (serials.length > quantity || serials.length < quantity - picked.without)
    return [{ path, message: otherNumber(quantity) }];
  const wrong = wrongSerials({ product_id, sku, serials }, path, find, ({ picked_for }) =>
    picked_for === orderId ? undefined : `was not picked for order ${orderId}`,
  );
  const named = placed(serials, path).map(({ value, path }) => ({ name: value, path }));
  return [...wrong, ...duplicateErrors(named)];
}

const repeatedSerials = (picks: readonly (SerialPick | undefined)[]): readonly FieldError[] =>
  duplicateSerials(
    picks.flatMap((pick, position) =>
      placed(pick?.serials ?? [], serialsPath(position)).map(({ value, path }) => ({
        product: pick?.product_id ?? 0,
        name: value,
        path,
      })),
    ),
  );
