import type { Order, OrderPick } from "../domain/orders/order.ts";
import { withAdded } from "../domain/stock/layers.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import type { Write } from "../store/writes.ts";
import { binContent, binContentLookup, changeContent, putBackUnits } from "./bins.ts";
import { parsed } from "./registries.ts";
import { freeSerials } from "./serials.ts";

/**
 * Puts back what was picked for the order, whatever has become of its bins since: the very lots and days of arrival that
 * were taken. Its serials can be picked again. One round trip, none where nothing is known of the goods.
 */
export async function putBackPicks(db: Database, { order_id, picks }: Order): Promise<readonly Write[]> {
  const lookup = ({ product_id, location, bin }: OrderPick) => binContentLookup(product_id, location, bin);
  const find = await getItems(db, picks.filter(isKnown).map(lookup));
  return picks.flatMap((pick) => {
    const found = parsed(binContent, find(lookup(pick)));
    return [
      found === undefined
        ? putBackUnits(pick)
        : changeContent(found, withAdded(found, pick.quantity, pick.layers)),
      ...freeSerials(pick.product_id, pick.serials, order_id),
    ];
  });
}

const isKnown = ({ layers }: OrderPick): boolean => layers.length > 0;
