/**
 * What must be true of stock (docs/decisions.md, Stock), stated once: which figures each item
 * states. In each place, the level must state of a figure what records claim of it, and what movements add up
 * to. Records are bins, open orders, holds and replenishments. Held and incoming units have no movements, and
 * only movements have weeks.
 */
import { remainingOf } from "../../../../shared/inbound/inbound.ts";
import type { Replenishment } from "../../../../shared/inbound/replenishments/replenishment.ts";
import { type Order, stockEffectOf } from "../../../../shared/orders/order.ts";
import type { BinContent } from "../../../../shared/stock/bins/bin-repository.ts";
import type { Hold } from "../../../../shared/stock/holds/hold.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import type { Movement } from "../../../../shared/stock/stock.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";

export interface Place {
  readonly product_id: number;
  readonly distribution_center_id: number;
}

export const figureNames = ["on_hand", "reserved", "held", "incoming"] as const;
export type FigureName = (typeof figureNames)[number];

type Source = "level" | "records" | "movements";

/** Units of a figure, or movements of a week, by one source. */
export interface Part extends Place {
  readonly figure: FigureName | `week ${number}`;
  readonly source: Source;
  readonly units: number;
}

/** The movements of a week are a figure, too. */
export const weekFigure = (week: number): `week ${number}` => `week ${week}`;

const partOf =
  ({ product_id, distribution_center_id }: Place, source: Source) =>
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
    ...weeksOf([item]).map(([week, count]) => part(weekFigure(week), count)),
  ];
}

export const partsOfMovement = (moved: Movement & { readonly week: number }): readonly Part[] => {
  const part = partOf(moved, "movements");
  return [part("on_hand", moved.on_hand), part("reserved", moved.reserved), part(weekFigure(moved.week), 1)];
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
export const partsOfHold = ({ goods, quantity }: Pick<Hold, "goods" | "quantity">): readonly Part[] =>
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

/** The units of a figure by each source. */
export type Units = Readonly<Record<Source, number>>;

const nothing: Units = { level: 0, records: 0, movements: 0 };

/** The sums of parts, by product, center and figure. */
export class StockSums {
  readonly #products = new Map<number, Map<number, Map<Part["figure"], Units>>>();

  add(parts: Iterable<Part>): void {
    for (const { product_id, distribution_center_id, figure, source, units } of parts) {
      const centers = this.#products.get(product_id) ?? new Map<number, Map<Part["figure"], Units>>();
      this.#products.set(product_id, centers);
      const figures = centers.get(distribution_center_id) ?? new Map<Part["figure"], Units>();
      centers.set(distribution_center_id, figures);
      const before = figures.get(figure) ?? nothing;
      figures.set(figure, { ...before, [source]: before[source] + units });
    }
  }

  /** The centers with anything of a product, in order. */
  centersOf = (productId: number): readonly number[] =>
    [...(this.#products.get(productId)?.keys() ?? [])].toSorted((left, right) => left - right);

  at = ({ product_id, distribution_center_id }: Place, figure: Part["figure"]): Units =>
    this.#products.get(product_id)?.get(distribution_center_id)?.get(figure) ?? nothing;

  /** What is known of a place, by figure. */
  figuresAt = ({ product_id, distribution_center_id }: Place): ReadonlyMap<Part["figure"], Units> =>
    this.#products.get(product_id)?.get(distribution_center_id) ?? new Map();
}

/** A figure of a level, as its sources state it. */
export interface Figure {
  readonly name: FigureName;
  readonly level: number;
  readonly moved?: number;
  /** What bins and open records say. */
  readonly expected: number;
}

/** The figures of a place, by the books of its product and what other records claim. */
export const figuresOf = (place: Place, books: StockSums, claims: StockSums): readonly Figure[] =>
  figureNames.map((name) => {
    const { level, records, movements } = books.at(place, name);
    const expected = records + claims.at(place, name).records;
    const hasMovements = name === "on_hand" || name === "reserved";
    return { name, level, expected, ...(hasMovements && { moved: movements }) };
  });

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
