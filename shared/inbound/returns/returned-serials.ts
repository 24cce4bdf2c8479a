import { invalidAt } from "../../common/problem.ts";
import type { Order } from "../../orders/order.ts";
import { findAnyOrder } from "../../orders/storage/order-repository.ts";
import { serial } from "../../serials/serial.ts";
import { pickedUnits, returnedSerialErrors, type SerialPick } from "../../serials/serial-picks.ts";
import { freeSerials, serialLookup } from "../../serials/serial-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { unitsByProduct } from "../inbound.ts";
import { returnedOrders, returns } from "../inbound-repository.ts";

/** Most returns of an order of which the put-aways are counted. */
const maxReturns = 1000;

/**
 * The writes that let the serials of returned units be picked again, as the units can be. One round trip, and
 * two more if some of the order's units were picked with serials and some without. Units of a replenishment
 * (`orderId` undefined) were never picked, so no serials are named for them.
 * @throws Problem `invalid` if serials are missing, not of these units, or named although there are none
 */
export async function returnedSerials(
  db: Database,
  orderId: number | undefined,
  units: SerialPick,
): Promise<readonly Write[]> {
  const { product_id, serials = [] } = units;
  if (orderId === undefined) {
    if (units.serials === undefined) return [];
    throw invalidAt([{ path: "serials", message: "must be left out: they are named for returns only" }]);
  }
  const [find, order] = await Promise.all([
    getItems(
      db,
      serials.map((text) => serialLookup(product_id, text)),
    ),
    findAnyOrder(db, orderId),
  ]);
  const picked = pickedUnits(order?.picks ?? [], product_id);
  const isMixed = picked.withSerials > 0 && picked.without > 0;
  const without =
    order !== undefined && isMixed ? await unitsOutWithout(db, order, product_id) : picked.without;
  const errors = returnedSerialErrors(units, orderId, { ...picked, without }, (productId, text) =>
    parsed(serial, find(serialLookup(productId, text))),
  );
  if (errors.length > 0) throw invalidAt(errors);
  return freeSerials(product_id, serials, orderId);
}

/**
 * Units of a product that an order was picked without serials, and that are not put away again: those that
 * are out, less the serials that are. Put-aways of two returns of the order at the same time don't see each
 * other.
 */
async function unitsOutWithout(
  db: Database,
  { account_id, order_id, picks }: Order,
  productId: number,
): Promise<number> {
  const ofProduct = picks.filter(({ product_id }) => product_id === productId);
  const lookups = ofProduct.flatMap(({ serials }) => serials).map((text) => serialLookup(productId, text));
  const wanted = [{ text: String(order_id), begins: false }];
  const [find, [ids = []]] = await Promise.all([
    getItems(db, lookups),
    returnedOrders.find(db, account_id, wanted, maxReturns),
  ]);
  const lines = [...(await returns.findAll(db, account_id, ids)).values()].flatMap(
    ({ record }) => record.items,
  );
  const picked = ofProduct.reduce((sum, { quantity }) => sum + quantity, 0);
  const putAway = unitsByProduct(lines, ({ put_away }) => put_away).get(productId) ?? 0;
  const serialsOut = lookups.filter((lookup) => parsed(serial, find(lookup))?.picked_for === order_id).length;
  return Math.max(0, picked - putAway - serialsOut);
}
