/**
 * The invariants of stock (docs/decisions.md, Stock; docs/decisions.md, Movements), and what violates them.
 */
import { type InboundLine, remainingOf } from "../../../../shared/inbound/inbound.ts";
import { type Order, stockEffectOf } from "../../../../shared/orders/order.ts";
import type { Hold } from "../../../../shared/stock/holds/hold.ts";
import type { StockLevel, StockUnits } from "../../../../shared/stock/stock.ts";

interface Place {
  readonly product_id: number;
  readonly distribution_center_id: number;
}

/** What records claim of a product in a distribution center, in units. */
export interface Claims {
  /** Promised to open orders. */
  readonly reserved: number;
  /** Held; they are reserved, too. */
  readonly held: number;
  /** Picked for open orders, and still in the center. */
  readonly picked: number;
  /** Announced by replenishments, and not received yet. */
  readonly incoming: number;
}

const nothing: Claims = { reserved: 0, held: 0, picked: 0, incoming: 0 };

/** The sums of what records claim, by product and center. */
export class ClaimSums {
  readonly #sums = new Map<number, Map<number, Place & Claims>>();

  placesOf(productId: number): readonly (Place & Claims)[] {
    const places = [...(this.#sums.get(productId)?.values() ?? [])];
    return places.toSorted((left, right) => left.distribution_center_id - right.distribution_center_id);
  }

  *places(): Generator<Place & Claims, void> {
    for (const centers of this.#sums.values()) yield* centers.values();
  }

  at({ product_id, distribution_center_id }: Place): Claims {
    return this.#sums.get(product_id)?.get(distribution_center_id) ?? nothing;
  }

  /** An order claims its reserved units; a Processing order also the units that are picked. */
  addOrder(order: Order): void {
    for (const item of stockEffectOf(order).promised) this.#add(item, { reserved: item.quantity });
    if (order.status === "Processing")
      for (const pick of order.picks) this.#add(pick, { picked: pick.quantity });
  }

  /** A hold claims its units until it is removed, also after its time. */
  addHold({ goods, quantity }: Pick<Hold, "goods" | "quantity">): void {
    for (const part of goods) {
      const units = part.quantity * quantity;
      this.#add(part, { reserved: units, held: units });
    }
  }

  addReplenishment(announced: {
    readonly distribution_center_id: number;
    readonly items: readonly InboundLine[];
  }): void {
    const { distribution_center_id, items } = announced;
    for (const line of items)
      this.#add({ product_id: line.product_id, distribution_center_id }, { incoming: remainingOf(line) });
  }

  #add({ product_id, distribution_center_id }: Place, more: Partial<Claims>): void {
    const before = this.at({ product_id, distribution_center_id });
    const centers = this.#sums.get(product_id) ?? new Map<number, Place & Claims>();
    this.#sums.set(product_id, centers);
    centers.set(distribution_center_id, {
      product_id,
      distribution_center_id,
      reserved: before.reserved + (more.reserved ?? 0),
      held: before.held + (more.held ?? 0),
      picked: before.picked + (more.picked ?? 0),
      incoming: before.incoming + (more.incoming ?? 0),
    });
  }
}

/** What is stored about a product in a center, in units. */
export interface Booked {
  /** The stock record with its shards. */
  readonly level: StockUnits & Pick<StockLevel, "held">;
  /** The content of the center's bins. */
  readonly binned: number;
  /** The sum of the movements. */
  readonly moved: Pick<StockUnits, "on_hand" | "reserved">;
}

/** The figures of a level, with the units that are held. */
export type Figures = StockUnits & { readonly held: number };

/** What a level should be: goods are in bins or picked, and claims are counted one by one. */
export const expectedLevel = (binned: number, { picked, reserved, held, incoming }: Claims): Figures => ({
  on_hand: binned + picked,
  reserved,
  held,
  incoming,
});

/** A figure of a level, as its sources state it. Held and incoming units have no movements. */
export interface Figure {
  readonly name: keyof Figures;
  readonly level: number;
  readonly moved?: number;
  /** What bins and open records say. */
  readonly expected: number;
}

export function figuresOf({ level, binned, moved }: Booked, claims: Claims): readonly Figure[] {
  const expected = expectedLevel(binned, claims);
  return [
    { name: "on_hand", level: level.on_hand, moved: moved.on_hand, expected: expected.on_hand },
    { name: "reserved", level: level.reserved, moved: moved.reserved, expected: expected.reserved },
    { name: "held", level: level.held ?? 0, expected: expected.held },
    { name: "incoming", level: level.incoming, expected: expected.incoming },
  ];
}

/**
 * Whether a repair may set a figure to what is expected. It lowers what is stored only if two sources agree
 * on the lower figure: if stock and movements state more than bins and open records, a bin or a record may be
 * lost. An order names what it claims, so a reservation is lowered unless movements name a lost order. Holds
 * are short-lived, so what a lost one held is given back.
 */
export const isConfirmed = (
  { name, level, moved = level, expected }: Figure,
  { areOrdersLost }: { readonly areOrdersLost: boolean },
): boolean =>
  name === "held" ||
  (name !== "incoming" && (expected === level || expected === moved)) ||
  (expected >= level && expected >= moved) ||
  (name === "reserved" && !areOrdersLost);
