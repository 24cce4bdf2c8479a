/** Goods of known arrival: put away on days of one's choice, and what the bins tell of them. */

import { type BinContent, binsOf } from "../../shared/data/bins.ts";
import type { Layer } from "../../shared/domain/stock/layers.ts";
import { noForesight } from "../../shared/operations/context.ts";
import { putAway } from "../../shared/operations/put-away.ts";
import { at, numberAt } from "./client.ts";
import { productOf } from "./records.ts";
import type { Service } from "./service.ts";
import { asItIs } from "./world.ts";

export interface NewProduct {
  readonly sku: string;
  readonly product_id: number;
}

/** A new product of the account. */
export async function newProduct({ oms }: Pick<Service, "oms">, more: object = {}): Promise<NewProduct> {
  const { body } = await oms.post("/inventory/products", { data: [productOf(more)] });
  return { sku: String(at(body, "data.0.sku")), product_id: numberAt(body, "data.0.product_id") };
}

/** Units of account 100 that are put away. */
export interface Arrival {
  readonly quantity: number;
  /** `YYYY-MM-DD`, in 2026. */
  readonly day: string;
  readonly lot?: string;
  readonly expires_on?: string;
  /** `A1/01` */
  readonly place?: string;
}

/** Announces goods of account 100; as target of put-away. */
export async function announced({ oms }: Service, sku: string, quantity: number) {
  const { body } = await oms.post("/inventory/replenishments", { data: [{ items: [{ sku, quantity }] }] });
  return { replenishment_id: numberAt(body, "data.0.replenishment_id") };
}

/** Has goods of account 100 come in and put away, one arrival after another. */
export async function arrived(service: Service, sku: string, ...arrivals: readonly Arrival[]): Promise<void> {
  for (const { quantity, day, place = "A1/01", ...lot } of arrivals) {
    const [location = "", bin = ""] = place.split("/");
    const context = { account_id: 100, actor: "account:100", now: `${day}T12:00:00.000Z` };
    const target = await announced(service, sku, quantity);
    await putAway(
      { ...context, db: service.db, foresee: noForesight },
      target,
      { sku, quantity, location, bin, ...lot },
      asItIs,
    );
  }
}

export const layerOf = (received_on: string, quantity: number, more: Partial<Layer> = {}): Layer => ({
  received_on,
  lot: null,
  expires_on: null,
  quantity,
  ...more,
});

/** What the product's bins hold: `A1/01` and so on. Emptied bins are among them. */
export async function holdings(
  { db }: Pick<Service, "db">,
  { product_id }: NewProduct,
): Promise<Readonly<Record<string, Pick<BinContent, "quantity" | "layers">>>> {
  const bins = await binsOf(db, product_id);
  return Object.fromEntries(
    bins.map(({ location, bin, quantity, layers }) => [`${location}/${bin}`, { quantity, layers }]),
  );
}
