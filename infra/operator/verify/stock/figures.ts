/**
 * What must be true of stock (docs/decisions.md, Stock), stated once: which figures each item states. In each
 * center, the level of a figure must equal what records claim and what movements add up to. Records are bins,
 * open orders, holds and replenishments.
 */
import { remainingOf } from "../../../../shared/inbound/inbound.ts";
import type { Replenishment } from "../../../../shared/inbound/replenishments/replenishment.ts";
import { type Order, stockEffectOf } from "../../../../shared/orders/order.ts";
import type { BinContent } from "../../../../shared/stock/bins/bin-repository.ts";
import type { Hold } from "../../../../shared/stock/holds/hold.ts";
import type { Movement } from "../../../../shared/stock/movements/movement.ts";
import { weekCounter } from "../../../../shared/stock/movements/movement-repository.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import type { StockKey } from "../../../../shared/stock/stock.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";

export const figureNames = ["on_hand", "reserved", "held", "incoming"] as const;
export type FigureName = (typeof figureNames)[number];

type Source = "level" | "records" | "movements";

/** Units of a figure, or movements of a week, by one source. */
export interface Part extends StockKey {
  /** The attribute of the stock record that holds it: one of the figures, or the counter of a week. */
  readonly figure: string;
  readonly source: Source;
  readonly units: number;
}

/** The sources with which the level must agree. Only on hand and reserved units have both. */
export function sourcesOf(figure: Part["figure"]): readonly Exclude<Source, "level">[] {
  if (!isUnits(figure)) return ["movements"];
  return figure === "held" || figure === "incoming" ? ["records"] : ["records", "movements"];
}

/** Whether a figure is of units. The others count the movements of a week. */
const isUnits = (figure: Part["figure"]): boolean => !figure.startsWith("week:");

const partOf =
  ({ product_id, distribution_center_id }: StockKey, source: Source) =>
  (figure: Part["figure"], units: number): Part => ({
    product_id,
    distribution_center_id,
    figure,
    source,
    units,
  });

/** A stock record or one of its shards. */
export function partsOfStock(item: RawItem): readonly Part[] {
  const [product_id = 0, distribution_center_id = 0] = String(item["sk"]).split("#").map(Number);
  const part = partOf({ product_id, distribution_center_id }, "level");
  return [
    ...figureNames.map((name) => part(name, Number(item[name] ?? 0))),
    ...weeksOf([item]).map(([week, count]) => part(weekCounter(week), count)),
  ];
}

export const partsOfMovement = (moved: Movement & { readonly week: number }): readonly Part[] => {
  const part = partOf(moved, "movements");
  return [part("on_hand", moved.on_hand), part("reserved", moved.reserved), part(weekCounter(moved.week), 1)];
};

export const partsOfBin = (content: BinContent): readonly Part[] => [
  partOf(content, "records")("on_hand", content.quantity),
];

/** An order claims its reserved units; a Processing order also the units that are picked and not shipped. */
export const partsOfOrder = (order: Order): readonly Part[] => [
  ...stockEffectOf(order)
    .filter(({ reserved }) => reserved !== 0)
    .map((effect) => partOf(effect, "records")("reserved", effect.reserved)),
  ...(order.status === "Processing" ? order.picks : []).map((pick) =>
    partOf(pick, "records")("on_hand", pick.quantity),
  ),
];

/** A hold claims its units until it is removed, also after its time. */
export const partsOfStoredHold = ({ goods, quantity }: Pick<Hold, "goods" | "quantity">): readonly Part[] =>
  goods.flatMap((one) => {
    const part = partOf(one, "records");
    const units = one.quantity * quantity;
    return [part("reserved", units), part("held", units)];
  });

/** Only a Pending replenishment claims anything. */
export const partsOfReplenishment = ({
  status,
  distribution_center_id,
  items,
}: Replenishment): readonly Part[] =>
  (status === "Pending" ? items : []).map((line) =>
    partOf({ product_id: line.product_id, distribution_center_id }, "records")("incoming", remainingOf(line)),
  );

export type Units = Readonly<Record<Source, number>>;

const nothing: Units = { level: 0, records: 0, movements: 0 };

type ProductSums = Record<number, Record<Part["figure"], Units>>;

export class StockSums {
  readonly #products = new Map<number, ProductSums>();

  add(parts: Iterable<Part>): void {
    for (const { product_id, distribution_center_id, figure, source, units } of parts) {
      const centers = this.#products.get(product_id) ?? {};
      this.#products.set(product_id, centers);
      centers[distribution_center_id] ??= {};
      const figures = centers[distribution_center_id];
      const before = figures[figure] ?? nothing;
      figures[figure] = { ...before, [source]: before[source] + units };
    }
  }

  of = (productId: number): Readonly<ProductSums> => this.#products.get(productId) ?? {};

  at = ({ product_id, distribution_center_id }: StockKey, figure: Part["figure"]): Units =>
    this.of(product_id)[distribution_center_id]?.[figure] ?? nothing;

  /** The centers with anything of a product, in order. A bin may be empty where the product has no stock. */
  centersOf = (productId: number): readonly number[] =>
    Object.entries(this.of(productId))
      .filter(([, figures]) => Object.values(figures).some((units) => Object.values(units).some(Boolean)))
      .map(([center]) => Number(center));
}

/** A figure of a level, as its sources state it. */
export interface Figure {
  readonly name: Part["figure"];
  readonly level: number;
  /** What movements add up to, if records say what is expected. */
  readonly moved?: number;
  /** What bins and open records say; of a week, its movements. */
  readonly expected: number;
}

/** The figures of a stock record, by the books of its product and what other records claim. */
export function figuresOf(stock: StockKey, books: StockSums, claims: StockSums): readonly Figure[] {
  const known = books.of(stock.product_id)[stock.distribution_center_id] ?? {};
  return [...new Set([...figureNames, ...Object.keys(known)])].map((name) => {
    const { level, records, movements } = books.at(stock, name);
    const [first, second] = sourcesOf(name);
    const expected = first === "records" ? records + claims.at(stock, name).records : movements;
    return { name, level, expected, ...(second !== undefined && { moved: movements }) };
  });
}

/**
 * Whether a repair may set a figure to what is expected. It lowers what is stored only if two sources agree
 * on the lower figure: if stock and movements state more than bins and open records, a bin or a record may be
 * lost. An order names what it claims, so a reservation is lowered unless movements name a lost order. Holds
 * are short-lived, so what a lost one held is given back. Counts follow from the movements.
 */
export const isConfirmed = (
  { name, level, moved = level, expected }: Figure,
  { areOrdersLost }: { readonly areOrdersLost: boolean },
): boolean =>
  name === "held" ||
  !isUnits(name) ||
  (name !== "incoming" && (expected === level || expected === moved)) ||
  (expected >= level && expected >= moved) ||
  (name === "reserved" && !areOrdersLost);
