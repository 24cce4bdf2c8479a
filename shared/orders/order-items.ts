/** Turns the lines of an order into items: products that a SKU, an alias or a kit names. */

import { skuError } from "../catalog/names.ts";
import { isDeepEqual } from "../common/deep-equal.ts";
import { maxQuantity } from "../common/fields.ts";
import type { FieldError } from "../common/problem.ts";
import { maxItems, type OrderedKit, type OrderItem, type OrderTerms } from "./order.ts";
import type { OrderInput } from "./order-input.ts";
import { type Component, type OrderGoods, type ProductInCenter, resolveKits } from "./order-kits.ts";

/** What the order lines of one call may name. */
export interface ItemReferences {
  readonly product: (sku: string) => ProductInCenter | undefined;
  /** The product that an alias means in a channel: a store's id, or null if an order has none. */
  readonly alias: (channelId: number | null, alias: string) => ProductInCenter | undefined;
  /** The components of a kit, at least one. */
  readonly kit: (synset: string) => readonly Component[] | undefined;
}

/** The order to which lines belong. */
interface Addressee {
  readonly channel: OrderTerms["store"];
  /** The order as it is, if it is being replaced. */
  readonly before?: OrderGoods | undefined;
}

type Line = OrderInput["items"][number];

/** What a line stands for: an item, or kits that are still to be replaced by their components. */
type Meaning = { readonly item: OrderItem } | { readonly kit: Line };
type PlacedMeaning = Meaning & { readonly path: string };

const none: OrderGoods = { items: [], kits: [] };

/**
 * Looks each line up as a product, then as an alias, then as a kit (docs/decisions.md, What an item may
 * name). A kit is replaced by its components, unless they are sent with it in `kits`. A line that states what
 * it was ordered as keeps that (docs/decisions.md, Replacing orders). Adds to `errors` what is wrong with the
 * lines. `path` is where the order is in the request (`data.0`).
 */
export function resolveItems(
  sent: Pick<OrderInput, "items" | "kits">,
  { channel, before = none }: Addressee,
  references: ItemReferences,
  path: string,
  errors: FieldError[],
) {
  const { items: lines, kits: sentKits = [] } = sent;
  const kits: OrderedKit[] = sentKits.map(({ sold_price = null, ...kit }) => ({ ...kit, sold_price }));
  if (isDeepEqual(contentOf({ items: lines, kits }), contentOf(before))) return { items: before.items, kits };
  const sentNames = new Set(kits.map(({ synset }) => synset));
  const meaningOf = reader(references, channel, before, sentNames);
  const meant = lines.flatMap((line, position): readonly PlacedMeaning[] => {
    const linePath = `${path}.items.${position}`;
    const meaning = meaningOf(line, linePath);
    if (!("message" in meaning)) return [{ ...meaning, path: linePath }];
    errors.push(meaning);
    return [];
  });
  const named = meant.flatMap((meaning) => ("item" in meaning ? [meaning] : []));
  const sentGoods = { items: named.map(({ item }) => item), kits: [...kits] };
  const built = resolveKits(sentGoods, before, references.kit, `${path}.kits`, errors);
  const items: OrderItem[] = [];
  for (const meaning of meant) {
    if ("item" in meaning) items.push(meaning.item);
    // An order that is too large already stops growing: 500 kits of 100 components would be 50,000 items.
    else if (items.length <= maxItems) {
      const { sku: synset, quantity, sold_price = null } = meaning.kit;
      const components = sentNames.has(synset) ? built.get(synset) : references.kit(synset);
      kits.push({ synset, quantity, sold_price });
      items.push(...explode(meaning.kit, components ?? [], `${meaning.path}.quantity`, errors));
    }
  }
  // A return by such a name could not tell the item from the kit's components.
  for (const { item, path } of named) {
    const { ordered_as: name } = item;
    if (sentNames.has(name) || !kits.some(({ synset }) => synset === name)) continue;
    errors.push({
      path: `${path}.ordered_as`,
      message: `must be left out: ${name} is a kit of the order, too`,
    });
  }
  if (items.length > maxItems) {
    const message = `must come to at most ${maxItems} items, counting the components of kits`;
    errors.push({ path: `${path}.items`, message });
  }
  return { items, kits };
}

/**
 * What an order's answer shows of items and kits. Orders of release 1.0.0 may have some that are now
 * rejected. A line without `ordered_as` equals none of them.
 */
const contentOf = ({
  items,
  kits,
}: Pick<OrderGoods, "kits"> & { readonly items: readonly (Line | OrderItem)[] }) => ({
  items: items.map(({ sku, ordered_as, quantity, sold_price = null }) => {
    return { sku, ordered_as, quantity, sold_price };
  }),
  kits,
});

/**
 * Reads lines one after another: what each means, or what is wrong with it, at this path. `sentNames` are the
 * kits that are sent with their components.
 */
function reader(
  references: ItemReferences,
  channel: OrderTerms["store"],
  before: OrderGoods,
  sentNames: ReadonlySet<string>,
) {
  const keep = keeper(before.items);
  const wasKit = (name: string) => before.kits.some(({ synset }) => synset === name);
  const aliased = (name: string) => references.alias(channel?.id ?? null, name);
  const named = (line: Line, path: string): Meaning | FieldError => {
    const { sku } = line;
    const product = references.product(sku) ?? aliased(sku);
    if (product === undefined) return references.kit(sku) === undefined ? skuError(sku, path) : { kit: line };
    const kept = line.ordered_as === undefined ? undefined : keep(product.sku, sku);
    return { item: { ...itemOf(line, sku, product), ...kept } };
  };
  return (line: Line, path: string): Meaning | FieldError => {
    const { sku, ordered_as: name = sku, sold_price } = line;
    if (name === sku) return named(line, path);
    const product = references.product(sku);
    if (product === undefined) return skuError(sku, path);
    const kept = keep(sku, name);
    if (sentNames.has(name) && sold_price !== undefined)
      return { path: `${path}.sold_price`, message: `must be left out: the price of ${name} stands in kits` };
    if (sentNames.has(name) || (kept !== undefined && !wasKit(name)) || aliased(name)?.sku === sku)
      return { item: { ...itemOf(line, name, product), ...kept } };
    const message = `must be the SKU, an alias of it for the order's channel, or a synset of kits (${name}), or be left out`;
    return { path: `${path}.ordered_as`, message };
  };
}

const itemOf = (line: Line, ordered_as: string, product: ProductInCenter): OrderItem => ({
  ...product,
  ordered_as,
  quantity: line.quantity,
  sold_price: line.sold_price ?? null,
  returned: 0,
});

/** What an item keeps when its order is replaced: its center, and the returned quantity. */
type KeptFields = Partial<Pick<OrderItem, "distribution_center_id" | "returned">>;

/**
 * Returns a function that takes the items that an order had of a SKU under a name one by one, and returns
 * what each keeps. Further items keep nothing. It returns undefined if the order had none.
 */
function keeper(items: readonly OrderItem[]): (sku: string, orderedAs: string) => KeptFields | undefined {
  const keyOf = (sku: string, orderedAs: string) => JSON.stringify([sku, orderedAs]);
  const left = Map.groupBy(items, ({ sku, ordered_as }) => keyOf(sku, ordered_as));
  return (sku, orderedAs) => {
    const found = left.get(keyOf(sku, orderedAs));
    if (found === undefined) return undefined;
    const item = found.shift();
    if (item === undefined) return {};
    const { distribution_center_id, returned } = item;
    return { distribution_center_id, returned };
  };
}

/** The components of this many kits. They have no price, because the kit has one. */
function explode(
  { sku, quantity }: Line,
  components: readonly Component[],
  path: string,
  errors: FieldError[],
): readonly OrderItem[] {
  const maxPerKit = Math.max(...components.map((component) => component.quantity));
  if (maxPerKit * quantity > maxQuantity) {
    errors.push({ path, message: `comes to more than ${maxQuantity} units of a component` });
    return [];
  }
  return components.map(({ quantity: each, ...product }) =>
    itemOf({ sku, quantity: each * quantity }, sku, product),
  );
}
