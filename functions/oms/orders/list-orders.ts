import * as z from "zod/mini";
import { dayOf } from "../../../shared/common/days.ts";
import { day } from "../../../shared/common/fields.ts";
import { invalidAt } from "../../../shared/common/problem.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { defineList } from "../../../shared/http/lists/define-read.ts";
import { oneOf, orderDirection, pageQuery, positive } from "../../../shared/http/lists/pagination.ts";
import { nameOrBeginning, severalOf } from "../../../shared/http/lists/searches.ts";
import { statusIds } from "../../../shared/orders/order.ts";
import { orderRecord, presentOrder } from "../../../shared/orders/order-view.ts";
import {
  orderFacets,
  orderNumbers,
  orderReferences,
  orders,
} from "../../../shared/orders/storage/order-repository.ts";
import { reads, store, storeNameLookup } from "../../../shared/registries/registry-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem, parsed } from "../../../shared/store/dynamodb/reads.ts";
import { noFacet } from "../../../shared/store/lists/facets.ts";
import { mapPage } from "../../../shared/store/lists/pages.ts";
import { readList } from "../../../shared/store/lists/read-list.ts";

const codes = Object.values(statusIds).map(String);

const query = z.object({
  ...pageQuery(),
  order_number: z.optional(nameOrBeginning),
  order_reference: z.optional(nameOrBeginning),
  status_id: z.optional(severalOf(codes)),
  from_date: z.optional(day),
  to_date: z.optional(day),
  order_by: z._default(oneOf(["OrderID", "OrderDate"]), "OrderID"),
  order_direction: orderDirection,
  order_type_id: z.optional(positive()),
  warehouse_id: z.optional(positive()),
  filter_by: z.optional(oneOf(["cart_id", "store_id", "store_name"])),
  filter_value: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});
type Query = z.output<typeof query>;

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/orders",
    summary: "List orders",
    request: z.object({ query }),
    record: orderRecord,
    access: {
      orders: "read",
      "orders/cells": "read",
      tallies: "read",
      directory: "read",
      ...reads("storeNames"),
    },
  },
  async ({ query }, { db, account_id }) => {
    const { page, per_page, order_direction: direction, from_date, to_date } = query;
    if (from_date !== undefined && to_date !== undefined && from_date > to_date) {
      throw invalidAt([{ path: "from_date", message: "must not be after to_date" }]);
    }
    const wanted = {
      status: query.status_id?.map(Number),
      store: await storeFacet(db, account_id, query),
      type: query.order_type_id,
      warehouse: query.warehouse_id,
    };
    const request = {
      page,
      per_page,
      direction,
      ...orderFacets.matching(wanted),
      ...(from_date === undefined ? {} : { fromDay: dayOf(from_date) }),
      ...(to_date === undefined ? {} : { toDay: dayOf(to_date) }),
    };
    const found = await readList(orders, db, account_id, request, [
      { field: "order_number", wanted: query.order_number, find: orderNumbers.find },
      { field: "order_reference", wanted: query.order_reference, find: orderReferences.find },
    ]);
    return mapPage(found, presentOrder);
  },
);

/**
 * The store that `filter_by` and `filter_value` name. Carts are the stores' channels, so their ids are the
 * same.
 */
async function storeFacet(
  db: Database,
  accountId: number,
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
      // No store has the id 0. In a cell, 0 stands for orders without a store.
      return Number(filter_value) || noFacet;
    case "store_name": {
      const found = parsed(store, await getItem(db, storeNameLookup(accountId, filter_value)));
      return found?.store_id ?? noFacet;
    }
  }
}

export const handler = lambda(endpoint);
