import * as z from "zod/mini";
import { definedValues } from "../../common/maps.ts";
import * as primitive from "../../common/primitives.ts";
import { invalidAt } from "../../common/problem.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, type Key, padded } from "../../store/dynamodb/keys.ts";
import { type Lookup, queryRange } from "../../store/dynamodb/reads.ts";
import { insertOf, type RecordWrites, stale, type Write } from "../../store/dynamodb/writes.ts";
import { recordKey } from "../../store/lists/block-list.ts";
import { recordOf, repositoryOf, type Stored } from "../../store/lists/repository.ts";
import { type Find, uniqueTexts } from "../../store/lookup-index.ts";
import { changeName, findSkuIds, findSkus, insertName, nameLookup } from "../name-repository.ts";
import { type Product, product } from "./product.ts";
import { productList } from "./product-lists.ts";
import type { Center } from "./product-references.ts";

export const products = repositoryOf<Product>(productList, recordOf(product), {
  idOf: ({ product_id }) => product_id,
});

const ownersOf = (sku: string): string => joined("sku-owners", sku);

const skuOwner = z.object({ account_id: primitive.int, product_id: primitive.int });

/** The products with this SKU, of all accounts that have it. The warehouse works for all accounts. */
export async function productsNamed(
  db: Database,
  sku: string,
): Promise<readonly z.output<typeof skuOwner>[]> {
  const items = await queryRange(db, { table: productList.table, pk: ownersOf(sku) });
  return items.map((item) => z.parse(skuOwner, item));
}

export const productLookup = (productId: number): Lookup => ({
  table: productList.table,
  key: recordKey(productList, productId),
});

/** The account's products by SKU. Unknown SKUs are absent from the result. */
export async function findProducts(
  db: Database,
  accountId: number,
  skus: readonly string[],
): Promise<ReadonlyMap<string, Stored<Product>>> {
  const entries = await findSkus(db, accountId, skus);
  const ids = [...entries.values()].map(({ product_id }) => product_id);
  const found = await products.findAll(db, accountId, ids);
  return definedValues(skus, (sku) => {
    const entry = entries.get(sku);
    return entry && found.get(entry.product_id);
  });
}

/** Creates the product with its SKU; `path` is where the request names the SKU. */
export const insertProduct = (created: Product, center: Center, path: string): RecordWrites => [
  ...products.insert(created),
  ...productEntries(created, center, path),
];

/** Products by their SKUs in text order. See `data-model/later-indexes.ts` for those of earlier releases. */
export const productSkus = uniqueTexts("product-sku");

/**
 * Finds an account's products by their SKUs, exactly or by prefix.
 * @throws Problem `invalid` for a prefix while the index of prefixes is not complete
 */
export const findProductIds: Find = async (db, owner, wanted, limit) => {
  if (!wanted.some(({ begins }) => begins)) return findSkuIds(db, owner, wanted, limit);
  if (await db.layouts.hasIndex(productSkus.kind)) return productSkus.find(db, owner, wanted, limit);
  const message =
    'can\'t end in a * yet: products of an earlier release are not indexed. The operator runs "data migrate"';
  throw invalidAt([{ path: "sku", message }]);
};

/** The keys of a product's lookup entries. They depend only on the SKU, not on the distribution center. */
export const productEntryKeys = ({
  account_id,
  sku,
}: Pick<Product, "account_id" | "sku">): readonly [inAccount: Key, overAll: Key, byPrefix: Key] => [
  nameLookup(account_id, sku).key,
  { pk: ownersOf(sku), sk: padded(account_id) },
  productSkus.lookup(account_id, sku).key,
];

/** The lookup entries of a product: its SKU, within its account, across accounts, and by prefix. */
export function productEntries(
  { account_id, product_id, sku }: Product,
  { distribution_center_id }: Pick<Center, "distribution_center_id">,
  path = "sku",
): readonly Write[] {
  const [, overAll] = productEntryKeys({ account_id, sku });
  return [
    insertName(account_id, sku, { product_id, sku, distribution_center_id }, path),
    insertOf({ table: productList.table, key: overAll }, { account_id, product_id }),
    productSkus.insert({ owner: account_id, text: sku, id: product_id }, stale),
  ];
}

/** Reserves the product's future orders in `center`. */
export const changeCenter = ({ account_id, sku }: Product, center: Center): Write =>
  changeName(account_id, sku, { distribution_center_id: center.distribution_center_id });
