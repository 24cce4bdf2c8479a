import * as z from "zod/mini";
import { distribute } from "../../common/distribute.ts";
import { id, name, optionalText, quantity } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { type Decision, type FieldError, invalidAt } from "../../common/problem.ts";
import { jsonBytes } from "../../common/strings.ts";
import { nextVersion } from "../../common/versioned.ts";
import type { Order, OrderItem } from "../../orders/order.ts";
import { type Component, orderedParts } from "../../orders/order-kits.ts";
import { isAllowed, onlyIn } from "../../orders/order-status.ts";
import { inboundLine, inboundStatus, maxLines } from "../inbound.ts";

/** What a client sends to announce that goods of an order will come back. */
export const returnInput = z.object({
  order_id: id,
  items: z
    .array(z.object({ sku: name, quantity, reason: optionalText() }))
    .check(z.minLength(1), z.maxLength(maxLines)),
});
export type ReturnInput = z.output<typeof returnInput>;

export const returnLine = z.extend(inboundLine, { reason: primitive.textOrNull });
export type ReturnLine = z.output<typeof returnLine>;

/** Goods of a Shipped order that come back. They are put away over time. */
export const orderReturn = z.object({
  account_id: primitive.int,
  return_id: primitive.int,
  order_id: primitive.int,
  order_number: primitive.text,
  status: inboundStatus,
  items: z.array(returnLine),
  ...primitive.versionFields,
});
export type OrderReturn = z.output<typeof orderReturn>;

export const announcedReturn = (
  { account_id, order_id, order_number }: Order,
  items: readonly ReturnLine[],
  { return_id, at }: { return_id: number; at: string },
): OrderReturn => ({
  account_id,
  return_id,
  order_id,
  order_number,
  status: "Pending",
  items: [...items],
  ...primitive.firstVersion(at),
});

type SentLines = ReturnInput["items"];

/** Maximum bytes of the lines, as JSON. Putting them away adds at most 5 KB; an item holds 409,600 bytes. */
const maxLinesBytes = 400_000;

/**
 * Takes back goods that were shipped and have not come back yet (docs/decisions.md, Returns). Several items
 * that name one product build on each other. `path` is where the return is in the request.
 */
export function takeBack(
  before: Order,
  sent: SentLines,
  path: string,
  at: string,
): Decision<{ readonly after: Order; readonly lines: readonly ReturnLine[] }> {
  const { order_id, status } = before;
  if (!isAllowed("return", status)) {
    const message = `names an order that is ${status} (${order_id}); ${onlyIn("return")}`;
    return { problem: invalidAt([{ path: `${path}.order_id`, message, code: "wrong_status" }]) };
  }
  const errors: FieldError[] = [];
  const { items, lines } = takeItems(before, sent, `${path}.items`, errors);
  if (lines.length > maxLines) {
    const message = `must come to at most ${maxLines} lines, counting the components of kits`;
    errors.push({ path: `${path}.items`, message });
  }
  if (jsonBytes(lines) > maxLinesBytes)
    errors.push({ path: `${path}.items`, message: `come to more than ${maxLinesBytes} bytes` });
  if (errors.length > 0) return { problem: invalidAt(errors) };
  return { after: nextVersion(before, { items }, at), lines };
}

/** The lines that come back, and the order's items that note them. Adds what is wrong to `errors`. */
function takeItems(order: Order, sent: SentLines, path: string, errors: FieldError[]) {
  const lines: ReturnLine[] = [];
  let { items } = order;
  sent.forEach(({ sku, quantity, reason = null }, position) => {
    const parts = meantBy(order, sku);
    const left = Math.min(
      ...parts.map((part) => Math.floor(unreturnedUnits(items, part.product_id) / part.quantity)),
    );
    if (parts.length === 0) {
      const message = `is not in order ${order.order_id} (${sku})`;
      errors.push({ path: `${path}.${position}.sku`, message });
    } else if (parts.length > 1 && !order.kits.some(({ synset }) => synset === sku)) {
      const skus = parts.map((part) => part.sku).join(", ");
      const message = `means several products of order ${order.order_id} (${sku}); name one of ${skus}`;
      errors.push({ path: `${path}.${position}.sku`, message });
    } else if (quantity > left) {
      const message = `is more than is left to return of ${sku} in order ${order.order_id} (${left})`;
      errors.push({ path: `${path}.${position}.quantity`, message });
    } else {
      for (const { product_id, sku: part, quantity: each } of parts) {
        const units = quantity * each;
        lines.push({ sku: part, product_id, quantity: units, reason, put_away: 0 });
        items = addReturned(items, product_id, units, sku);
      }
    }
  });
  return { items, lines };
}

/**
 * What a SKU means in an order: a product of the order, else what was ordered under that name (an alias, a
 * kit).
 */
function meantBy(order: Order, sku: string): readonly Component[] {
  const product = order.items.find((item) => item.sku === sku);
  return product === undefined ? orderedParts(order, sku) : [{ ...product, quantity: 1 }];
}

const leftOf = ({ quantity, returned }: OrderItem): number => quantity - returned;

/** The units of a product that were shipped and have not come back. */
const unreturnedUnits = (items: readonly OrderItem[], productId: number): number =>
  items.reduce((sum, item) => (item.product_id === productId ? sum + leftOf(item) : sum), 0);

/**
 * The items with this total of returned units of a product. The first lines are filled first. Undefined if
 * fewer units were ordered.
 */
export function withReturned(
  items: readonly OrderItem[],
  productId: number,
  units: number,
): OrderItem[] | undefined {
  let left = units;
  const noted = items.map((item) => {
    if (item.product_id !== productId) return item;
    const returned = Math.min(left, item.quantity);
    left -= returned;
    return { ...item, returned };
  });
  return left === 0 ? noted : undefined;
}

/**
 * Adds to the returned units of a product. Lines that were ordered under this name fill first, then the
 * others.
 */
function addReturned(
  items: readonly OrderItem[],
  productId: number,
  units: number,
  name: string,
): OrderItem[] {
  const roomsWhere = (matches: boolean) =>
    items.map((item) =>
      item.product_id === productId && (item.ordered_as === name) === matches ? leftOf(item) : 0,
    );
  const named = distribute(roomsWhere(true), units);
  const others = distribute(roomsWhere(false), units - named.reduce((sum, taken) => sum + taken, 0));
  return items.map((item, position) => ({
    ...item,
    returned: item.returned + (named[position] ?? 0) + (others[position] ?? 0),
  }));
}
