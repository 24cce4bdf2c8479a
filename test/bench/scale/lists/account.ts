/**
 * An account whose orders are known without being stored: which facet key and which day each order has.
 * Blocks repeat some shapes, so that the counts of a hundred thousand blocks are soon made.
 */

import { type OrderStatus, statusIds } from "../../../../shared/orders/order.ts";
import { orderFacets, orderList } from "../../../../shared/orders/storage/order-repository.ts";
import type { FacetKey } from "../../../../shared/store/lists/facets.ts";
import { randomFrom, whole } from "../../../support/http/random.ts";

/** What lists filter an order by. */
export interface Facets {
  readonly status: OrderStatus;
  readonly store: number;
  readonly type: number;
}

/** An account with `blocks` full blocks of orders. The last one is that which new orders go to. */
export interface Account {
  readonly name: string;
  readonly accountId: number;
  /** Blocks are numbered over the whole deployment; the account has those from here on. */
  readonly firstBlock: number;
  readonly blocks: number;
  readonly shapes: readonly Shape[];
  /** The orders that got a rare status since their blocks were rolled up, by block. */
  readonly moved: ReadonlyMap<number, Move>;
}

/** One order of a block that moved to another facet key. */
export interface Move {
  readonly position: number;
  readonly to: Facets;
}

/** The orders of a block, by their positions. */
export type Shape = readonly Facets[];

export const { blockSize } = orderList;

/** Different shapes: a prime, so that sums of 80 blocks differ as well. */
const shapeCount = 127;

/** A facet key of which one block in fifty has one order. */
export const rare: Facets = { status: "Processing", store: 1, type: 1 };
const [rareEvery, rarePosition] = [50, 200];

/** How many of a hundred orders are Cancelled, and how many Pending or Processing. The others are Shipped. */
const [cancelled, open] = [10, 2];

const isSame = (left: Facets, right: Facets): boolean => facetKeyOf(left) === facetKeyOf(right);

export const facetKeyOf = ({ status, store, type }: Facets): FacetKey =>
  orderFacets.key({ status: statusIds[status], store, type, warehouse: 1 });

/** Orders that are spread over so many stores and types. */
export const shapesOf = (stores: number, types: number): readonly Shape[] =>
  Array.from({ length: shapeCount }, (_, number) => {
    const random = randomFrom(number);
    return Array.from({ length: blockSize }, (_order, position): Facets => {
      const facets = {
        status: statusFor(random),
        store: whole(random, 1, stores),
        type: whole(random, 1, types),
      };
      if (number % rareEvery === 0 && position === rarePosition) return rare;
      return isSame(facets, rare) ? { ...facets, status: "Shipped" } : facets;
    });
  });

function statusFor(random: () => number): OrderStatus {
  const dice = whole(random, 1, 100);
  if (dice <= open) return dice === 1 ? "Pending" : "Processing";
  return dice <= open + cancelled ? "Cancelled" : "Shipped";
}

/** So many blocks, evenly spread, of each of which one Shipped order was cancelled since. */
export function movesIn(blocks: number, shapes: readonly Shape[], count: number): Account["moved"] {
  const every = Math.max(1, Math.floor((blocks - 1) / count));
  const chosen = Array.from({ length: Math.min(count, blocks - 1) }, (_, number) => number * every);
  return new Map(
    chosen.map((block) => {
      const shape = shapes[block % shapes.length] ?? [];
      const position = shape.findIndex(({ status }, at) => status === "Shipped" && at > block % 320);
      return [block, { position, to: { ...(shape[position] ?? rare), status: "Cancelled" as const } }];
    }),
  );
}

/** The orders of a block (from 0) as its node counts them. */
export const foldedShape = ({ shapes }: Account, block: number): Shape => shapes[block % shapes.length] ?? [];

/** The orders of a block as they are. */
export function shapeOf(account: Account, block: number): Shape {
  const move = account.moved.get(block);
  const shape = foldedShape(account, block);
  return move === undefined ? shape : shape.with(move.position, move.to);
}

export const orderIdOf = ({ firstBlock }: Account, block: number, position: number): number =>
  (firstBlock + block) * blockSize + position;

/** Orders came evenly over three years. */
const [begin, end] = [Date.UTC(2023, 0, 1), Date.UTC(2026, 0, 1)];

/** When an order was created, ISO 8601. */
export const timeOf = ({ blocks }: Account, block: number, position: number): string =>
  new Date(
    begin + Math.floor(((end - begin) * (block * blockSize + position)) / (blocks * blockSize)),
  ).toISOString();
