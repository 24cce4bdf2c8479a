import { product } from "../catalog/products/product.ts";
import { productLookup } from "../catalog/products/product-repository.ts";
import { type FieldError, invalidAt } from "../common/problem.ts";
import { type Order, type OrderItem, type OrderPick, pickKeyOf } from "../orders/order.ts";
import { serial } from "../serials/serial.ts";
import { type PickableSerials, serialErrors } from "../serials/serial-picks.ts";
import {
  pickSerials,
  productsWithSerials,
  serialLookup,
  serialMarkLookup,
} from "../serials/serial-repository.ts";
import {
  type BinContent,
  binContent,
  binContentLookup,
  changeContent,
  goodsIn,
} from "../stock/bins/bin-repository.ts";
import { type BinGoods, takeGoods } from "../stock/bins/layers.ts";
import { type BinName, unknownBins } from "../stock/bins/named-bins.ts";
import { inPickSequence, type PickStyle } from "../stock/bins/pick-sequence.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { getItems, parsed } from "../store/dynamodb/reads.ts";

/** Units of a product of an order to take out of one bin. */
export interface PickRequest {
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  readonly quantity: number;
  /** The serials of the units, if their product has serials. */
  readonly serials?: readonly string[] | undefined;
}

/**
 * Finds the goods in the bins that the requests name, and decides which of them each request takes. One round
 * trip, one more if a product has serials, and one if a bin has never held the product.
 * @returns the goods, one entry for each request, and the writes that take them out
 * @throws Problem `invalid` if a bin does not hold enough of the goods, or not with these serials
 */
export async function locatePicks(db: Database, order: Order, requests: readonly PickRequest[]) {
  const named = requests.map((request) => ({
    request,
    item: order.items.find(({ sku }) => sku === request.sku),
  }));
  const references = await readReferences(db, named);
  const { picks, errors, bins } = take(named, references, await findUnknownBins(db, named, references));
  errors.push(
    ...serialErrors(
      named.map(({ request: { sku, quantity, serials }, item }) =>
        item === undefined ? undefined : { product_id: item.product_id, sku, quantity, serials },
      ),
      references,
    ),
  );
  if (errors.length > 0) throw invalidAt(errors);
  return {
    picks,
    writes: [
      ...[...bins.values()].map(({ found, left }) => changeContent(found, left)),
      ...picks.flatMap(({ product_id, serials }) => pickSerials(product_id, serials, order.order_id)),
    ],
  };
}

/** A request with the order's item of its SKU, if there is one. */
interface RequestedItem {
  readonly request: PickRequest;
  readonly item: OrderItem | undefined;
}

interface PickReferences extends PickableSerials {
  readonly bin: (productId: number, request: PickRequest) => BinContent | undefined;
  readonly pickStyle: (productId: number) => PickStyle;
}

async function readReferences(db: Database, named: readonly RequestedItem[]): Promise<PickReferences> {
  const binOf = (productId: number, { location, bin }: PickRequest) =>
    binContentLookup(productId, location, bin);
  const lookups = named.flatMap(({ request, item }) => {
    if (item === undefined) return [];
    const { product_id } = item;
    const serials = (request.serials ?? []).map((text) => serialLookup(product_id, text));
    return [productLookup(product_id), serialMarkLookup(product_id), binOf(product_id, request), ...serials];
  });
  const productIds = named.flatMap(({ item }) => (item === undefined ? [] : [item.product_id]));
  const find = await getItems(db, lookups);
  const serialized = await productsWithSerials(db, productIds, find);
  return {
    bin: (productId, request) => parsed(binContent, find(binOf(productId, request))),
    pickStyle: (productId) => parsed(product, find(productLookup(productId)))?.pick_style ?? null,
    hasSerials: (productId) => serialized.has(productId),
    find: (productId, text) => parsed(serial, find(serialLookup(productId, text))),
  };
}

/** Errors for bins that do not exist. Only bins that have never held the product are looked up. */
const findUnknownBins = (db: Database, named: readonly RequestedItem[], { bin }: PickReferences) =>
  unknownBins(
    db,
    named.flatMap(({ request, item }, position) =>
      item === undefined || bin(item.product_id, request) !== undefined
        ? []
        : [{ name: request, path: `picks.${position}.` }],
    ),
  );

/**
 * What the requests take, one after another, and what is then left in each bin that they name. A bin has one
 * entry, because a transaction writes an item once. `unknown` are the errors for bins that do not exist.
 */
function take(
  named: readonly RequestedItem[],
  { bin: binOf, pickStyle }: PickReferences,
  unknown: ReadonlyMap<BinName, FieldError>,
) {
  const bins = new Map<string, { readonly found: BinContent; readonly left: BinGoods }>();
  const picks: Omit<OrderPick, "by" | "at">[] = [];
  const errors: FieldError[] = [];
  named.forEach(({ request, item }, position) => {
    const { sku, location, bin, quantity, serials = [] } = request;
    const path = `picks.${position}`;
    if (item === undefined) {
      errors.push({ path: `${path}.sku`, message: `is not in the order (${sku})` });
      return;
    }
    const found = binOf(item.product_id, request);
    const key = found === undefined ? "" : pickKeyOf(found);
    const goods = bins.get(key)?.left ?? goodsIn(found);
    if (found === undefined || goods.quantity < quantity) {
      const message = `is more than lies in ${location}/${bin} (${goods.quantity})`;
      errors.push(unknown.get(request) ?? { path: `${path}.quantity`, message });
      return;
    }
    const { product_id, bin_id, distribution_center_id } = found;
    const { left, taken } = takeGoods(goods, quantity, (layers) =>
      inPickSequence(layers, pickStyle(product_id)),
    );
    const pickedFrom = { product_id, sku, bin_id, location, bin, distribution_center_id };
    bins.set(key, { found, left });
    picks.push({ ...pickedFrom, quantity, layers: [...taken.layers], serials: [...serials] });
  });
  return { picks, errors, bins };
}
