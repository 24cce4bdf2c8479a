/** Finds what replenishments refer to, and decides how one may change. */

import { findNamed } from "../../catalog/aliases/alias-names.ts";
import { skuError } from "../../catalog/names.ts";
import { type Center, centerError } from "../../catalog/products/product-references.ts";
import { hiddenName } from "../../common/fields.ts";
import { type Placed, resolveEach } from "../../common/placed.ts";
import { type Decision, type FieldError, invalidAt } from "../../common/problem.ts";
import {
  defaultDistributionCenter,
  distributionCenterIn,
  distributionCenterLookup,
  type Reference,
  readRegistered,
  referenceLookups,
} from "../../registries/registry-repository.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { getItems } from "../../store/dynamodb/reads.ts";
import { type InboundLine, shortfalls } from "../inbound.ts";
import {
  amendReplenishment,
  type Replenishment,
  type ReplenishmentInput,
  type ReplenishmentPatch,
  type ReplenishmentTerms,
  reasonOnceReceived,
} from "./replenishment.ts";

/**
 * Reads everything that the replenishments of one call refer to: as many round trips as `findNamed`, and one
 * more if a center is unknown.
 */
export async function readReplenishmentReferences(
  db: Database,
  accountId: number,
  sent: readonly Pick<ReplenishmentPatch, "items" | "distribution_center">[],
) {
  const references = sent.map((one): Reference => ["distribution_center", one.distribution_center]);
  const centers = [
    distributionCenterLookup(defaultDistributionCenter),
    ...referenceLookups(accountId, references),
  ];
  const skus = sent.flatMap(({ items = [] }) => items.map(({ sku }) => sku));
  const [find, product] = await Promise.all([getItems(db, centers), findNamed(db, accountId, skus)]);
  return {
    product,
    /** The center with this code; without a code, the default center. */
    center: (code: string | null | undefined): Center | undefined =>
      distributionCenterIn(find, code ?? defaultDistributionCenter),
    registered: await readRegistered(db, accountId, references, find),
  };
}
export type ReplenishmentReferences = Awaited<ReturnType<typeof readReplenishmentReferences>>;

/**
 * Finds what each replenishment of a create call refers to.
 * @throws Problem `invalid` with everything that is wrong in any of them
 */
export function resolveReplenishments(
  inputs: readonly Placed<ReplenishmentInput>[],
  references: ReplenishmentReferences,
): readonly Placed<ReplenishmentTerms>[] {
  return resolveEach(
    inputs,
    ({ reference = null, items: sent, distribution_center, eta = null }, path, errors) => {
      errors.push(...hiddenName(`${path}.reference`, reference));
      const items = resolveLines(sent, references, path, errors);
      const center = references.center(distribution_center);
      if (center === undefined) errors.push(centerError(distribution_center, path, references.registered));
      return center && { reference, items, center, eta };
    },
  );
}

/** The lines that were sent, with nothing put away yet. Adds to `errors` what is wrong with them. */
function resolveLines(
  sent: ReplenishmentInput["items"],
  { product }: ReplenishmentReferences,
  path: string,
  errors: FieldError[],
): readonly InboundLine[] {
  return sent.flatMap(({ sku, quantity }, position) => {
    const found = product(sku);
    if (found !== undefined) return [{ sku: found.sku, product_id: found.product_id, quantity, put_away: 0 }];
    errors.push(skuError(sku, `${path}.items.${position}`));
    return [];
  });
}

/**
 * Changes the sent fields of a Pending replenishment. Goods that were put away stay: a change can't announce
 * fewer of them, nor name another center. Sending the current values changes nothing, so it is allowed for a
 * Received replenishment as well.
 */
export function revise(
  before: Replenishment,
  sent: ReplenishmentPatch,
  references: ReplenishmentReferences,
  path: string,
  at: string,
): Decision<{ readonly after: Replenishment }> {
  const errors: FieldError[] = [];
  const items = sent.items === undefined ? undefined : resolveLines(sent.items, references, path, errors);
  for (const { sku, quantity, put_away } of shortfalls(before.items, items ?? before.items)) {
    const message = `announce less of ${sku} (${quantity}) than was put away already (${put_away})`;
    errors.push({ path: `${path}.items`, message });
  }
  const center = resolveCenter(before, sent, references, path, errors);
  const { reference, eta } = sent;
  errors.push(...hiddenName(`${path}.reference`, reference, before.reference));
  const terms = {
    ...(reference === undefined ? {} : { reference }),
    ...(items === undefined ? {} : { items }),
    ...(center === undefined ? {} : { center }),
    ...(eta === undefined ? {} : { eta }),
  };
  const after = amendReplenishment(before, terms, at);
  const reason = reasonOnceReceived(before.status);
  if (after !== before && reason !== undefined) {
    const message = `${reason} (${before.replenishment_id})`;
    const error = { path: `${path}.replenishment_id`, message, code: "wrong_status" } as const;
    return { problem: invalidAt([error]) };
  }
  return errors.length > 0 ? { problem: invalidAt(errors) } : { after };
}

function resolveCenter(
  before: Replenishment,
  { distribution_center: code }: ReplenishmentPatch,
  references: ReplenishmentReferences,
  path: string,
  errors: FieldError[],
): Center | undefined {
  if (code === undefined) return undefined;
  const center = references.center(code);
  if (center === undefined) errors.push(centerError(code, path, references.registered));
  else if (center.code !== before.distribution_center && before.items.some(({ put_away }) => put_away > 0)) {
    const message = `can't be another than ${before.distribution_center}, where goods were put away already`;
    errors.push({ path: `${path}.distribution_center`, message });
  }
  return center;
}
