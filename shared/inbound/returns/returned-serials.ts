import { invalidAt } from "../../common/problem.ts";
import { findAnyOrder } from "../../orders/storage/order-repository.ts";
import { serial } from "../../serials/serial.ts";
import { pickedUnits, returnedSerialErrors, type SerialPick } from "../../serials/serial-picks.ts";
import { freeSerials, serialLookup } from "../../serials/serial-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems, parsed } from "../../store/dynamodb/reads.ts";
import type { Write } from "../../store/dynamodb/writes.ts";

/**
 * The writes that let the serials of returned units be picked again, as the units can be. One round trip.
 * Units of a replenishment (`orderId` undefined) were never picked, so no serials are named for them.
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
  const errors = returnedSerialErrors(units, orderId, picked, (productId, text) =>
    parsed(serial, find(serialLookup(productId, text))),
  );
  if (errors.length > 0) throw invalidAt(errors);
  return freeSerials(product_id, serials, orderId);
}
