/** Where replenishments and returns are kept. */

import type { Database } from "../store/dynamodb/database.ts";
import { type PlannedWrites, withEffects } from "../store/dynamodb/writes.ts";
import { type BlockList, standardBlocks } from "../store/lists/block-list.ts";
import { facets } from "../store/lists/facets.ts";
import { recordOf, repositoryOf, type Stored } from "../store/lists/repository.ts";
import { sharedTexts } from "../store/lookup-index.ts";
import type { InboundStatus } from "./inbound.ts";
import { type Replenishment, replenishment } from "./replenishments/replenishment.ts";
import { type OrderReturn, orderReturn } from "./returns/return.ts";

const statusFacets = facets("status");

const statusFacet: Readonly<Record<InboundStatus, number>> = { Pending: 1, Received: 2 };

const facetKeyOf = ({ status }: { readonly status: InboundStatus }): string =>
  statusFacets.key({ status: statusFacet[status] });

/** The part of a page request that selects replenishments or returns of this status; all by default. */
export const withStatus = (status: InboundStatus | undefined) =>
  statusFacets.matching({ status: status === undefined ? undefined : statusFacet[status] });

export const replenishmentList: BlockList = { table: "inventory", name: "replenishment", ...standardBlocks };

export const replenishments = repositoryOf<Replenishment>(replenishmentList, recordOf(replenishment), {
  idOf: ({ replenishment_id }) => replenishment_id,
  facetKeyOf,
  entries: (created) => replenishmentReferences.change(undefined, referenceOf(created)),
});

export const replenishmentReferences = sharedTexts("replenishment-reference");

const referenceOf = ({ account_id: owner, reference: text, replenishment_id: id }: Replenishment) => ({
  owner,
  text,
  id,
});

/** Stores `after` in place of `before`, found by its reference; as `replenishments.save`. */
export const saveReplenishment = (before: Stored<Replenishment>, after: Replenishment): PlannedWrites =>
  withEffects(
    replenishments.save(before, after),
    replenishmentReferences.change(referenceOf(before.record), referenceOf(after)),
  );

export const returnList: BlockList = { table: "inventory", name: "return", ...standardBlocks };

export const returns = repositoryOf<OrderReturn>(returnList, recordOf(orderReturn), {
  idOf: ({ return_id }) => return_id,
  facetKeyOf,
  entries: ({ account_id: owner, return_id: id, order_id }) =>
    returnedOrders.change(undefined, { owner, text: String(order_id), id }),
});

/** Returns by the ids of their orders. */
export const returnedOrders = sharedTexts("returned-order");

/** Maximum returns of one order to read. */
export const maxReturns = 10_000;

/** The returns of an account's order by rising ids, at most `maxReturns`. */
export async function returnsOfOrder(
  db: Database,
  { account_id, order_id }: Pick<OrderReturn, "account_id" | "order_id">,
): Promise<readonly Stored<OrderReturn>[]> {
  const wanted = [{ text: String(order_id), begins: false }];
  const [ids = []] = await returnedOrders.find(db, account_id, wanted, maxReturns);
  return [...(await returns.findAll(db, account_id, ids)).values()];
}
