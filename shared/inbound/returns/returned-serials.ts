import { invalidAt } from "../../common/problem.ts";
import type { Order } from "../../orders/order.ts";
import { orderLookup, orders } from "../../orders/storage/order-repository.ts";
import { maxPicksAndSerials } from "../../picking/picking.ts";
import { serial } from "../../serials/serial.ts";
import { pickedUnits, returnedSerialErrors, type SerialPick } from "../../serials/serial-picks.ts";
import { freeSerials, serialLookup, serialsOut } from "../../serials/serial-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import { unchanged, type Write } from "../../store/dynamodb/writes.ts";
import { anyOwner } from "../../store/lists/repository.ts";
import { remainingOf, unitsByProduct } from "../inbound.ts";
import { returnList, returns, returnsOfOrder } from "../inbound-repository.ts";
import type { OrderReturn } from "./return.ts";

/**
 * The writes that allow the serials of returned units to be picked again, as the units can be. One round
 * trip, and three more if some of the order's units were picked with serials and some without, and some of
 * these units have none. Units of a replenishment (`from` undefined) were never picked, so no serials are
 * named for them.
 * @throws Problem `invalid` if serials are missing, belong to other units, or are named for units without
 * serials
 */
export async function returnedSerials(
  db: Database,
  from: OrderReturn | undefined,
  units: SerialPick,
): Promise<readonly Write[]> {
  const { product_id, serials = [] } = units;
  if (from === undefined) {
    if (units.serials === undefined) return [];
    throw invalidAt([{ path: "serials", message: "must be left out: they are named for returns only" }]);
  }
  const { order_id } = from;
  const [find, order] = await Promise.all([
    getItems(
      db,
      serials.map((text) => serialLookup(product_id, text)),
    ),
    orders.find(db, anyOwner, order_id),
  ]);
  const { picks = [], version = 0 } = order?.record ?? {};
  const picked = pickedUnits(picks, product_id);
  const isMixed = picked.withSerials > 0 && picked.without > 0;
  const room = maxPicksAndSerials - serials.length;
  const out =
    isMixed && serials.length < units.quantity
      ? await unitsOutWithout(db, from, { picks, version }, product_id, room)
      : undefined;
  const without = out?.units ?? picked.without;
  const errors = returnedSerialErrors(units, order_id, { ...picked, without }, (productId, text) =>
    parsed(serial, find(serialLookup(productId, text))),
  );
  if (errors.length > 0) throw invalidAt(errors);
  return [...freeSerials(product_id, serials, order_id), ...(out?.conditions ?? [])];
}

/**
 * Counts the units of a product that an order was picked without serials and that are not put away again: all
 * units still out, minus the serials still out. By `conditions`, the put-away is stale if a unit of another
 * return of the order is put away meanwhile: of the returns that were read, or of one that the order has been
 * given since. The serials are read last, so that such a put-away never lowers the count. A transaction has
 * `room` for that many returns; put-aways of further ones are not noticed.
 */
async function unitsOutWithout(
  db: Database,
  from: OrderReturn,
  { picks, version }: Pick<Order, "picks" | "version">,
  productId: number,
  room: number,
): Promise<{ readonly units: number; readonly conditions: readonly Write[] }> {
  const { order_id, return_id } = from;
  const found = (await returnsOfOrder(db, from)).map(({ record }) => record);
  const ofProduct = picks.filter(({ product_id }) => product_id === productId);
  const { length: withSerials } = await serialsOut(db, order_id, ofProduct);
  const picked = ofProduct.reduce((sum, { quantity }) => sum + quantity, 0);
  const lines = found.flatMap(({ items }) => items);
  const putAway = unitsByProduct(lines, ({ put_away }) => put_away).get(productId) ?? 0;
  const open = found.filter(
    (other) =>
      other.return_id !== return_id &&
      other.items.some((line) => line.product_id === productId && remainingOf(line) > 0),
  );
  return {
    units: Math.max(0, picked - putAway - withSerials),
    conditions: [
      unchanged(orderLookup(order_id), { version }),
      ...open
        .slice(0, room)
        .map((other) =>
          unchanged({ table: returnList.table, key: returns.keyOf(other) }, { version: other.version }),
        ),
    ],
  };
}
