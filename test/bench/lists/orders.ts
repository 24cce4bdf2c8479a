import { type OrderStatus, orderStatuses, placed } from "../../../shared/orders/order.ts";
import { insertOrder, newOrderApi } from "../../../shared/orders/storage/order-repository.ts";
import { orderList } from "../../../shared/store/lists/definitions.ts";
import { customer } from "../../support/records/records.ts";
import { accountId, type BenchedList } from "./benched-list.ts";

/** Old orders are shipped or cancelled, as in life; every thirtieth is still open. */
function statusOf(position: number): OrderStatus {
  if (position % 30 === 0) return "Pending";
  return orderStatuses[2 + (position % 7 === 0 ? 1 : 0)] ?? "Shipped";
}

const termsAt = (position: number) => ({
  order_number: `BENCH-${position}`,
  order_reference: null,
  shipping_method: "GROUND",
  order_type_id: 1 + (position % 2),
  store: { id: 3, name: "Second Shop" },
  warehouse_id: 1,
  customer: { ...customer, lastname: "Bench", email: "bench@example.com", phone: null },
  items: Array.from({ length: 3 }, (_, line) => ({
    sku: `SKU-${line}`,
    ordered_as: `SKU-${line}`,
    product_id: 1000 + line,
    distribution_center_id: 1,
    quantity: 1 + line,
    sold_price: 9.99,
    returned: 0,
  })),
  kits: [],
});

export const orders: BenchedList = {
  name: "orders",
  path: "/orders",
  list: orderList,
  writesAt: (order_id, position, at) => {
    const identity = { account_id: accountId, order_id, order_api: newOrderApi(order_id), by: "bench", at };
    return insertOrder({ ...placed(termsAt(position), identity), status: statusOf(position) }, "bench");
  },
  filters: [
    { name: "unfiltered", query: "", matches: () => true },
    { name: "shipped", query: "status_id=9&", matches: (position) => statusOf(position) === "Shipped" },
    { name: "pending", query: "status_id=1&", matches: (position) => statusOf(position) === "Pending" },
  ],
};
