/**
 * Sums by product and distribution center, which come to 0 if stock is right (`balance.ts`). With them, each
 * table is read once, and items may come in any order.
 */

import { unitsIn } from "../../../../shared/stock/bins/layers.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { blockOf } from "../../../../shared/store/lists/block-list.ts";
import { productList } from "../../../../shared/store/lists/definitions.ts";
import type { ClaimSums } from "./balance.ts";
import { expectedIn } from "./book-repairs.ts";
import { movementIn } from "./movement-sums.ts";
import type { BookedBin } from "./stock-books.ts";

/** The figures of a sum. Goods are in bins or picked; claims and movements are counted one by one. */
const figures = ["on_hand", "reserved", "incoming", "moved_on_hand", "moved_reserved", "weeks"] as const;
type Sums = Readonly<Partial<Record<(typeof figures)[number], number>>>;

const width = figures.length;
const { blockSize } = productList;

/** Flags of a product. */
const known = { isThere: 1, hasStock: 2, isWrong: 4 } as const;

interface BlockSums {
  readonly marks: Uint8Array;
  /** By center id. */
  readonly centers: Map<number, Float64Array>;
}

/** A different factor for each week, so that errors of two weeks do not cancel out. */
const weighted = (week: number): number => (week * 2_654_435_761) % 2 ** 31;

/** Adds up stock, and what explains it. It uses 48 bytes for each product and center. */
export class StockSums {
  readonly #blocks = new Map<number, BlockSums>();

  addProduct = (productId: number): void => this.#mark(productId, known.isThere);

  /** Adds a stock record, or a shard of one. */
  addStock(item: RawItem): void {
    const [product, center] = String(item["sk"]).split("#").map(Number);
    if (product === undefined || center === undefined) return;
    if (item["cell"] !== undefined) this.#mark(product, known.hasStock);
    const units = (name: string): number => (typeof item[name] === "number" ? item[name] : 0);
    const [on_hand, reserved] = [units("on_hand"), units("reserved")];
    this.#add(product, center, {
      on_hand,
      reserved,
      incoming: units("incoming"),
      moved_on_hand: on_hand,
      moved_reserved: reserved,
      weeks: weeksOf([item]).reduce((sum, [week, count]) => sum + weighted(week) * count, 0),
    });
  }

  addBin(bin: BookedBin): void {
    const { product_id, distribution_center_id, quantity, expected, layers } = bin.content;
    this.#add(product_id, distribution_center_id, { on_hand: -quantity });
    const isRight = quantity >= 0 && expected === expectedIn(bin) && unitsIn(layers) <= quantity;
    if (!isRight) this.#mark(product_id, known.isWrong);
  }

  /** Adds a movement. The product of an unreadable one is known from its partition. */
  addMovement(item: RawItem): void {
    const moved = movementIn(item);
    if (moved === undefined) this.#mark(Number(String(item["pk"]).split("#")[1]), known.isWrong);
    else
      this.#add(moved.product_id, moved.distribution_center_id, {
        moved_on_hand: -moved.on_hand,
        moved_reserved: -moved.reserved,
        weeks: -weighted(moved.week),
      });
  }

  addClaims(claims: ClaimSums): void {
    for (const { product_id, distribution_center_id, reserved, picked, incoming } of claims.places())
      this.#add(product_id, distribution_center_id, {
        on_hand: -picked,
        reserved: -reserved,
        incoming: -incoming,
      });
  }

  /** The products that have a product or stock record, and that seem to be wrong. */
  *suspects(): Generator<number, void> {
    const complete = known.isThere | known.hasStock;
    for (const { productId, mark, isBalanced } of this.#all())
      if (mark !== 0 && !(isBalanced && mark === complete)) yield productId;
  }

  /** The products that have bins, movements or claims, but neither a product nor a stock record. */
  *orphans(): Generator<number, void> {
    for (const { productId, mark, isBalanced } of this.#all()) if (mark === 0 && !isBalanced) yield productId;
  }

  *#all() {
    for (const [block, { marks, centers }] of this.#blocks)
      for (let position = 0; position < blockSize; position += 1) {
        const isBalanced = [...centers.values()].every((sums) =>
          figures.every((_, figure) => sums[position * width + figure] === 0),
        );
        yield { productId: block * blockSize + position, mark: marks[position] ?? 0, isBalanced };
      }
  }

  #at(productId: number): BlockSums {
    const block = blockOf(productList, productId);
    const sums = this.#blocks.get(block) ?? { marks: new Uint8Array(blockSize), centers: new Map() };
    this.#blocks.set(block, sums);
    return sums;
  }

  #mark(productId: number, mark: number): void {
    const { marks } = this.#at(productId);
    const position = productId % blockSize;
    marks[position] = (marks[position] ?? 0) | mark;
  }

  #add(productId: number, center: number, more: Sums): void {
    const { centers } = this.#at(productId);
    const sums = centers.get(center) ?? new Float64Array(blockSize * width);
    centers.set(center, sums);
    const begin = (productId % blockSize) * width;
    for (const [position, name] of figures.entries())
      sums[begin + position] = (sums[begin + position] ?? 0) + (more[name] ?? 0);
  }
}
