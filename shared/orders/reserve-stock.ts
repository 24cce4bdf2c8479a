/** Reserves stock for orders as their clients ask: whatever is available, or refused if it is too little. */
import { conflictAt, type FieldError, invalidAt, type Problem } from "../common/problem.ts";
import {
  type Cause,
  noEffect,
  type StockChange,
  type StockPlace,
  stockChanges,
  stockPlaceKey,
} from "../stock/stock.ts";
import { changeStock } from "../stock/stock-repository.ts";
import { readSupply, type Shortage, type Supply } from "../stock/supply.ts";
import type { Plan } from "../store/bulk/bulk.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { transactionLimit } from "../store/dynamodb/transact.ts";
import type { Write } from "../store/dynamodb/writes.ts";
import { type Order, type OrderItem, stockEffectOf } from "./order.ts";
import type { OrderInput } from "./order-input.ts";
import { type OrderRecord, presentOrder } from "./order-view.ts";

/** What an order's client says of its reservation. */
export type ReservationTerms = Pick<OrderInput, "if_short" | "items">;

/** A new order, or one that replaces `before`, and how it reserves. */
interface Reserving {
  readonly before?: Order;
  readonly after: Order;
  readonly terms?: ReservationTerms | undefined;
  /** The writes of the order itself. */
  readonly writes: readonly Write[];
  readonly cause: Cause;
  /** The order's place in the request: `data.0`. */
  readonly path: string;
}

/**
 * Plans the orders of a call: each with the reservation of its stock, or why it is refused. Reads stock only
 * for orders that are refused if short. A `problem` among `orders` stays where it is.
 */
export async function reserveStock(
  db: Database,
  orders: readonly (Reserving | { readonly problem: Problem })[],
): Promise<readonly Plan<OrderRecord>[]> {
  const refusing = orders.flatMap((one) => ("after" in one && mayBeRefused(one) ? [one.after] : []));
  const supply = await readSupply(
    db,
    refusing.flatMap(({ items }) => items),
  );
  return orders.map((one): Plan<OrderRecord> => {
    if ("problem" in one) return one;
    const stock = mayBeRefused(one) ? refuseIfShort(one, supply) : backorder(one, supply);
    if ("problem" in stock) return stock;
    return { result: presentOrder(one.after), writes: [...one.writes, ...stock.writes] };
  });
}

/** An order that stays as it is reserves nothing. */
const mayBeRefused = ({ before, after, terms }: Reserving): boolean =>
  terms?.if_short === "refuse" && before?.version !== after.version;

const changesOf = ({ before, after }: Reserving): readonly StockChange[] =>
  stockChanges(before === undefined ? noEffect : stockEffectOf(before), stockEffectOf(after));

type Stock = { readonly writes: readonly Write[] } | { readonly problem: Problem };

function backorder(order: Reserving, supply: Supply): Stock {
  const changes = changesOf(order);
  supply.note(changes);
  return { writes: changeStock(changes, order.cause) };
}

function refuseIfShort(order: Reserving, supply: Supply): Stock {
  const { after, cause, path } = order;
  const changes = new Map(changesOf(order).map((change) => [stockPlaceKey(change), change]));
  const places = new Map(after.items.map((item) => [stockPlaceKey(item), item]));
  const kept = [...places].map(([key, place]) => changes.get(key) ?? unchanged(place));
  const given = [...changes].flatMap(([key, change]) => (places.has(key) ? [] : [change]));
  const { writes, short } = supply.take(kept, cause);
  if (short.length > 0) return { problem: conflictAt(shortLines(order, short)) };
  const stock = [...writes, ...changeStock(given, cause)];
  // A saga would decide before it reserves. One more item is for the receipt of an Idempotency-Key.
  if (stock.length + order.writes.length < transactionLimit) return { writes: stock };
  const message = "must be backorder for an order of so many products (about 45)";
  return { problem: invalidAt([{ path: `${path}.if_short`, message }]) };
}

/** A place of which an order reserves as much as before. It may be short nevertheless. */
const unchanged = ({ product_id, distribution_center_id }: StockPlace): StockChange => ({
  product_id,
  distribution_center_id,
  on_hand: 0,
  reserved: 0,
});

/** The lines of a request that are short, and what is available to the order beside what it has reserved. */
function shortLines({ before, after, terms, path }: Reserving, short: readonly Shortage[]) {
  const shortAt = new Map(short.map((one) => [stockPlaceKey(one), one]));
  return (terms?.items ?? []).flatMap((line, position): readonly FieldError[] => {
    const item = after.items.find((one) => isOfLine(one, line) && shortAt.has(stockPlaceKey(one)));
    const shortage = item === undefined ? undefined : shortAt.get(stockPlaceKey(item));
    if (item === undefined || shortage === undefined) return [];
    const left = Math.max(0, shortage.available + unitsOf(before, item));
    const message = `is short: ${left} of ${item.sku} available in ${shortage.distribution_center}, ${unitsOf(after, item)} wanted`;
    return [{ path: `${path}.items.${position}.quantity`, message }];
  });
}

type Line = ReservationTerms["items"][number];

/** Whether a line stands for an item: by its SKU, or by the alias or the kit that it names. */
const isOfLine = ({ sku, ordered_as }: OrderItem, line: Line): boolean =>
  (line.ordered_as ?? line.sku) === ordered_as && (line.sku === sku || line.sku === ordered_as);

/** Units of an item's product that an order reserves in the item's center. */
const unitsOf = (order: Order | undefined, item: OrderItem): number =>
  (order?.items ?? [])
    .filter((one) => stockPlaceKey(one) === stockPlaceKey(item))
    .reduce((sum, { quantity }) => sum + quantity, 0);
