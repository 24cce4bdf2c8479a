/**
 * The rules of which serials may be picked, and which come back with a return. A product with serials has one for each
 * unit. Whoever handles units of the product names their serials.
 */
import type { FieldError } from "../problem.ts";
import { repeats } from "../repeats.ts";
import type { Serial } from "./serial.ts";

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

/** What is wrong with the serials of a call's picks. An undefined pick is wrong for another reason, and is left out. */
export function serialErrors(
  picks: readonly (SerialPick | undefined)[],
  known: PickableSerials,
): readonly FieldError[] {
  const errors = picks.flatMap((pick, position) =>
    pick === undefined ? [] : errorsOf(pick, serialsPath(position), known, refusalToPick),
  );
  return [...errors, ...repeatedSerials(picks)];
}

function errorsOf(
  { product_id, sku, quantity, serials }: SerialPick,
  path: string,
  { hasSerials, find }: PickableSerials,
  refusal: (found: Serial) => string | undefined,
): readonly FieldError[] {
  if (!hasSerials(product_id)) {
    return serials === undefined ? [] : [{ path, message: `must be left out: ${sku} has no serials` }];
  }
  if (serials === undefined) return [{ path, message: `is required: ${sku} has serials` }];
  if (serials.length !== quantity) {
    return [{ path, message: `must name as many serials as there are units (${quantity})` }];
  }
  return serials.flatMap((text, position) => {
    const found = find(product_id, text);
    const at = `${path}.${position}`;
    if (found === undefined) return [{ path: at, message: `is not a serial of ${sku} (${text})` }];
    const message = refusal(found);
    return message === undefined ? [] : [{ path: at, message: `${message} (${text})` }];
  });
}

const refusalToPick = ({ picked_for }: Serial): string | undefined =>
  picked_for === undefined ? undefined : `is picked for order ${picked_for} already`;

/** What is wrong with the serials of units that come back from an order. */
export function returnedSerialErrors(
  units: SerialPick,
  orderId: number,
  known: PickableSerials,
): readonly FieldError[] {
  const errors = errorsOf(units, "serials", known, ({ picked_for }) =>
    picked_for === orderId ? undefined : `was not picked for order ${orderId}`,
  );
  return [...errors, ...repeats(units.serials ?? [], (position) => `serials.${position}`)];
}

function repeatedSerials(picks: readonly (SerialPick | undefined)[]): readonly FieldError[] {
  const places = picks.flatMap((pick, position) =>
    (pick?.serials ?? []).map((text, index) => ({
      product_id: pick?.product_id,
      text,
      path: `${serialsPath(position)}.${index}`,
    })),
  );
  return [...Map.groupBy(places, ({ product_id }) => product_id).values()].flatMap((ofProduct) =>
    repeats(
      ofProduct.map(({ text }) => text),
      (index) => ofProduct[index]?.path ?? "",
    ),
  );
}
