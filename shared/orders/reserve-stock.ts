/** Reserves stock for orders as their clients request: without limit, or only if enough is available. */
import { conflictAt, type Decision, type FieldError, invalidAt } from "../common/problem.ts";
import type { Hold } from "../stock/holds/hold.ts";
import {
  type StockChange,
  type StockKey,
  stockChanges,
  stockEntriesOf,
  stockKeyText,
} from "../stock/stock.ts";
import { changeHeldStock, changeStock } from "../stock/stock-repository.ts";
import { type Shortage, type Supply, shortMessage, withSupply } from "../stock/supply.ts";
import type { Plan } from "../store/bulk/bulk.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { transactionLimit, untilFresh } from "../store/dynamodb/transact.ts";
import { type Write, withEffects } from "../store/dynamodb/writes.ts";
import { type Order, type OrderItem, stockEffectOf } from "./order.ts";
import { isOfLine, type Reserving, readHolds, useHolds } from "./order-holds.ts";
import { type OrderRecord, presentOrder } from "./order-view.ts";

/**
 * Plans the orders of a call: each with the reservation of its stock, or why it is rejected. Reads holds if
 * items name some, and stock if orders are to be rejected when stock is short. A `problem` among `orders`
 * stays in its place.
 */
export const planOrders = (
  db: Database,
  accountId: number,
  orders: readonly Decision<Reserving>[],
): Promise<readonly Plan<OrderRecord>[]> =>
  untilFresh(db, async () => {
    const changed = orders.flatMap((order) => ("after" in order && !staysAsItIs(order) ? [order] : []));
    const refusing = changed.filter(({ reservation }) => reservation?.if_short === "refuse");
    const holds = await readHolds(db, accountId, changed);
    const keys = refusing.flatMap(({ after }) => after.items);
    return withSupply(db, keys, (supply) =>
      orders.map((order): Plan<OrderRecord> => {
        if ("problem" in order) return order;
        const planned = staysAsItIs(order) ? noReservation : planReservation(order, holds, supply);
        if ("problem" in planned) return planned;
        supply.note(planned.changes);
        for (const hold of planned.holdsLeft)
          if (hold.quantity > 0) holds.set(hold.hold_id, hold);
          else holds.delete(hold.hold_id);
        return { result: presentOrder(order.after), writes: withEffects(order.writes, planned.writes) };
      }),
    );
  });

/** An order that stays as it is reserves nothing. */
const staysAsItIs = ({ before, after }: Reserving): boolean => before?.version === after.version;

/** What storing an order takes: writes, changes of stock, and what remains of the holds. */
interface Reservation {
  readonly writes: readonly Write[];
  readonly changes: readonly StockChange[];
  readonly holdsLeft: readonly Hold[];
}

const noReservation: Reservation = { writes: [], changes: [], holdsLeft: [] };

/** Decides on an order by what earlier ones leave of holds and supply. Takes nothing of either yet. */
function planReservation(
  order: Reserving,
  holds: ReadonlyMap<string, Hold>,
  supply: Supply,
): Decision<Reservation> {
  const { before, after, reservation, cause, path } = order;
  const changes = stockChanges(before === undefined ? [] : stockEffectOf(before), stockEffectOf(after));
  const used = useHolds(order, changes, holds);
  if ("problem" in used) return used;
  const { parts, left: holdsLeft } = used;
  // Stock may be short even if the order reserves no more of it than before.
  const guarded = reservation?.if_short === "refuse" ? after.items.map(noChange) : [];
  if (guarded.length === 0 && parts.length === 0)
    return { writes: changeStock(changes, cause), changes, holdsLeft };
  const entries = stockEntriesOf([
    ...[...guarded, ...changes].map((change) => ({ change, held: 0, cause })),
    ...parts,
  ]);
  const guardedKeys = new Set(guarded.map(stockKeyText));
  const isGuarded = (entry: StockKey) => guardedKeys.has(stockKeyText(entry));
  const reserved = supply.reserve(entries.filter(isGuarded));
  if ("short" in reserved) return { problem: conflictAt(shortLines(order, reserved.short)) };
  const unguarded = changeHeldStock(entries.filter((entry) => !isGuarded(entry)));
  const writes = [...used.writes, ...reserved.writes(), ...unguarded];
  // A saga checks conditions in its first transaction but reserves in its last. So an order whose stock has
  // conditions must fit one transaction, with one more item for the receipt of an Idempotency-Key.
  const needed = order.writes.length + writes.length + 1;
  if (needed <= transactionLimit) return { writes, changes: entries, holdsLeft };
  const message = `have too many products to reserve at once, as hold_id or if_short "refuse" requires: ${needed} writes, of at most ${transactionLimit}`;
  return { problem: invalidAt([{ path: `${path}.items`, message }]) };
}

const noChange = ({ product_id, distribution_center_id }: StockKey): StockChange => ({
  product_id,
  distribution_center_id,
  on_hand: 0,
  reserved: 0,
});

/** The short lines of a request, with what is available to the order including what it has already. */
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
