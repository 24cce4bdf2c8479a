/** Serials that are picked for orders, and orders that name them; marks of products with serials. */
import * as z from "zod/mini";
import { productLookup } from "../../../../shared/catalog/products/product-repository.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { serial } from "../../../../shared/serials/serial.ts";
import { markedProduct } from "../../../../shared/serials/serial-marks.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { blockOf } from "../../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../../shared/store/lists/counters/counter-tree.ts";
import { type BlockList, orderList, productList } from "../../../../shared/store/lists/definitions.ts";
import type { Verification } from "../finding.ts";
import { Fingerprints } from "../lookups/fingerprints.ts";
import { IdSet } from "../lookups/id-sets.ts";
import { unlessUnreadable } from "../unreadable.ts";

/** Who says that a serial is picked for an order. */
interface Hold {
  readonly product_id: number;
  readonly serial: string;
  readonly order_id: number;
}

const textOf = ({ product_id, serial: text, order_id }: Hold): string =>
  JSON.stringify([product_id, text, order_id]);

/** The serials that an order names: those of its picks. */
export const serialsNamed = ({ order_id, picks }: Order): readonly Hold[] =>
  picks.flatMap(({ product_id, serials }) => serials.map((text) => ({ product_id, serial: text, order_id })));

/** Whether serials of an order may be picked again, though the order names them: those that came back with a return. */
export const mayBeFree = ({ status, items }: Order): boolean =>
  status === "Shipped" && items.some(({ returned }) => returned > 0);

/** The blocks of a list that are an account's, as far as tallies know. */
async function blocksOf(db: Database, list: BlockList, accountId: number): Promise<ReadonlySet<number>> {
  const blocks = new Set<number>();
  await unlessUnreadable(async () => {
    for await (const { block } of readBlocks(db, list, String(accountId))) blocks.add(block);
  });
  return blocks;
}

/** What a verification is about. */
interface Meant {
  readonly product: (productId: number) => boolean;
  readonly order: (orderId: number) => boolean;
}

/** Of one account these are its products and orders, which their blocks tell without a look at product or order. */
async function whatIsMeant({ db, accountId }: Pick<Verification, "db" | "accountId">): Promise<Meant> {
  if (accountId === undefined) return { product: () => true, order: () => true };
  const [ofProducts, ofOrders] = await Promise.all([
    blocksOf(db, productList, accountId),
    blocksOf(db, orderList, accountId),
  ]);
  return {
    product: (productId) => ofProducts.has(blockOf(productList, productId)),
    order: (orderId) => ofOrders.has(blockOf(orderList, orderId)),
  };
}

/** Serials, and the orders that name them, as sums that come to 0 where both say the same. Orders are taken first. */
export class SerialSums {
  readonly #holds = new Fingerprints();
  readonly #free = new Set<string>();
  readonly #serialized = new IdSet();
  readonly #marked = new IdSet();
  readonly #meant: Meant;

  private constructor(meant: Meant) {
    this.#meant = meant;
  }

  /** Sums of the serials that a verification is about. */
  static async of(verification: Pick<Verification, "db" | "accountId">): Promise<SerialSums> {
    return new SerialSums(await whatIsMeant(verification));
  }

  isMeant = ({ product_id, order_id }: Hold): boolean =>
    this.#meant.product(product_id) || this.#meant.order(order_id);

  addOrder(order: Order): void {
    for (const hold of serialsNamed(order))
      if (mayBeFree(order)) this.#free.add(textOf(hold));
      else this.#holds.count(textOf(hold), 1);
  }

  /** Takes the item of a serial. */
  addSerial(item: RawItem): void {
    const { product_id, serial: text, picked_for } = z.parse(serial, item);
    if (this.#meant.product(product_id)) this.#serialized.add(productLookup(product_id).key);
    if (picked_for === undefined) return;
    const hold = { product_id, serial: text, order_id: picked_for };
    if (this.isMeant(hold) && !this.#free.has(textOf(hold))) this.#holds.count(textOf(hold), -1);
  }

  /** Takes the item of a mark. */
  addMark(item: RawItem): void {
    this.#marked.add(productLookup(markedProduct(item)).key);
  }

  /** The products that have serials, and no mark. */
  get unmarked(): IdSet {
    return this.#serialized.without(this.#marked);
  }

  get fits(): boolean {
    return this.#holds.isEven;
  }

  /** Whether an order and a serial may not say the same. */
  isUneven = (hold: Hold): boolean => this.#holds.isUneven(textOf(hold));
}
