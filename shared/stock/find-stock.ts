/** Stock of what names mean, be they SKUs, aliases or synsets (docs/decisions.md, Stock by name). */
import { skusCalled } from "../catalog/aliases/alias-repository.ts";
import { nameLookup, type SynsetEntry, skuIn, synsetIn } from "../catalog/name-repository.ts";
import { findSkus } from "../catalog/products/product-repository.ts";
import { invalidAt } from "../common/problem.ts";
import type { NamesSent } from "../http/lists/searches.ts";
import type { AccountContext } from "../lambda/context.ts";
import { getItems } from "../store/dynamodb/reads.ts";
import type { KitLevel } from "./kit-stock.ts";
import { readKitStock } from "./read-kit-stock.ts";
import type { StockLevel } from "./stock.ts";
import { stockOf } from "./stock-repository.ts";

/** Stock of a product, in each center that keeps it, or of a kit. */
export type NamedStock = { readonly levels: readonly StockLevel[] } | { readonly kit: KitLevel };

interface Kit extends SynsetEntry {
  readonly sku: string;
}

/** A product, with its id if it is known already. */
interface Meant {
  readonly sku: string;
  readonly product_id?: number;
}

type Meaning =
  | Meant
  | { readonly kit: Kit }
  /** Aliases of channels of their own, which stand for several products. */
  | { readonly name: string; readonly several: readonly string[] };

type Reader = Pick<AccountContext, "db" | "account_id">;

/**
 * Stock of what the names mean, in their order, each product and kit once. A name that means nothing finds nothing.
 * @throws Problem `invalid` where a name stands for several products
 */
export async function findStock(reader: Reader, { parts, whole }: NamesSent): Promise<readonly NamedStock[]> {
  const { db, account_id } = reader;
  const meanings = await meaningsOf(reader, [...new Set(whole === undefined ? parts : [whole, ...parts])]);
  const ofWhole = whole === undefined ? undefined : meanings.get(whole);
  const meant = ofWhole === undefined ? parts.flatMap((part) => meanings.get(part) ?? []) : [ofWhole];
  const unique = [...new Map(meant.map((one) => [keyOf(one), one])).values()];
  const kits = unique.flatMap((one) => ("kit" in one ? [one.kit] : []));
  const aliased = unique.flatMap((one) => ("sku" in one && one.product_id === undefined ? [one.sku] : []));
  const [products, kitStockOf] = await Promise.all([
    findSkus(db, account_id, aliased),
    readKitStock(db, account_id, kits),
  ]);
  const found = unique.map(async (one): Promise<readonly NamedStock[]> => {
    if ("kit" in one) {
      const { sku, synset_id } = one.kit;
      return [{ kit: { sku, synset_id, ...kitStockOf(one.kit) } }];
    }
    const productId = "sku" in one ? (one.product_id ?? products.get(one.sku)?.product_id) : undefined;
    return productId === undefined ? [] : [{ levels: await stockOf(db, productId) }];
  });
  return (await Promise.all(found)).flat();
}

/** A text for a product or a kit. @throws Problem `invalid` if it is neither */
function keyOf(meaning: Meaning): string {
  if ("sku" in meaning) return `product ${meaning.sku}`;
  if ("kit" in meaning) return `kit ${meaning.kit.sku}`;
  const { name, several } = meaning;
  const message = `${name} is an alias of several products (${several.join(", ")}); send the SKU that is meant`;
  throw invalidAt([{ path: "sku", message }]);
}

/** What each of the names means; those that mean nothing are absent. One round trip, and one more for what is no SKU. */
async function meaningsOf(
  { db, account_id }: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Meaning>> {
  const find = await getItems(
    db,
    names.map((name) => nameLookup(account_id, name)),
  );
  const meanings = names.map(async (name): Promise<Meaning | undefined> => {
    const item = find(nameLookup(account_id, name));
    const product = skuIn(item);
    if (product !== undefined) return product;
    const { everywhere, inChannels } = await skusCalled(db, account_id, name);
    if (everywhere !== undefined) return { sku: everywhere };
    const kit = synsetIn(item);
    if (kit !== undefined) return { kit: { ...kit, sku: name } };
    const [sku, ...others] = inChannels;
    if (sku === undefined) return undefined;
    return others.length === 0 ? { sku } : { name, several: inChannels };
  });
  const found = await Promise.all(meanings);
  return new Map(
    names.flatMap((name, position) => {
      const meaning = found[position];
      return meaning === undefined ? [] : [[name, meaning] as const];
    }),
  );
}
