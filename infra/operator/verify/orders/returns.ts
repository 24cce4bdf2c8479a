/** Holds what orders note as returned against their returns. More could come back than was sent, or less. */

import { nextVersion } from "../../../../shared/common/versioned.ts";
import { unitsByProduct } from "../../../../shared/inbound/inbound.ts";
import { returnedOrders, returns } from "../../../../shared/inbound/inbound-repository.ts";
import { noteReturned } from "../../../../shared/inbound/returns/return.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { orderLookup, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { saveOrder } from "../../../../shared/orders/storage/save-order.ts";
import { entryKinds } from "../../../../shared/schema/lookups.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";
import { orderList, returnList } from "../../../../shared/store/lists/definitions.ts";
import { maxFound } from "../../../../shared/store/lists/found.ts";
import { byHand, type Fault } from "../fault.ts";
import type { Verification } from "../finding.ts";
import { noCenters } from "../lookups/lookup-items.ts";
import { recordTakings } from "../lookups/lookup-sums.ts";
import { readTables } from "../reading.ts";
import { type Seen, verifyTwice } from "../twice.ts";
import type { ReturnSums } from "./return-sums.ts";

/** Verifies what comes back of orders. Where the sums do not fit, orders and returns are read once more. */
export async function verifyReturns(verification: Verification, sums: ReturnSums): Promise<void> {
  if (sums.fits) return;
  const suspects = new Set<number>();
  const kinds = entryKinds.filter(({ list }) => list === orderList || list === returnList);
  await readTables(
    verification,
    recordTakings(verification, kinds, noCenters, (_kind, { order, orderReturn }) => {
      const one = order ?? orderReturn;
      if (one !== undefined && sums.isUneven(one.order_id, one.items)) suspects.add(one.order_id);
    }),
  );
  await verifyTwice(verification, [...suspects], (orderId) => read(verification, orderId), titleOf);
}

/** Units of a product that an order notes as returned, and those that its returns announce. */
interface Units {
  readonly product_id: number;
  readonly actual: number;
  readonly expected: number;
}

const titleOf = (orderId: number): string => `order ${orderId}`;

/**
 * Reads an order, and its returns. A return that is there without its order is named as a record that refers to it. Nothing
 * is known of an order with more returns than are looked up.
 */
async function read({ db, repairer = "operator" }: Verification, orderId: number): Promise<Seen> {
  const item = await getItem(db, orderLookup(orderId));
  if (item === undefined) return { state: "gone", faults: [] };
  if (item[sagaAttribute] !== undefined) return "busy";
  const order = orders.parse(item);
  const wanted = { text: String(orderId), begins: false };
  const ids = await returnedOrders.find(db, order.account_id, wanted, maxFound);
  if (ids.length >= maxFound) return "unclear";
  const lines = [...(await returns.findAnyAll(db, ids)).values()].flatMap(({ items }) => items);
  const announced = unitsByProduct(lines, ({ quantity }) => quantity);
  const faults = faultsOf(order, announced, repairer);
  return { state: [order.version, ids.toSorted((left, right) => left - right)], faults };
}

/**
 * All products of an order are mended together, as one change of the order. Units that no return announces stay noted: they
 * may be of a return that is gone, and could be sent back once more without the note.
 */
function faultsOf(order: Order, announced: ReadonlyMap<number, number>, by: string): readonly Fault[] {
  const products = new Set([...announced.keys(), ...order.items.map(({ product_id }) => product_id)]);
  const noted = unitsByProduct(order.items, ({ returned }) => returned);
  const wrong = [...products].flatMap((product_id) => {
    const [actual, expected] = [noted.get(product_id) ?? 0, announced.get(product_id) ?? 0];
    return actual === expected ? [] : [{ product_id, actual, expected }];
  });
  const [unannounced, unnoted] = [wrong.filter(isTooMany), wrong.filter((one) => !isTooMany(one))];
  return [
    ...unannounced.map((one) => byHand(differenceOf(order, one))),
    ...(unnoted.length > 0 ? [noting(order, unnoted, by)] : []),
  ];
}

const isTooMany = ({ actual, expected }: Units): boolean => actual > expected;

const differenceOf = ({ order_id }: Order, { product_id, actual, expected }: Units) => ({
  record: titleOf(order_id),
  what: `returned units of product ${product_id}`,
  actual,
  expected,
});

/** What is wrong of the units that an order does not note, and the change that notes them. */
function noting(order: Order, unnoted: readonly Units[], by: string): Fault {
  const differences = unnoted.map((one) => differenceOf(order, one));
  const items = unnoted.reduce<Order["items"] | undefined>(
    (mended, { product_id, expected }) => mended && noteReturned(mended, product_id, expected),
    order.items,
  );
  if (items === undefined) return { differences };
  const after = nextVersion(order, { items }, new Date().toISOString());
  return { differences, writes: saveOrder(order, after, by) };
}
