/** Reserves stock for orders as their clients ask: whatever is available, or refused if it is too little. */
import { conflictAt, type FieldError, invalidAt, type Problem } from "../common/problem.ts";
import { entriesOf, type StockChange, type StockKey, stockChanges, stockKeyText } from "../stock/stock.ts";
import { changeHeldStock, changeStock } from "../stock/stock-repository.ts";
import { readSupply, type Shortage, type Supply, shortMessage } from "../stock/supply.ts";
import type { Plan } from "../store/bulk/bulk.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { transactionLimit } from "../store/dynamodb/transact.ts";
import type { Write } from "../store/dynamodb/writes.ts";
import { type Order, type OrderItem, stockEffectOf } from "./order.ts";
import { type HoldsLeft, isOfLine, type Reserving, readHolds, useHolds } from "./order-holds.ts";
import { type OrderRecord, presentOrder } from "./order-view.ts";

/**
 * Plans the orders of a call: each with the reservation of its stock, or why it is refused. Reads holds if
 * items name some, and stock for orders that are refused if short. A `problem` among `orders` stays where it
 * is.
 */
export async function reserveStock(
  db: Database,
  accountId: number,
  orders: readonly (Reserving | { readonly problem: Problem })[],
): Promise<readonly Plan<OrderRecord>[]> {
  const changed = orders.flatMap((order) => ("after" in order && !staysAsItIs(order) ? [order] : []));
  const refusing = changed.filter(({ reservation }) => reservation?.if_short === "refuse");
  const holds = await readHolds(db, accountId, changed);
  const supply = await readSupply(
    db,
    refusing.flatMap(({ after }) => after.items),
  );
  return orders.map((order): Plan<OrderRecord> => {
    if ("problem" in order) return order;
    const stock = staysAsItIs(order) ? { writes: [] } : reserve(order, holds, supply);
    if ("problem" in stock) return stock;
    return { result: presentOrder(order.after), writes: [...order.writes, ...stock.writes] };
  });
}

/** An order that stays as it is reserves nothing. */
const staysAsItIs = ({ before, after }: Reserving): boolean => before?.version === after.version;

type Stock = { readonly writes: readonly Write[] } | { readonly problem: Problem };

/** Notes what an order takes of holds and supply last: an order that is refused takes nothing of either. */
function reserve(order: Reserving, holds: HoldsLeft, supply: Supply): Stock {
  const { before, after, reservation, cause, path, writes } = order;
  const changes = stockChanges(before === undefined ? [] : stockEffectOf(before), stockEffectOf(after));
  const used = useHolds(order, changes, holds);
  if ("problem" in used) return used;
  const isRefusing = reservation?.if_short === "refuse";
  if (!isRefusing && used.parts.length === 0) {
    supply.note(changes);
    return { writes: changeStock(changes, cause) };
  }
  const items = new Map(after.items.map((item) => [stockKeyText(item), item]));
  // Even stock of which it reserves no more than before may be short.
  const checked = isRefusing ? [...items.values()].map(noChange) : [];
  const entries = entriesOf([
    ...[...checked, ...changes].map((change) => ({ change, held: 0, cause })),
    ...used.parts,
  ]);
  const refusable = entries.filter((entry) => isRefusing && items.has(stockKeyText(entry)));
  const others = entries.filter((entry) => !refusable.includes(entry));
  const short = supply.shortOf(refusable);
  if (short.length > 0) return { problem: conflictAt(shortLines(order, short)) };
  const reserving = [...used.writes, ...supply.writesOf(refusable), ...changeHeldStock(others)];
  // A saga checks conditions in its first transaction but reserves in its last. So an order whose stock has
  // conditions must fit one transaction, with one more item for the receipt of an Idempotency-Key.
  if (writes.length + reserving.length >= transactionLimit) {
    const message =
      "has too many products: an order that uses holds, or whose if_short is refuse, can have about 45";
    return { problem: invalidAt([{ path: `${path}.items`, message }]) };
  }
  supply.note(entries);
  for (const held of used.left) holds.set(held.hold_id, held);
  return { writes: reserving };
}

/** A change that changes nothing. */
const noChange = ({ product_id, distribution_center_id }: StockKey): StockChange => ({
  product_id,
  distribution_center_id,
  on_hand: 0,
  reserved: 0,
});

/** The lines of a request that are short, and what is available to the order with what it has already. */
function shortLines({ after, reservation, path }: Reserving, short: readonly Shortage[]) {
  const shortAt = new Map(short.map((shortage) => [stockKeyText(shortage), shortage]));
  return (reservation?.items ?? []).flatMap((line, position): readonly FieldError[] => {
    const item = after.items.find((each) => isOfLine(each, line) && shortAt.has(stockKeyText(each)));
    const shortage = item === undefined ? undefined : shortAt.get(stockKeyText(item));
    if (item === undefined || shortage === undefined) return [];
    const message = shortMessage(shortage, item.sku, unitsOf(after, item));
    return [{ path: `${path}.items.${position}.quantity`, message }];
  });
}

/** Units of an item's product that an order reserves in the item's center. */
const unitsOf = ({ items }: Order, item: OrderItem): number =>
  items
    .filter((other) => stockKeyText(other) === stockKeyText(item))
    .reduce((sum, { quantity }) => sum + quantity, 0);
