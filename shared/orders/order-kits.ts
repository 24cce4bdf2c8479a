/** Kits of an order: what they consist of, and whether an order's items add up to them. */
import type { FieldError } from "../common/problem.ts";
import type { Order, OrderedKit, OrderItem } from "./order.ts";

/** A product, and the center in which its orders are reserved. */
export type ProductInCenter = Pick<OrderItem, "product_id" | "sku" | "distribution_center_id">;

/** A component of a kit, and its units in one kit. */
export type Component = ProductInCenter & Pick<OrderItem, "quantity">;

/** The part of an order that states its goods. */
export type OrderGoods = Pick<Order, "items" | "kits">;

const unitsOf = (lines: readonly Pick<OrderItem, "quantity">[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

const kitsOf = (kits: readonly OrderedKit[], name: string): readonly OrderedKit[] =>
  kits.filter(({ synset }) => synset === name);

/**
 * The products that were ordered under a name (a SKU, an alias, a kit), and the units of each in one of that
 * name. All kits of one name in an order have the same components. Only orders of release 1.0.0 may also have
 * an item under an alias of the same name, so only there is anything rounded.
 */
export function orderedParts({ items, kits }: OrderGoods, name: string): readonly Component[] {
  const count = unitsOf(kitsOf(kits, name));
  const ordered = items.filter(({ ordered_as }) => ordered_as === name);
  return [...Map.groupBy(ordered, ({ product_id }) => product_id).values()].flatMap((lines) => {
    const quantity = count === 0 ? 1 : Math.ceil(unitsOf(lines) / count);
    return lines.slice(0, 1).map(({ product_id, sku, distribution_center_id }) => ({
      product_id,
      sku,
      distribution_center_id,
      quantity,
    }));
  });
}

/**
 * The components of each kit that is sent with its components: those that the order had (`before`), if the
 * components among `sent` items add up to them, else those that the kit has now (docs/decisions.md, Replacing
 * orders). Adds to `errors` the kits whose components add up to neither.
 */
export function resolveKits(
  sent: OrderGoods,
  before: OrderGoods,
  kit: (synset: string) => readonly Component[] | undefined,
  path: string,
  errors: FieldError[],
): ReadonlyMap<string, readonly Component[]> {
  const resolved = new Map<string, readonly Component[]>();
  for (const synset of new Set(sent.kits.map((one) => one.synset))) {
    const kitPath = `${path}.${sent.kits.findIndex((one) => one.synset === synset)}`;
    const count = unitsOf(kitsOf(sent.kits, synset));
    const lines = sent.items.filter(({ ordered_as }) => ordered_as === synset);
    const known = kitsOf(before.kits, synset).length === 0 ? undefined : orderedParts(before, synset);
    const choices = [known, kit(synset)]
      .filter((components) => components !== undefined)
      .map((components) => ({ components, difference: differenceOf(components, count, lines) }));
    const found = choices.find(({ difference }) => difference === undefined);
    const [likely] = choices;
    if (found !== undefined) resolved.set(synset, found.components);
    else if (likely !== undefined)
      errors.push({ path: kitPath, message: `does not add up: ${count} of ${synset} ${likely.difference}` });
    else
      errors.push({
        path: `${kitPath}.synset`,
        message: `is not a known synset (${synset})`,
        code: "unknown_reference",
      });
  }
  return resolved;
}

/** The first product whose units in `count` kits differ from the lines', as text; undefined if all match. */
function differenceOf(
  components: readonly Component[],
  count: number,
  lines: readonly Pick<OrderItem, "sku" | "quantity">[],
): string | undefined {
  const [taken, sent] = [unitsBySku(components, count), unitsBySku(lines, 1)];
  const sku = [...taken.keys(), ...sent.keys()].find((each) => taken.get(each) !== sent.get(each));
  if (sku === undefined) return undefined;
  return `take ${taken.get(sku) ?? 0} of ${sku}, but the items come to ${sent.get(sku) ?? 0}`;
}

function unitsBySku(
  lines: readonly Pick<OrderItem, "sku" | "quantity">[],
  times: number,
): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { sku, quantity } of lines) units.set(sku, (units.get(sku) ?? 0) + quantity * times);
  return units;
}
