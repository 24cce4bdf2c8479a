/**
 * Inbound goods: replenishments announce goods that are to come to a distribution center, returns bring goods
 * of shipped orders back (docs/decisions.md, Replenishments and returns). Both are inbound records: lines
 * with units that are put away bit by bit, and a status that becomes Received once nothing is left. Several
 * lines of one product fill one after another, in their order.
 *
 * This file has the rules that both share, `put-away.ts` the one flow that puts goods of either into bins,
 * `inbound-repository.ts` how they are stored, `inbound-view.ts` how clients see them. `replenishments/` and
 * `returns/` have what differs: a replenishment counts as incoming stock and may be changed, a return is
 * noted in its order.
 */

import * as z from "zod/mini";
import { distribute } from "../common/distribute.ts";
import * as primitive from "../common/primitives.ts";
import { nextVersion, type Versioned } from "../common/versioned.ts";

/** A record is Received once nothing is left to put away. */
export const inboundStatuses = ["Pending", "Received"] as const;
export const inboundStatus = z.enum(inboundStatuses);
export type InboundStatus = z.output<typeof inboundStatus>;

/** Announced units of one product. */
export const inboundLine = z.object({
  sku: primitive.text,
  product_id: primitive.int,
  quantity: primitive.int,
  /** How many of the units were put into bins. */
  put_away: primitive.int,
});
export type InboundLine = z.output<typeof inboundLine>;

/** Maximum lines of one record: as many as an order has items. */
export const maxLines = 500;

/** Units not put away yet. */
export const remainingOf = ({ quantity, put_away }: Pick<InboundLine, "quantity" | "put_away">): number =>
  quantity - put_away;

export const statusOf = (lines: readonly InboundLine[]): InboundStatus =>
  lines.every((line) => remainingOf(line) === 0) ? "Received" : "Pending";

/** The sum of `unitsOf` over the lines of each product, by product id. */
export function unitsByProduct<T extends { readonly product_id: number }>(
  lines: readonly T[],
  unitsOf: (line: T) => number,
): ReadonlyMap<number, number> {
  const units = new Map<number, number>();
  for (const line of lines) {
    units.set(line.product_id, (units.get(line.product_id) ?? 0) + unitsOf(line));
  }
  return units;
}

/** The lines after `units` more of a product are put away. At least as many must remain. */
export function withPutAway<T extends InboundLine>(
  lines: readonly T[],
  productId: number,
  units: number,
): T[] {
  const rooms = lines.map((line) => (line.product_id === productId ? remainingOf(line) : 0));
  const taken = distribute(rooms, units);
  return lines.map((line, position) => ({ ...line, put_away: line.put_away + (taken[position] ?? 0) }));
}

/** The fields that replenishments and returns share. */
export interface InboundRecord extends Versioned {
  readonly status: InboundStatus;
  readonly items: InboundLine[];
}

/** The record with changed lines. It is Received if nothing remains of any line. */
export const withLines = <T extends InboundRecord>(before: T, items: T["items"], at: string): T => ({
  ...before,
  ...nextVersion<InboundRecord>(before, { items, status: statusOf(items) }, at),
});

/** New lines in place of `before`. Units already put away stay: they fill the product's lines in order. */
export function reapplyPutAway(before: readonly InboundLine[], lines: readonly InboundLine[]): InboundLine[] {
  let filled = lines.map((line) => ({ ...line, put_away: 0 }));
  for (const [productId, units] of unitsByProduct(before, ({ put_away }) => put_away)) {
    filled = withPutAway(filled, productId, units);
  }
  return filled;
}

/** The products of which `lines` announce fewer units than `before` had put away. */
export function shortfalls(
  before: readonly InboundLine[],
  lines: readonly InboundLine[],
): readonly { readonly sku: string; readonly quantity: number; readonly put_away: number }[] {
  const announced = unitsByProduct(lines, ({ quantity }) => quantity);
  const stored = unitsByProduct(before, ({ put_away }) => put_away);
  const products = new Map(before.map(({ product_id, sku }) => [product_id, sku]));
  return [...products].flatMap(([productId, sku]) => {
    const [quantity, put_away] = [announced.get(productId) ?? 0, stored.get(productId) ?? 0];
    return quantity < put_away ? [{ sku, quantity, put_away }] : [];
  });
}

const unitsPutAway = (lines: readonly Pick<InboundLine, "put_away">[]): number =>
  lines.reduce((sum, { put_away }) => sum + put_away, 0);

/** Whether more units are put away than before. */
export const hasReceived = (
  before: readonly Pick<InboundLine, "put_away">[],
  after: readonly Pick<InboundLine, "put_away">[],
): boolean => unitsPutAway(after) > unitsPutAway(before);
