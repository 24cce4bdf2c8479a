/** Kits of an order: what they are built from, and whether an order's items add up to them. */
import type { FieldError } from "../common/problem.ts";
import type { Order, OrderedKit } from "./order.ts";
import type { OrderInput } from "./order-input.ts";

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

/** What of an order says which goods it holds. */
export type Goods = Pick<Order, "items" | "kits">;

const countOf = (kits: readonly OrderedKit[], name: string): number =>
  kits.reduce((sum, { synset, quantity }) => (synset === name ? sum + quantity : sum), 0);

/**
 * The products that were ordered under a name (a SKU, an alias, a kit), and the units of each that one of
 * that name takes. All kits of one name in an order have the same components. Only in orders of release 1.0.0
 * may an item under an alias of the same name stand beside them, so only there is anything rounded.
 */
export function orderedParts({ items, kits }: Goods, name: string): readonly Component[] {
  const count = countOf(kits, name);
  const ordered = items.filter(({ ordered_as }) => ordered_as === name);
  return [...Map.groupBy(ordered, ({ product_id }) => product_id).values()].flatMap((lines) => {
    const [first] = lines;
    if (first === undefined) return [];
    const { product_id, sku, distribution_center_id } = first;
    const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
    const quantity = count === 0 ? 1 : Math.ceil(units / count);
    return [{ product_id, sku, distribution_center_id, quantity }];
  });
}

/** Units of a product that an order's line takes. */
interface Units {
  readonly sku: string;
  readonly quantity: number;
}

/** What the kits that are sent with an order refer to. */
interface KitReferences {
  /** The order as it is, if it is being replaced. */
  readonly before: Goods;
  /** The components that a kit has now. */
  readonly kit: (synset: string) => readonly Component[] | undefined;
  /** The lines that are sent as components of a kit. */
  readonly linesOf: (synset: string) => readonly Units[];
}

/**
 * What each of the kits that are sent with their components is built from: what the order had them built
 * from, if the components add up to that, else what the kits are built from now (docs/decisions.md, Replacing
 * orders). Adds to `errors` the kits whose components add up to neither.
 */
export function resolveKits(
  sent: NonNullable<OrderInput["kits"]>,
  { before, kit, linesOf }: KitReferences,
  path: string,
  errors: FieldError[],
): ReadonlyMap<string, readonly Component[]> {
  const resolved = new Map<string, readonly Component[]>();
  for (const [synset, kits] of Map.groupBy(sent, ({ synset }) => synset)) {
    const kitPath = `${path}.${sent.findIndex((kit) => kit.synset === synset)}`;
    const known = before.kits.some((ordered) => ordered.synset === synset)
      ? orderedParts(before, synset)
      : undefined;
    const choices = [known, kit(synset)].filter((components) => components !== undefined);
    const count = kits.reduce((sum, { quantity }) => sum + quantity, 0);
    const lines = linesOf(synset);
    const found = choices.find((components) => differenceOf(components, count, lines) === undefined);
    const [likely] = choices;
    if (found !== undefined) resolved.set(synset, found);
    else if (likely === undefined)
      errors.push({
        path: `${kitPath}.synset`,
        message: `is not a known synset (${synset})`,
        code: "unknown_reference",
      });
    else {
      const difference = differenceOf(likely, count, lines);
      errors.push({ path: kitPath, message: `does not add up: ${count} of ${synset} ${difference}` });
    }
  }
  return resolved;
}

/**
 * The first product whose units in `count` kits differ from those in the lines, in words; undefined if all
 * agree.
 */
function differenceOf(
  components: readonly Component[],
  count: number,
  lines: readonly Units[],
): string | undefined {
  const [taken, sent] = [unitsBySku(components, count), unitsBySku(lines, 1)];
  const sku = [...taken.keys(), ...sent.keys()].find((each) => taken.get(each) !== sent.get(each));
  if (sku === undefined) return undefined;
  return `take ${taken.get(sku) ?? 0} of ${sku}, but the items come to ${sent.get(sku) ?? 0}`;
}

function unitsBySku(lines: readonly Units[], times: number): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { sku, quantity } of lines) units.set(sku, (units.get(sku) ?? 0) + quantity * times);
  return units;
}
