import type { OrderReturn } from "../../../../shared/inbound/returns/return.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { Fingerprints } from "../lookups/fingerprints.ts";

const textOf = (orderId: number, productId: number): string => `${orderId} ${productId}`;

/** Units that orders note as returned, and units that returns announce, as sums that come to 0 where both say the same. */
export class ReturnSums {
  readonly #units = new Fingerprints();

  addOrder({ order_id, items }: Order): void {
    for (const { product_id, returned } of items)
      if (returned > 0) this.#units.count(textOf(order_id, product_id), returned);
  }

  addReturn({ order_id, items }: OrderReturn): void {
    for (const { product_id, quantity } of items) this.#units.count(textOf(order_id, product_id), -quantity);
  }

  get fits(): boolean {
    return this.#units.isEven;
  }

  /** Whether an order may note another number than its returns announce. */
  isUneven = (orderId: number, items: readonly { readonly product_id: number }[]): boolean =>
    items.some(({ product_id }) => this.#units.isUneven(textOf(orderId, product_id)));
}
