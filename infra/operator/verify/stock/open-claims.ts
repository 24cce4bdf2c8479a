/** What open orders and replenishments claim of stock. */

import { replenishments, withStatus } from "../../../../shared/inbound/inbound-repository.ts";
import { statusIds } from "../../../../shared/orders/order.ts";
import { orderFacets, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { holdsOf, parseHold } from "../../../../shared/stock/holds/hold-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import { getItems, type Lookup, queryPages, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";
import { type BlockList, entriesOf } from "../../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../../shared/store/lists/counters/counter-tree.ts";
import { unlessUnreadable } from "../inspection.ts";
import { type FigureName, partsOfHold, partsOfOrder, partsOfReplenishment, StockSums } from "./figures.ts";

const batchSize = 100;

/** The records of an account under the facet keys that match; `unclear` if they are unreadable. */
async function* recordsInFacets(
  db: Database,
  list: BlockList,
  accountId: number,
  matches: (facetKey: string) => boolean,
): AsyncGenerator<readonly (RawItem | "unclear")[], void> {
  for await (const { block } of readBlocks({ db, list, owner: String(accountId) }))
    for await (const entries of queryPages(db, entriesOf(list, block), batchSize)) {
      const lookups = entries
        .filter(({ cell }) => matches(String(cell)))
        .map((entry): Lookup => ({ table: list.table, key: keyIn(entry) }));
      const find = await getItems(db, lookups);
      const items = await Promise.all(lookups.map((lookup) => unlessUnreadable(() => find(lookup))));
      yield items.filter((item) => item !== undefined);
    }
}

export interface AccountClaims {
  readonly sums: StockSums;
  /** Whether a saga was storing one of the records: stock may already include a part of it. */
  readonly areMoving: boolean;
  /** Figures of which unreadable records may claim more. */
  readonly openEnded: ReadonlySet<FigureName>;
}

const claimedByOrders = ["on_hand", "reserved"] as const;
const claimedByHolds = ["reserved", "held"] as const;
const claimedByReplenishments = ["incoming"] as const;

const openOrders = orderFacets.matching({ status: [statusIds.Pending, statusIds.Processing] });
const pendingReplenishments = withStatus("Pending");

/**
 * Reads what an account's open orders, holds and Pending replenishments claim, except unreadable ones. The
 * cost grows with their number. If facet keys of records may be wrong (`trustsFacetKeys` false), it reads all
 * orders and replenishments.
 */
export async function readClaims(
  db: Database,
  accountId: number,
  { trustsFacetKeys = true }: { readonly trustsFacetKeys?: boolean } = {},
): Promise<AccountClaims> {
  const sums = new StockSums();
  let areMoving = false;
  const openEnded = new Set<FigureName>();
  const each = async (
    list: BlockList,
    { matches = () => true }: { readonly matches?: (facetKey: string) => boolean },
    claimed: readonly FigureName[],
    add: (item: RawItem) => void,
  ): Promise<void> => {
    for await (const items of recordsInFacets(db, list, accountId, trustsFacetKeys ? matches : () => true))
      for (const item of items) {
        if (item !== "unclear") areMoving ||= item[sagaAttribute] !== undefined;
        const outcome = item === "unclear" ? item : await unlessUnreadable(() => add(item));
        if (outcome === "unclear") for (const figure of claimed) openEnded.add(figure);
      }
  };
  const addHolds = async (): Promise<void> => {
    for (const item of await holdsOf(db, accountId)) {
      const outcome = await unlessUnreadable(() => sums.add(partsOfHold(parseHold(item))));
      if (outcome === "unclear") for (const figure of claimedByHolds) openEnded.add(figure);
    }
  };
  await Promise.all([
    addHolds(),
    each(orders.list, openOrders, claimedByOrders, (item) => sums.add(partsOfOrder(orders.parse(item)))),
    each(replenishments.list, pendingReplenishments, claimedByReplenishments, (item) =>
      sums.add(partsOfReplenishment(replenishments.parse(item))),
    ),
  ]);
  return { sums, areMoving, openEnded };
}
