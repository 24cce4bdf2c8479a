/**
 * Stock: how many units of a product each distribution center has.
 *
 * A stock record holds the level of one product in one center: units on hand, reserved for open orders, and
 * incoming. A frequently written record is sharded. Every change of `on_hand` or `reserved` writes a movement
 * (`movements/`) in the same transaction, which states the reason, the actor and the time. Incoming units
 * have no movements. What changes stock answers the writes:
 *
 *   changeStock        of stock that is open: `stock-repository.ts`
 *   changeHeldStock    the same, if held units change, too
 *   moveStock          units on hand, of stock that may have to be opened: `open-stock.ts`
 *   supply.reserve     reserves on the condition that enough is left: `supply.ts`
 *   changeIncoming     units that replenishments are still to bring: `incoming-stock.ts`
 *
 * What reads it, with all shards: `stock-levels.ts`; without holds that have ended: `holds/current-stock.ts`;
 * at a past moment: `past/`; by the names that clients send: `find-stock.ts`; as clients list it: `listing/`.
 *
 * `bins/` holds the contents of the warehouse's bins, by lot and day of arrival, and the sequence in which
 * goods are picked. `recount/` corrects bin quantities through queued jobs. Kits have no stock of their own:
 * their components limit how many can be built (`kit-stock.ts`).
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Cause } from "./movements/movement.ts";

/** Stock of a product in one distribution center, in units. */
export const stockLevel = z.object({
  account_id: primitive.int,
  product_id: primitive.int,
  sku: primitive.text,
  distribution_center_id: primitive.int,
  distribution_center: primitive.text,
  /** Units in the bins, and units that are picked but not yet shipped. */
  on_hand: primitive.int,
  /** Units promised to open orders. */
  reserved: primitive.int,
  /** Announced units of replenishments that are not put away yet. */
  incoming: primitive.int,
  /** The part of the reserved units that is held, and how often a hold ended or was used; see `holds/`. */
  held: z.optional(primitive.int),
  holds_ended: z.optional(primitive.int),
});
export type StockLevel = z.output<typeof stockLevel>;

/** The quantities of a stock level. */
export const stockUnits = z.pick(stockLevel, { on_hand: true, reserved: true, incoming: true });
export type StockUnits = z.output<typeof stockUnits>;

/** Units that can still be promised; negative if there is a backorder. */
export const available = ({ on_hand, reserved }: Pick<StockLevel, "on_hand" | "reserved">): number =>
  on_hand - reserved;

/** A product in a distribution center, which need not keep it. */
export type StockKey = Pick<StockLevel, "product_id" | "distribution_center_id">;

/** Identifies a product in a center: a key of maps. */
export const stockKeyText = ({ product_id, distribution_center_id }: StockKey): string =>
  `${product_id}@${distribution_center_id}`;

/** A change of a product's stock in one distribution center, in units. */
export interface StockChange extends StockKey {
  readonly on_hand: number;
  readonly reserved: number;
}

/** The sum of changes of one stock level. There is at least one. */
const sumOf = (changes: readonly StockChange[]): StockChange =>
  changes.reduce((sum, one) => ({
    ...one,
    on_hand: sum.on_hand + one.on_hand,
    reserved: sum.reserved + one.reserved,
  }));

const isMove = ({ on_hand, reserved }: StockChange): boolean => on_hand !== 0 || reserved !== 0;

/**
 * The stock changes when an order's effect on stock turns from `before` to `after`: one entry for each
 * product and distribution center whose stock changes.
 */
export function stockChanges(
  before: readonly StockChange[],
  after: readonly StockChange[],
): readonly StockChange[] {
  const undone = before.map((one) => ({ ...one, on_hand: 0 - one.on_hand, reserved: 0 - one.reserved }));
  return [...Map.groupBy([...undone, ...after], stockKeyText).values()].map(sumOf).filter(isMove);
}

/** What changes in a stock level, why, and how many of the reserved units are held. */
export interface StockPart {
  readonly change: StockChange;
  readonly held: number;
  readonly cause: Cause;
}

/** All that a transaction changes in a stock level. Each part that moves something is a movement. */
export interface StockEntry extends StockChange {
  readonly held: number;
  readonly moves: readonly StockPart[];
}

/** The entries of a transaction, one for each stock level, at the position of its first part. */
export const stockEntriesOf = (parts: readonly StockPart[]): readonly StockEntry[] =>
  [...Map.groupBy(parts, ({ change }) => stockKeyText(change)).values()].map((own) => ({
    ...sumOf(own.map(({ change }) => change)),
    held: own.reduce((sum, { held }) => sum + held, 0),
    moves: own.filter(({ change }) => isMove(change)),
  }));
