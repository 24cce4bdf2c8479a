/** One order: what it is, why it waits, what can be done with it, and what happened to it. */
import type { Delivery, Event, OrderWithHistory, Stock } from "order-inventory-warehouse-client";
import { OrderActions } from "./order-actions.tsx";
import { one } from "./orders.tsx";
import { type Column, Entry, Table } from "./parts/lists.tsx";
import { href } from "./parts/route.ts";
import { type Session, useSession } from "./parts/session.ts";
import { Answer, Badge, Facts, Json, Time, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";
import { textOf } from "./parts/write-dialog.tsx";

interface ReadOrder {
  readonly order: OrderWithHistory;
  readonly stock: readonly Stock[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/** The newest deliveries of each webhook that are looked through for the order's events. */
const deliveriesRead = 100;

async function read({ client, mayWrite }: Session, id: string, signal: AbortSignal): Promise<ReadOrder> {
  const { data: order } = await client.GET("/orders/{order}", { params: { path: { order: id } }, signal });
  const skus = [...new Set(order.items.flatMap(({ sku }) => one(sku) ?? []))];
  const subject = `order:${order.order_id}`;
  const [stock, events, deliveries] = await Promise.all([
    stockOf(client, skus, signal),
    client.GET("/events", { params: { query: { subject, order: "desc" } }, signal }),
    // Read-only keys may not see webhooks.
    mayWrite ? recentDeliveries(client, signal) : [],
  ]);
  const ids = new Set(events.data.map((event) => event.id));
  return {
    order,
    stock,
    events: events.data,
    deliveries: deliveries.filter(({ event_id }) => ids.has(event_id)),
  };
}

/** A call names up to 100 SKUs; an order has up to 500. */
const namesAtOnce = 100;

async function stockOf(
  client: Session["client"],
  skus: readonly string[],
  signal: AbortSignal,
): Promise<Stock[]> {
  const groups = Array.from({ length: Math.ceil(skus.length / namesAtOnce) }, (_, group) =>
    skus.slice(group * namesAtOnce, (group + 1) * namesAtOnce),
  );
  const answers = groups.map((group) =>
    client.GET("/inventory/stock", { params: { query: { sku: group.join(",") } }, signal }),
  );
  return (await Promise.all(answers)).flatMap(({ data }) => data);
}

async function recentDeliveries(client: Session["client"], signal: AbortSignal): Promise<Delivery[]> {
  const { data: webhooks } = await client.GET("/webhooks", { signal });
  const lists = webhooks.map(({ webhook_id }) => {
    const params = { path: { webhook_id }, query: { limit: deliveriesRead } };
    return client.GET("/webhooks/{webhook_id}/deliveries", { params, signal });
  });
  return (await Promise.all(lists)).flatMap(({ data }) => data);
}

export function OrderPage({ id }: { readonly id: string }) {
  const session = useSession();
  const loaded = useCall((signal) => read(session, id, signal), [id]);
  useTitle(loaded.data === undefined ? "Order" : `Order ${loaded.data.order.order_number}`);
  return (
    <>
      <p class="crumbs">
        <a href={href(["orders"])}>Orders</a>
      </p>
      <Answer of={loaded}>
        {(data) => (
          <>
            <header class="row">
              <h1>{data.order.order_number}</h1>
              <Badge of={data.order.status} />
              {data.order.sub_status !== null && <span class="badge gray">{data.order.sub_status}</span>}
            </header>
            <div class="columns">
              <div>
                <Items {...data} />
                <h2>Timeline</h2>
                <Timeline {...data} />
              </div>
              <aside>
                <OrderActions order={data.order} reload={loaded.reload} />
                <Details order={data.order} />
              </aside>
            </div>
          </>
        )}
      </Answer>
    </>
  );
}

type Item = OrderWithHistory["items"][number];
type FigureOf = (sku: string, name: "on_hand" | "available" | "incoming") => number;

const itemColumns: readonly Column<Item>[] = [
  { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
  { title: "Quantity", of: ({ quantity }) => quantity, isNumber: true },
  { title: "Price", of: ({ sold_price }) => sold_price ?? "–", isNumber: true, isWide: true },
  { title: "Returned", of: ({ returned }) => returned || "–", isNumber: true, isWide: true },
];

function Items({ order, stock }: ReadOrder) {
  const figure: FigureOf = (sku, name) =>
    stock.filter((one) => one.sku === sku).reduce((sum, one) => sum + (one[name] ?? 0), 0);
  const isOpen = order.status === "Pending" || order.status === "Processing";
  const stockColumns: readonly Column<Item>[] = [
    { title: "On hand", of: ({ sku }) => figure(sku, "on_hand"), isNumber: true },
    { title: "Available", of: ({ sku }) => figure(sku, "available"), isNumber: true },
  ];
  const columns = isOpen ? [...itemColumns, ...stockColumns] : itemColumns;
  return (
    <>
      {isOpen && <Waiting {...{ order, figure }} />}
      <Table label="Items" rows={order.items} columns={columns} keyOf={(_, index) => index} />
    </>
  );
}

/** Why an order is not shipped yet. */
function Waiting({ order, figure }: { readonly order: OrderWithHistory; readonly figure: FigureOf }) {
  const short = order.items.filter(({ sku }) => figure(sku, "available") < 0);
  if (short.length === 0)
    return (
      <p class="notice">
        {order.status === "Pending"
          ? "Waits for the warehouse to claim it: all of its goods are there."
          : "The warehouse has claimed it and picks it: all of its goods are there."}
      </p>
    );
  return (
    <div class="notice amber">
      {short.map(({ sku }) => (
        <p key={sku}>
          Waits for goods: orders reserve {-figure(sku, "available")} more of{" "}
          <a href={href(["stock", sku])}>{sku}</a> than there are
          {figure(sku, "incoming") > 0 ? `, and ${figure(sku, "incoming")} are announced.` : "."}
        </p>
      ))}
    </div>
  );
}

const Details = ({ order }: { readonly order: OrderWithHistory }) => {
  const { customer } = order;
  return (
    <>
      <h2>Details</h2>
      <Facts
        of={[
          ["Order id", <code key="id">{order.order_id}</code>],
          ["Reference", order.order_reference],
          ["Store", order.cart?.store_name],
          ["Shipping", order.shipping_method],
          ["Tracking", order.tracking_number],
          ["Created", <Time key="created" at={order.created_at} />],
          ["Version", order.version],
        ]}
      />
      <h2>Customer</h2>
      <address>
        {[
          [customer.firstname, customer.lastname].join(" "),
          customer.address1,
          `${customer.zip} ${customer.city}, ${customer.state}`,
          customer.country,
          customer.email,
          customer.phone,
        ].map((line, index) => line && <div key={String(index)}>{line}</div>)}
      </address>
    </>
  );
};

function Timeline({ order, events, deliveries }: ReadOrder) {
  const changes = order.history.map((change) => ({
    kind: <strong>Change</strong>,
    what: changesIn(change),
    note: `by ${change.by}`,
    at: change.at,
    json: change,
  }));
  const published = events.map((event) => ({
    kind: "Event",
    what: event.type,
    note: `number ${event.sequence}`,
    at: event.occurred_at,
    json: event,
  }));
  const delivered = deliveries.map((delivery) => ({
    kind: "Delivery",
    what: `${delivery.event_type} to webhook ${delivery.webhook_id}`,
    note: <Badge of={delivery.status} />,
    at: delivery.last_attempt_at ?? delivery.created_at,
    json: delivery,
  }));
  const entries = [...changes, ...published, ...delivered];
  return (
    <ol class="timeline">
      {entries
        .toSorted((left, right) => right.at.localeCompare(left.at))
        .map(({ json, ...entry }, index) => (
          <Entry key={String(index)} {...entry}>
            <Json of={json} />
          </Entry>
        ))}
    </ol>
  );
}

type Change = OrderWithHistory["history"][number];
type Pick = NonNullable<Change["picks"]>["added"][number];

const goods = (picks: readonly Pick[]): string =>
  picks.map(({ quantity, sku, location, bin }) => `${quantity} × ${sku} (${location}/${bin})`).join(", ");

/** A change in words: `Pending → Processing`, `picked 1 × DEMO-MUG (A2/01)`. */
function changesIn({ at: _at, by: _by, changed, picks, ...fields }: Change): string {
  const parts = Object.entries(fields).map(([name, { from, to }]) => {
    if (typeof from === "object" && from !== null) return `${name} changed`;
    const said = `${textOf(from)} → ${textOf(to)}`;
    return name === "status" ? (from === null ? "created" : said) : `${name} ${said}`;
  });
  if (picks !== undefined && picks.added.length > 0) parts.push(`picked ${goods(picks.added)}`);
  if (picks !== undefined && picks.removed.length > 0) parts.push(`put back ${goods(picks.removed)}`);
  return parts.length > 0 ? parts.join(", ") : changed.join(", ");
}
