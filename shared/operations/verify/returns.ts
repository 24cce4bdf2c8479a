/** Holds what orders note as returned against their returns. More could come back than was sent, or less. */
import { entryKinds, type Known } from "../../data/entries.ts";
import { returnedOrders, returns } from "../../data/inbound.ts";
import { findAnyOrder, saveOrder } from "../../data/orders.ts";
import { unitsByProduct } from "../../domain/inbound/inbound.ts";
import { noteReturned } from "../../domain/inbound/return.ts";
import type { Order } from "../../domain/orders/order.ts";
import { revised } from "../../domain/revision.ts";
import { orderList, returnList } from "../../store/lists/definitions.ts";
import { mostFound } from "../../store/lists/found.ts";
import { readable } from "./entry-items.ts";
import type { Fault } from "./fault.ts";
import { isMeant, type Verification } from "./finding.ts";
import { readTables } from "./reading.ts";
import type { ReturnSums } from "./return-sums.ts";
import { type Seen, verifyTwice } from "./twice.ts";

/** Verifies what comes back of orders. Where the sums do not fit, orders and returns are read once more. */
export async function verifyReturns(verification: Verification, sums: ReturnSums): Promise<void> {
  if (sums.fits) return;
  const suspects = new Set<number>();
  const note = ({ order, orderReturn }: Known): void => {
    const one = order ?? orderReturn;
    if (one !== undefined && sums.isUneven(one.order_id, one.items)) suspects.add(one.order_id);
  };
  await readTables(
    verification,
    entryKinds
      .filter(({ list }) => list === orderList || list === returnList)
      .map((kind) => ({
        table: kind.list.table,
        kind: kind.list.name,
        take: (item) => {
          if (item["cell"] === undefined || !isMeant(verification, item["account_id"])) return;
          const known = readable(kind, item, new Map());
          if (known !== undefined) note(known);
        },
      })),
  );
  await verifyTwice(verification, [...suspects], (orderId) => read(verification, orderId), titleOf);
}

const titleOf = (orderId: number): string => `order ${orderId}`;

/** Reads an order, and its returns. A return that is there without its order is named as a record that refers to it. */
async function read({ db, repairer = "operator" }: Verification, orderId: number): Promise<Seen> {
  const order = await findAnyOrder(db, orderId);
  if (order === undefined) return { state: "gone", faults: [] };
  const wanted = { text: String(orderId), begins: false };
  const ids = await returnedOrders.find(db, order.account_id, wanted, mostFound);
  const lines = [...(await returns.findAnyAll(db, ids)).values()].flatMap(({ items }) => items);
  const announced = unitsByProduct(lines, ({ quantity }) => quantity);
  const faults = faultsOf(order, announced, repairer);
  return { state: [order.version, ids.toSorted((left, right) => left - right)], faults };
}

/** All products of an order are mended together, as one change of the order. */
function faultsOf(order: Order, announced: ReadonlyMap<number, number>, by: string): readonly Fault[] {
  const products = new Set([...announced.keys(), ...order.items.map(({ product_id }) => product_id)]);
  const noted = unitsByProduct(order.items, ({ returned }) => returned);
  const wrong = [...products].flatMap((product_id) => {
    const [is, ought] = [noted.get(product_id) ?? 0, announced.get(product_id) ?? 0];
    return is === ought ? [] : [{ product_id, is, ought }];
  });
  if (wrong.length === 0) return [];
  const differences = wrong.map(({ product_id, is, ought }) => ({
    record: titleOf(order.order_id),
    what: `returned units of product ${product_id}`,
    is,
    ought,
  }));
  const items = wrong.reduce<Order["items"] | undefined>(
    (mended, { product_id, ought }) => mended && noteReturned(mended, product_id, ought),
    order.items,
  );
  if (items === undefined) return [{ differences }];
  const after = revised(order, { items }, new Date().toISOString());
  return [{ differences, writes: saveOrder(order, after, by) }];
}
