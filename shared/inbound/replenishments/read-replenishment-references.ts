import { findNamed } from "../../catalog/aliases/alias-names.ts";
import {
  defaultDistributionCenter,
  distributionCenterIn,
  distributionCenterLookup,
  readAccepted,
  referencesTo,
  unknownIn,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import type { ReplenishmentPatch } from "./replenishment.ts";
import type { ReplenishmentReferences } from "./replenishment-references.ts";

/**
 * Everything that the replenishments of one call refer to: as many round trips as `findNamed`, and one more
 * if a center is unknown.
 */
export async function readReplenishmentReferences(
  db: Database,
  accountId: number,
  sent: readonly Pick<ReplenishmentPatch, "items" | "distribution_center">[],
): Promise<ReplenishmentReferences> {
  const references = sent.flatMap(({ distribution_center }) =>
    referencesTo.distributionCenter(distribution_center),
  );
  const [find, product] = await Promise.all([
    getItems(db, [
      distributionCenterLookup(defaultDistributionCenter),
      ...references.map(({ lookup }) => lookup),
    ]),
    findNamed(
      db,
      accountId,
      sent.flatMap(({ items = [] }) => items.map(({ sku }) => sku)),
    ),
  ]);
  return {
    product,
    center: (code) => distributionCenterIn(find, code ?? defaultDistributionCenter),
    accepted: await readAccepted(db, accountId, unknownIn(references, find)),
  };
}
