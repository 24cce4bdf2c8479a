/** Finds stock by SKU, alias or kit name (docs/decisions.md, Stock by name). */

import { skusOfAlias } from "../catalog/aliases/aliases-by-text.ts";
import { findSkus, nameLookup, type SynsetEntry, skuIn, synsetIn } from "../catalog/name-repository.ts";
import { findProductIds } from "../catalog/products/product-repository.ts";
import { invalidAt } from "../common/problem.ts";
import type { AccountReader } from "../runtime/context.ts";
import { getItems } from "../store/dynamodb/reads.ts";
import type { WantedTexts } from "../store/lists/found.ts";
import { type KitLevel, readKitStock } from "./kit-stock.ts";

/** A product, or stock of a kit. */
export type NamedStock = { readonly product_id: number } | { readonly kit: KitLevel };

interface Kit extends SynsetEntry {
  readonly sku: string;
}

/** A product whose id may not be known yet. */
interface NamedProduct {
  readonly sku: string;
  readonly product_id?: number;
}

type Resolution =
  | NamedProduct
  | { readonly kit: Kit }
  /** An alias that stands for different products in different channels. */
  | { readonly name: string; readonly several: readonly string[] };

/**
 * The named products and the stock of the named kits, in the order of the names, each once. Unknown names are
 * left out.
 * @throws Problem `invalid` if a name stands for several products
 */
export async function findStock(reader: AccountReader, wanted: WantedTexts): Promise<readonly NamedStock[]> {
  const { db, account_id } = reader;
  const { whole } = wanted;
  const parts = wanted.parts.filter(({ begins }) => !begins).map(({ text }) => text);
  const resolved = await resolveNames(reader, [...new Set(whole === undefined ? parts : [whole, ...parts])]);
  const ofWhole = whole === undefined ? undefined : resolved.get(whole);
  const meant = ofWhole === undefined ? parts.flatMap((part) => resolved.get(part) ?? []) : [ofWhole];
  const unique = [...new Map(meant.map((one) => [keyOf(one), one])).values()];
  const kits = unique.flatMap((one) => ("kit" in one ? [one.kit] : []));
  const aliased = unique.flatMap((one) => ("sku" in one && one.product_id === undefined ? [one.sku] : []));
  const [products, kitStockOf, byPrefix] = await Promise.all([
    findSkus(db, account_id, aliased),
    readKitStock(db, account_id, kits),
    findByPrefix(reader, wanted),
  ]);
  const named = unique.flatMap((one): readonly NamedStock[] => {
    if ("kit" in one) {
      const { sku, synset_id } = one.kit;
      return [{ kit: { sku, synset_id, ...kitStockOf(one.kit) } }];
    }
    const productId = "sku" in one ? (one.product_id ?? products.get(one.sku)?.product_id) : undefined;
    return productId === undefined ? [] : [{ product_id: productId }];
  });
  const isNamed = new Set(named.flatMap((one) => ("product_id" in one ? [one.product_id] : [])));
  return [...named, ...byPrefix.filter((id) => !isNamed.has(id)).map((product_id) => ({ product_id }))];
}

/** Maximum products whose stock is found by prefixes. The stock of each is read, whichever page is shown. */
const maxFoundByPrefix = 1000;

/** The ids of the products whose SKUs have the prefixes, rising. */
async function findByPrefix(
  { db, account_id }: AccountReader,
  { parts }: WantedTexts,
): Promise<readonly number[]> {
  const prefixes = parts.filter(({ begins }) => begins);
  if (prefixes.length === 0) return [];
  const found = await findProductIds(db, account_id, prefixes, maxFoundByPrefix + 1);
  const ids = [...new Set(found.flat())];
  if (ids.length > maxFoundByPrefix) {
    const message = `matches more than ${maxFoundByPrefix} products, too many; send more characters`;
    throw invalidAt([{ path: "sku", message }]);
  }
  return ids.toSorted((left, right) => left - right);
}

/** A key that identifies a product or a kit. @throws Problem `invalid` if the name is ambiguous */
function keyOf(resolution: Resolution): string {
  if ("sku" in resolution) return `product ${resolution.sku}`;
  if ("kit" in resolution) return `kit ${resolution.kit.sku}`;
  const { name, several } = resolution;
  const message = `${name} is an alias of several products (${several.join(", ")}); send the SKU that is meant`;
  throw invalidAt([{ path: "sku", message }]);
}

/**
 * Resolves names; unknown names are absent from the result. One round trip, and one more for names that are
 * not SKUs.
 */
export async function resolveNames(
  { db, account_id }: AccountReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Resolution>> {
  const find = await getItems(
    db,
    names.map((name) => nameLookup(account_id, name)),
  );
  const resolutions = names.map(async (name): Promise<Resolution | undefined> => {
    const item = find(nameLookup(account_id, name));
    const product = skuIn(item);
    if (product !== undefined) return product;
    const { everywhere, inChannels } = await skusOfAlias(db, account_id, name);
    if (everywhere !== undefined) return { sku: everywhere };
    const kit = synsetIn(item);
    if (kit !== undefined) return { kit: { ...kit, sku: name } };
    const [sku, ...others] = inChannels;
    if (sku === undefined) return undefined;
    return others.length === 0 ? { sku } : { name, several: inChannels };
  });
  const found = await Promise.all(resolutions);
  return new Map(
    names.flatMap((name, position) => {
      const resolution = found[position];
      return resolution === undefined ? [] : [[name, resolution] as const];
    }),
  );
}
