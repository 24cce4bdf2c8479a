/** Orders, searched by number, reference, status and time of creation. */
import type { Order } from "order-inventory-warehouse-client";
import { type Column, type Filters, ListScreen } from "../parts/lists.tsx";
import { href, type Route } from "../parts/route.ts";
import { useSigned } from "../parts/service.ts";
import { Badge, Time } from "../parts/ui.tsx";

const statuses = [
  ["", "Any"],
  ["1", "Pending"],
  ["4", "Processing"],
  ["9", "Shipped"],
  ["10", "Cancelled"],
] as const;

const filters: Filters = [
  { label: "Number", name: "number", placeholder: "1001 or WEB-*" },
  { label: "Reference", name: "reference", placeholder: "REF-*" },
  { label: "Status", name: "status", options: statuses },
  { label: "Created from", name: "from", type: "date" },
  { label: "Created until", name: "to", type: "date" },
];

const columns: readonly Column<Order>[] = [
  { title: "Number", of: (order) => <a href={href(["orders", order.order_id])}>{order.order_number}</a> },
  { title: "Status", of: ({ status }) => <Badge of={status} /> },
  { title: "Reference", of: ({ order_reference }) => order_reference, class: "wide" },
  { title: "Customer", of: ({ customer }) => nameOf(customer), class: "wide" },
  { title: "Lines", of: ({ items }) => items.length, class: "number wide" },
  { title: "Created", of: ({ created_at }) => <Time at={created_at} /> },
];

const nameOf = ({ firstname, lastname }: Order["customer"]): string => [firstname, lastname].join(" ");

/** Searches separate several values by commas. */
export const one = (text: string): string => text.replaceAll(",", "\\,");

/** The first moment of a day in the viewer's zone, or the last. */
function momentOf(day: string, isLast: boolean): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return new Date(new Date(year, month - 1, date + Number(isLast)).getTime() - Number(isLast)).toISOString();
}

/** The API parameters of the filters in the address. Both bounds of time are inclusive. */
const searchOf = ({ number, reference, status, from, to, until }: Route["query"]) => ({
  ...(number && { order_number: one(number) }),
  ...(reference && { order_reference: one(reference) }),
  ...(status && { status_id: status }),
  ...(from && { from_date: momentOf(from, false) }),
  ...((to || until) && { to_date: [to && momentOf(to, true), until].filter(Boolean).sort()[0] }),
});

export function Orders() {
  const search = searchOf(useSigned().route.query);
  return (
    <ListScreen
      title="Orders"
      noun="order"
      columns={columns}
      filters={filters}
      timeOf={({ created_at }) => created_at}
      read={(client, page, signal) =>
        client.GET("/orders", { params: { query: { ...page, ...search } }, signal })
      }
      empty="The account has no orders yet. They appear here once they are sent to POST /orders."
    />
  );
}
