/**
 * The catalog: products (`products/`), synsets, which are kits of products (`synsets/`), and aliases, which
 * are the names that channels use for products (`aliases/`).
 *
 * This file stores the names of an account's products and synsets. Both share one kind of item, so a name is
 * unique among them, and an order line finds its product or kit in one read. The item also has the data that
 * orders need: the product's id and center, or the kit's components.
 */
import * as z from "zod/mini";
import { definedValues } from "../common/maps.ts";
import * as primitive from "../common/primitives.ts";
import { alreadyExists, invalidAt } from "../common/problem.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { aloneAt, getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { type Change, exists, type Insert, insertOf } from "../store/dynamodb/writes.ts";
import type { Find } from "../store/lookup-index.ts";
import { kitItems, type NameOwner } from "./names.ts";

export const nameLookup = (accountId: number, name: string): Lookup =>
  aloneAt("inventory", "name", accountId, name);

const sku = z.object({
  product_id: primitive.int,
  sku: primitive.text,
  distribution_center_id: primitive.int,
});

/** The meaning of an account's SKU, and the distribution center in which its orders are reserved. */
export type SkuEntry = z.output<typeof sku>;

const kit = z.object({ synset_id: primitive.int, items: kitItems });

/** The meaning of a kit's name: the kit's id and its components, so that orders need not read the kit. */
export type SynsetEntry = z.output<typeof kit>;

/**
 * Inserts the name of a new product or synset. Rejected if the name is taken. `path` is where the name is
 * in the request.
 */
export const insertName = (
  accountId: number,
  name: string,
  meaning: SkuEntry | SynsetEntry,
  path: string,
): Insert =>
  insertOf(nameLookup(accountId, name), meaning, { rejection: () => invalidAt([alreadyExists(name, path)]) });

/** Changes the data of a name. The record's version guards it too, because both only change together. */
export const changeName = (accountId: number, name: string, set: NonNullable<Change["set"]>): Change => ({
  kind: "change",
  ...nameLookup(accountId, name),
  set,
  when: [exists],
});

/** The product of a name that was read; undefined if the name is free or a synset's. */
export const skuIn = (found: RawItem | undefined): SkuEntry | undefined =>
  found?.["product_id"] === undefined ? undefined : z.parse(sku, found);

/** The synset of a name that was read; undefined if the name is free or a SKU. */
export const synsetIn = (found: RawItem | undefined): SynsetEntry | undefined =>
  found?.["synset_id"] === undefined ? undefined : z.parse(kit, found);

/** The kind of record with the name that was read; undefined if the name is free. */
export function ownerOf(found: RawItem | undefined): NameOwner | undefined {
  if (skuIn(found) !== undefined) return "product";
  return synsetIn(found) === undefined ? undefined : "synset";
}

export const findSkuIds: Find = async (db, owner, wanted) => {
  const texts = wanted.map(({ text }) => text);
  const found = await findSkus(db, Number(owner), texts);
  return texts.map((text) => [found.get(text)?.product_id ?? []].flat());
};

/** The name entry of one of the account's SKUs; undefined if it is unknown. */
export const findSku = async (db: Database, accountId: number, sku: string): Promise<SkuEntry | undefined> =>
  (await findSkus(db, accountId, [sku])).get(sku);

/** The name entries of the account's SKUs. Unknown SKUs are absent from the result. */
export async function findSkus(
  db: Database,
  accountId: number,
  skus: readonly string[],
): Promise<ReadonlyMap<string, SkuEntry>> {
  const find = await getItems(
    db,
    skus.map((sku) => nameLookup(accountId, sku)),
  );
  return definedValues(skus, (sku) => skuIn(find(nameLookup(accountId, sku))));
}
