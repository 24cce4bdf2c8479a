import * as z from "zod/mini";
import { id, name, optionalText, quantity } from "../fields.ts";
import type { Order, OrderItem } from "../orders/order.ts";
import { revised } from "../orders/order-transitions.ts";
import type { FieldError } from "../problem.ts";
import { fill, inboundLine, inboundStatus, mostLines, unitsByProduct } from "./inbound.ts";

/** What a client sends to announce that goods of an order come back. */
export const returnInput = z.object({
  order_id: id,
  items: z
    .array(z.object({ sku: name, quantity, reason: optionalText() }))
    .check(z.minLength(1), z.maxLength(mostLines)),
});
export type ReturnInput = z.output<typeof returnInput>;

export const returnLine = z.extend(inboundLine, { reason: z.nullable(z.string()) });
export type ReturnLine = z.output<typeof returnLine>;

/** Goods of a Shipped order that come back and are put away bit by bit. */
export const orderReturn = z.object({
  account_id: z.int(),
  return_id: z.int(),
  order_id: z.int(),
  order_number: z.string(),
  status: inboundStatus,
  items: z.array(returnLine),
  created_at: z.string(),
  updated_at: z.string(),
  /** Rises with every change; a change is stored only on the version it was decided on. */
  version: z.int(),
});
export type OrderReturn = z.output<typeof orderReturn>;

/** A newly announced return of these lines of an order. */
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
  created_at: at,
  updated_at: at,
  version: 1,
});

/** What comes back of an order and the order that knows of it, or what is wrong. */
export type ReturnDecision =
  | { readonly after: Order; readonly lines: readonly ReturnLine[] }
  | { readonly errors: readonly FieldError[] };

type Sent = ReturnInput["items"];

/**
 * Takes back what was shipped and has not come back yet (docs/decisions.md, Returns). `path` is where the request holds the
 * return; several of its items that name one product build on each other.
 */
export function takeBack(before: Order, sent: Sent, path: string, at: string): ReturnDecision {
  const { order_id, status } = before;
  if (status !== "Shipped") {
    const message = `names an order that is ${status} (${order_id}); only a Shipped order can be returned`;
    return { errors: [{ path: `${path}.order_id`, message }] };
  }
  const errors: FieldError[] = [];
  const { items, lines } = takeItems(before, sent, `${path}.items`, errors);
  if (lines.length > mostLines) {
    const message = `must come to at most ${mostLines} lines, the components of kits counted`;
    errors.push({ path: `${path}.items`, message });
  }
  return errors.length > 0 ? { errors } : { after: revised(before, { items }, at), lines };
}

/** The lines that come back, and the order's items with them noted. What is wrong joins `errors`. */
function takeItems(order: Order, sent: Sent, path: string, errors: FieldError[]) {
  const lines: ReturnLine[] = [];
  let { items } = order;
  sent.forEach(({ sku, quantity, reason = null }, position) => {
    const parts = partsOf(order, sku);
    const left = Math.min(...parts.map((part) => Math.floor(unreturned(items, part.product_id) / part.each)));
    if (parts.length === 0) {
      const message = `is not in order ${order.order_id} (${sku})`;
      errors.push({ path: `${path}.${position}.sku`, message });
    } else if (quantity > left) {
      const message = `is more than is left to return of ${sku} in order ${order.order_id} (${left})`;
      errors.push({ path: `${path}.${position}.quantity`, message });
    } else {
      for (const { product_id, sku: part, each } of parts) {
        const units = quantity * each;
        lines.push({ sku: part, product_id, quantity: units, reason, put_away: 0 });
        items = markReturned(items, product_id, units, sku);
      }
    }
  });
  return { items, lines };
}

/** A product, and how many units of it one unit of what was ordered comes to. */
interface Part {
  readonly product_id: number;
  readonly sku: string;
  readonly each: number;
}

/** What a SKU means in an order: a product of it, else what was ordered by that name: an alias or a kit. */
function partsOf({ items, kits }: Order, sku: string): readonly Part[] {
  const product = items.find((item) => item.sku === sku);
  if (product !== undefined) return [{ product_id: product.product_id, sku, each: 1 }];
  const ordered = items.filter((item) => item.ordered_as === sku);
  const count = kits.reduce((sum, kit) => (kit.synset === sku ? sum + kit.quantity : sum), 0);
  const units = unitsByProduct(ordered, ({ quantity }) => quantity);
  const products = new Map(ordered.map((item) => [item.product_id, item.sku]));
  return [...products].map(([product_id, name]) => ({
    product_id,
    sku: name,
    // All kits of one name in an order were the same kit, so this divides without rest.
    each: count === 0 ? 1 : (units.get(product_id) ?? 0) / count,
  }));
}

const leftOf = ({ quantity, returned }: OrderItem): number => quantity - returned;

/** Units of a product that were shipped and have not come back. */
const unreturned = (items: readonly OrderItem[], productId: number): number =>
  items.reduce((sum, item) => (item.product_id === productId ? sum + leftOf(item) : sum), 0);

/** Notes units of a product as returned: in the lines that were ordered by this name first, else in their order. */
function markReturned(
  items: readonly OrderItem[],
  productId: number,
  units: number,
  name: string,
): OrderItem[] {
  const roomsWhere = (matches: boolean) =>
    items.map((item) =>
      item.product_id === productId && (item.ordered_as === name) === matches ? leftOf(item) : 0,
    );
  const named = fill(roomsWhere(true), units);
  const others = fill(roomsWhere(false), units - named.reduce((sum, taken) => sum + taken, 0));
  return items.map((item, position) => ({
    ...item,
    returned: item.returned + (named[position] ?? 0) + (others[position] ?? 0),
  }));
}
