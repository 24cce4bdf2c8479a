/** Orders, found by number, reference, status and time of creation. */
import type { Order } from "order-inventory-warehouse-client";
import { Field, Select } from "./parts/forms.tsx";
import { type Column, Filters, List } from "./parts/lists.tsx";
import { href, type Route, useRoute } from "./parts/route.ts";
import { useSession } from "./parts/session.ts";
import { Badge, Time, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";

const statuses = [
  ["", "Any"],
  ["1", "Pending"],
  ["4", "Processing"],
  ["9", "Shipped"],
  ["10", "Cancelled"],
] as const;

const columns: readonly Column<Order>[] = [
  { title: "Number", of: (order) => <a href={href(["orders", order.order_id])}>{order.order_number}</a> },
  { title: "Status", of: ({ status }) => <Badge of={status} /> },
  { title: "Reference", of: ({ order_reference }) => order_reference, isWide: true },
  {
    title: "Customer",
    of: ({ customer }) => [customer.firstname, customer.lastname].join(" "),
    isWide: true,
  },
  { title: "Lines", of: ({ items }) => items.length, isNumber: true, isWide: true },
  { title: "Created", of: ({ created_at }) => <Time at={created_at} /> },
];

/** Searches separate several values by commas. */
export const one = (text: string | undefined): string | undefined =>
  text?.replaceAll(",", "\\,") || undefined;

/** The first moment of a day in the viewer's zone, or of the day after it. */
function startOf(day: string | undefined, daysLater = 0): number | undefined {
  const [year = 0, month = 0, date = 0] = (day ?? "").split("-").map(Number);
  return day ? new Date(year, month - 1, date + daysLater).getTime() : undefined;
}

const iso = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

/** What the filters in the address ask the API for. */
function searchOf(query: Route["query"]) {
  const end = startOf(query["to"], 1);
  const search = {
    page: Number(query["page"] ?? 1),
    order_number: one(query["number"]),
    order_reference: one(query["reference"]),
    status_id: query["status"] || undefined,
    from_date: iso(startOf(query["from"])),
    // Both bounds are inclusive.
    to_date: iso(end && end - 1),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

export function Orders() {
  useTitle("Orders");
  const { client } = useSession();
  const { query } = useRoute();
  const search = searchOf(query);
  const orders = useCall(
    (signal) => client.GET("/orders", { params: { query: search }, signal }),
    [JSON.stringify(search)],
  );
  return (
    <>
      <h1>Orders</h1>
      <Filters verb="Find">
        <Field label="Number" name="number" value={query["number"]} placeholder="1001 or WEB-*" />
        <Field label="Reference" name="reference" value={query["reference"]} placeholder="REF-*" />
        <Select
          label="Status"
          name="status"
          value={query["status"]}
          options={statuses}
          onPick={({ form }) => form?.requestSubmit()}
        />
        <Field label="Created from" name="from" value={query["from"]} type="date" />
        <Field label="Created until" name="to" value={query["to"]} type="date" />
      </Filters>
      <List of={orders} label="Orders" noun="order" columns={columns} keyOf={({ order_id }) => order_id}>
        {Object.keys(search).length > 1
          ? "No order matches. A number or reference may end in *, which stands for anything."
          : "The account has no orders yet. They appear here once they are sent to POST /orders."}
      </List>
    </>
  );
}
