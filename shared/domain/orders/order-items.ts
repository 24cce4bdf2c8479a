/** Turns the lines of an order into items: products that a SKU, an alias or a kit names. */

import { skuError } from "../catalog/product-references.ts";
import { largestQuantity } from "../fields.ts";
import type { FieldError } from "../problem.ts";
import { mostItems, type OrderedKit, type OrderInput, type OrderItem, type OrderTerms } from "./order.ts";

/** A product, and the center in which its orders are reserved. */
export interface ProductInCenter {
  readonly product_id: number;
  readonly sku: string;
  readonly distribution_center_id: number;
}

/** A product that a kit is built from, and the units of it that one kit takes. */
export interface Component extends ProductInCenter {
  readonly quantity: number;
}

/** What the order lines of one call may name. */
export interface ItemReferences {
  readonly product: (sku: string) => ProductInCenter | undefined;
  /** The product that an alias means to orders of a channel. A channel is a store's id; null where an order has none. */
  readonly alias: (channelId: number | null, alias: string) => ProductInCenter | undefined;
  /** The components of a kit, at least one. */
  readonly kit: (synset: string) => readonly Component[] | undefined;
}

type Line = OrderInput["items"][number];

interface ResolvedItems {
  readonly items: OrderItem[];
  readonly kits: OrderedKit[];
}

/**
 * Looks each line up as a product, then as an alias, then as a kit (docs/decisions.md, What an
 * item may name). A kit is replaced by its components. Adds to `errors` what is wrong with the lines.
 */
export function resolveItems(
  lines: readonly Line[],
  channel: OrderTerms["store"],
  references: ItemReferences,
  path: string,
  errors: FieldError[],
): ResolvedItems {
  const items: OrderItem[] = [];
  const kits: OrderedKit[] = [];
  lines.forEach((line, position) => {
    const { sku, quantity, sold_price = null } = line;
    const product = references.product(sku) ?? references.alias(channel?.id ?? null, sku);
    const kit = product === undefined ? references.kit(sku) : undefined;
    if (product !== undefined) items.push({ ...product, ordered_as: sku, quantity, sold_price, returned: 0 });
    else if (kit === undefined) errors.push(skuError(sku, `${path}.${position}`));
    // An order that is too large already stops growing: 500 kits of 100 components would be 50,000 items.
    else if (items.length <= mostItems) {
      kits.push({ synset: sku, quantity, sold_price });
      items.push(...explode(line, kit, `${path}.${position}.quantity`, errors));
    }
  });
  if (items.length > mostItems)
    errors.push({ path, message: `must come to at most ${mostItems} items, the components of kits counted` });
  return { items, kits };
}

/** The components of this many kits. They have no price, because the kit has it. */
function explode(
  { sku, quantity }: Line,
  components: readonly Component[],
  path: string,
  errors: FieldError[],
): readonly OrderItem[] {
  const most = Math.max(...components.map((component) => component.quantity));
  if (most * quantity > largestQuantity) {
    errors.push({ path, message: `comes to more than ${largestQuantity} units of a component` });
    return [];
  }
  return components.map(({ quantity: each, ...product }) => ({
    ...product,
    ordered_as: sku,
    quantity: each * quantity,
    sold_price: null,
    returned: 0,
  }));
}
