/** Orders, found by number, reference, status and time of creation. */
import type { Order } from "order-inventory-warehouse-client";
import { Field, Select } from "./parts/forms.tsx";
import { type Column, Filters, List } from "./parts/lists.tsx";
import { href, type Route, useRoute } from "./parts/route.ts";
import { Badge, Screen, Time } from "./parts/ui.tsx";

const statuses = [
  ["", "Any"],
  ["1", "Pending"],
  ["4", "Processing"],
  ["9", "Shipped"],
  ["10", "Cancelled"],
] as const;

const columns: readonly Column<Order>[] = [
  {
    title: "Number",
    of: ({ order_id, order_number }) => <a href={href(["orders", order_id])}>{order_number}</a>,
  },
  { title: "Status", of: ({ status }) => <Badge of={status} /> },
  { title: "Reference", of: ({ order_reference }) => order_reference, isWide: true },
  { title: "Customer", of: ({ customer }) => nameOf(customer), isWide: true },
  { title: "Lines", of: ({ items }) => items.length, isNumber: true, isWide: true },
  { title: "Created", of: ({ created_at }) => <Time at={created_at} /> },
];

export const nameOf = ({ firstname, lastname }: Order["customer"]): string => [firstname, lastname].join(" ");

/** Searches separate several values by commas. */
export const one = (text: string): string => text.replaceAll(",", "\\,");

/** The first moment of a day in the viewer's zone, or the last. */
function momentOf(day: string, isLast: boolean): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return new Date(new Date(year, month - 1, date + Number(isLast)).getTime() - Number(isLast)).toISOString();
}

/** What the filters in the address ask the API for. Both bounds of time are inclusive. */
const searchOf = ({ number, reference, status, from, to, until }: Route["query"]) => ({
  ...(number && { order_number: one(number) }),
  ...(reference && { order_reference: one(reference) }),
  ...(status && { status_id: status }),
  ...(from && { from_date: momentOf(from, false) }),
  ...((to || until) && { to_date: [to && momentOf(to, true), until].filter(Boolean).sort()[0] }),
});

export function Orders() {
  const { query } = useRoute();
  const search = searchOf(query);
  return (
    <Screen title="Orders">
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
      <List
        label="Orders"
        noun="order"
        columns={columns}
        keyOf={({ order_id }) => order_id}
        timeOf={({ created_at }) => created_at}
        read={(client, page, signal) => {
          const params = { query: { ...page, ...search } };
          return client.GET("/orders", { params, signal });
        }}
      >
        {Object.keys(search).length > 0
          ? "No order matches. A number or reference may end in *, which stands for anything."
          : "The account has no orders yet. They appear here once they are sent to POST /orders."}
      </List>
    </Screen>
  );
}
