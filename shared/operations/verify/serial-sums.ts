/** Serials that are picked for orders, and orders that name them. */
import * as z from "zod/mini";
import type { Order } from "../../domain/orders/order.ts";
import { serial } from "../../domain/serials/serial.ts";
import type { RawItem } from "../../store/reads.ts";
import { Fingerprints } from "./fingerprints.ts";

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

/** Serials, and the orders that name them, as sums that come to 0 where both say the same. Orders are taken first. */
export class SerialSums {
  readonly #holds = new Fingerprints();
  readonly #free = new Set<string>();

  addOrder(order: Order): void {
    for (const hold of serialsNamed(order))
      if (mayBeFree(order)) this.#free.add(textOf(hold));
      else this.#holds.count(textOf(hold), 1);
  }

  /** Takes the item of a serial. */
  addSerial(item: RawItem): void {
    const { product_id, serial: text, picked_for } = z.parse(serial, item);
    if (picked_for === undefined) return;
    const hold = textOf({ product_id, serial: text, order_id: picked_for });
    if (!this.#free.has(hold)) this.#holds.count(hold, -1);
  }

  get fits(): boolean {
    return this.#holds.isEven;
  }

  isUneven = (hold: Hold): boolean => this.#holds.isUneven(textOf(hold));
}
