import type { ReplenishmentPatch } from "../domain/inbound/replenishment.ts";
import type { ReplenishmentReferences } from "../domain/inbound/replenishment-references.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";
import { skuEntry, skuLookup } from "./products.ts";
import {
  defaultDistributionCenter,
  distributionCenter,
  distributionCenterLookup,
  parsed,
} from "./registries.ts";

/** Everything that the replenishments of one call refer to: one round trip. */
export async function readReplenishmentReferences(
  db: Database,
  accountId: number,
  sent: readonly Pick<ReplenishmentPatch, "items" | "distribution_center">[],
): Promise<ReplenishmentReferences> {
  const find = await getItems(db, [
    distributionCenterLookup(defaultDistributionCenter),
    ...sent.flatMap(({ items = [], distribution_center }) => [
      ...items.map(({ sku }) => skuLookup(accountId, sku)),
      ...(distribution_center ? [distributionCenterLookup(distribution_center)] : []),
    ]),
  ]);
  return {
    product: (sku) => parsed(skuEntry, find(skuLookup(accountId, sku))),
    center: (code) =>
      parsed(distributionCenter, find(distributionCenterLookup(code ?? defaultDistributionCenter))),
  };
}
