import * as z from "zod/mini";
import { text } from "../../../shared/common/fields.ts";
import { invalidAt } from "../../../shared/common/problem.ts";
import { readChangedList } from "../../../shared/events/changes-since.ts";
import { defineChangeList } from "../../../shared/http/lists/define-read.ts";
import { oneOf, orderDirection, pageQuery, positive } from "../../../shared/http/lists/pagination.ts";
import { severalIds, severalOf, severalTexts } from "../../../shared/http/lists/searches.ts";
import { createdBetween, creationBound, updatedSince } from "../../../shared/http/lists/times.ts";
import { statusIds } from "../../../shared/orders/order.ts";
import { orderWithActions, presentOrder } from "../../../shared/orders/order-view.ts";
import {
  orderFacets,
  orderNumbers,
  orderReferences,
  orders,
} from "../../../shared/orders/storage/order-repository.ts";
import {
  registryReadAccess,
  storeEntry,
  storeNameLookup,
} from "../../../shared/registries/registry-repository.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { getItem, parsed } from "../../../shared/store/dynamodb/reads.ts";
import { noFacet } from "../../../shared/store/lists/facets.ts";
import { idSearch, textSearch } from "../../../shared/store/lists/found.ts";
import { mapPage } from "../../../shared/store/lists/pages.ts";
import { listAccess } from "../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../shared/store/lookup-index.ts";

const codes = Object.values(statusIds).map(String);

const query = z.object({
  ...pageQuery(),
  order_id: z.optional(severalIds),
  order_number: z.optional(severalTexts()),
  order_reference: z.optional(severalTexts()),
  status_id: z.optional(severalOf(codes)),
  from_date: z.optional(creationBound),
  to_date: z.optional(creationBound),
  updated_since: updatedSince,
  order_by: z._default(oneOf(["OrderID", "OrderDate"]), "OrderID"),
  order_direction: orderDirection,
  order_type_id: z.optional(positive()),
  warehouse_id: z.optional(positive()),
  filter_by: z.optional(oneOf(["cart_id", "store_id", "store_name"])),
  filter_value: z.optional(text()),
});
type Query = z.output<typeof query>;

export const { endpoint, handler } = defineChangeList(
  {
    path: "/apirest/v4/oms/orders",
    summary: "List orders",
    request: z.object({ query }),
    record: orderWithActions,
    access: {
      ...listAccess("orders"),
      ...lookupReadAccess,
      ...registryReadAccess("storeNames"),
    },
  },
  async ({ query }, context) => {
    const { page, per_page, order_direction: direction, from_date, to_date } = query;
    const created = createdBetween(from_date, to_date, (item) => orders.parse(item).created_at);
    const wanted = {
      status: query.status_id?.map(Number),
      store: await storeFacet(context, query),
      type: query.order_type_id,
      warehouse: query.warehouse_id,
    };
    const request = {
      page,
      per_page,
      direction,
      ...orderFacets.matching(wanted),
      ...created,
    };
    const searches = [
      idSearch("order_id", query.order_id, orders),
      textSearch("order_number", query.order_number, orderNumbers.find),
      textSearch("order_reference", query.order_reference, orderReferences.find),
    ];
    const instead = "what was created by from_date";
    const found = await readChangedList(context, orders, query.updated_since, request, searches, instead);
    return mapPage(found, presentOrder);
  },
);

/**
 * The store that `filter_by` and `filter_value` name. Carts are the stores' channels, so their ids are the
 * same.
 */
async function storeFacet(
  { db, account_id }: AccountContext,
  { filter_by, filter_value }: Query,
): Promise<number | undefined> {
  if (filter_by === undefined && filter_value === undefined) return undefined;
  if (filter_by === undefined) throw invalidAt([{ path: "filter_by", message: "must go with filter_value" }]);
  if (filter_value === undefined)
    throw invalidAt([{ path: "filter_value", message: "must go with filter_by" }]);
  switch (filter_by) {
    case "cart_id":
    case "store_id":
      if (!/^\d{1,15}$/.test(filter_value)) {
        throw invalidAt([{ path: "filter_value", message: `must be a whole number for ${filter_by}` }]);
      }
      // No store has the id 0. In a facet key, 0 stands for orders without a store.
      return Number(filter_value) || noFacet;
    case "store_name": {
      const found = parsed(storeEntry, await getItem(db, storeNameLookup(account_id, filter_value)));
      return found?.store_id ?? noFacet;
    }
  }
}
