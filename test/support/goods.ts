/** Goods in bins and orders that are being picked, for tests of what the warehouse does. */

import { claimOrder } from "../../shared/operations/advance-order.ts";
import { noForesight } from "../../shared/operations/context.ts";
import type { PickRequest } from "../../shared/operations/locate-picks.ts";
import { pickOrder } from "../../shared/operations/pick-order.ts";
import type { Database } from "../../shared/store/database.ts";
import { at, numberAt } from "./client.ts";
import { orderOf, productOf, recountOf } from "./records.ts";
import type { Service } from "./service.ts";
import { asItIs } from "./world.ts";

interface Content {
  readonly location: string;
  readonly bin: string;
  readonly qty: number;
}

/** A new product of account 100, of which so many units are counted into these bins; its SKU. */
export async function stockedProduct(
  service: Service,
  contents: readonly Content[],
  more: object = {},
): Promise<string> {
  const product = productOf(more);
  await service.oms.post("/inventory/products", { data: [product] });
  if (contents.length > 0) {
    await service.wms.post("/recount", recountOf(product.sku, contents));
    await service.settled();
  }
  return product.sku;
}

/** A new Pending order of account 100; its id. */
export async function pendingOrder(service: Service, lines: Parameters<typeof orderOf>[0]): Promise<number> {
  const created = await service.oms.post("/orders", { data: [orderOf(lines)] });
  return numberAt(created.body, "data.0.order_id");
}

/** Who does the warehouse's work, and when. */
export const byManager = (db: Database) => ({
  db,
  actor: "user:manager",
  user_name: "manager",
  now: new Date().toISOString(),
  foresee: noForesight,
});

/** A new order of account 100 that `manager` has claimed; its id. */
export async function claimedOrder(service: Service, lines: Parameters<typeof orderOf>[0]): Promise<number> {
  const orderId = await pendingOrder(service, lines);
  await claimOrder(byManager(service.db), orderId, "manager");
  return orderId;
}

/** A pick out of a bin that is named `A1/01`. */
export function pickFrom(place: string, sku: string, quantity: number): PickRequest {
  const [location = "", bin = ""] = place.split("/");
  return { sku, location, bin, quantity };
}

/** A new order of account 100 for so many of a new product, all of them picked. */
export async function pickedOrder(service: Service, quantity: number) {
  const sku = await stockedProduct(service, [{ location: "A1", bin: "01", qty: quantity }]);
  const orderId = await claimedOrder(service, [{ sku, quantity }]);
  await pickOrder(byManager(service.db), orderId, [pickFrom("A1/01", sku, quantity)], asItIs);
  return { orderId, sku };
}

/** What lies in the bins of account 100's product: `A1/01: 3`. Emptied bins are among them. */
export async function binsOf(service: Service, sku: string): Promise<readonly string[]> {
  const product = await service.oms.get(`/inventory/products/${sku}`);
  const answer = await service.wms.get(
    `/inventory/products/${numberAt(product.body, "data.product_id")}/bin`,
  );
  const list = at(answer.body, "bin_list");
  if (!Array.isArray(list)) throw new Error("the bin lookup answers no list");
  return list.map((entry) => `${at(entry, "Location")}/${at(entry, "Bin")}: ${at(entry, "Quantity")}`);
}
