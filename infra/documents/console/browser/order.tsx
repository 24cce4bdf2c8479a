/** One order: what it is, why it waits, what can be done with it, and what happened to it. */
import type { Delivery, OrderWithHistory, Stock } from "order-inventory-warehouse-client";
import { OrderActions } from "./order-actions.tsx";
import { nameOf, one } from "./orders.tsx";
import { useCall } from "./parts/calls.ts";
import { textOf } from "./parts/change.tsx";
import { type Column, Entry, Table } from "./parts/lists.tsx";
import { href } from "./parts/route.ts";
import { type Client, useSession } from "./parts/session.ts";
import { Answer, Badge, Facts, Json, Screen, Time } from "./parts/ui.tsx";

type ReadOrder = Awaited<ReturnType<typeof read>>;

/** Read-only keys may not see webhooks. */
async function read(client: Client, signal: AbortSignal, id: string, seesWebhooks: boolean) {
  const { data: order } = await client.GET("/orders/{order}", { params: { path: { order: id } }, signal });
  const subject = `order:${order.order_id}`;
  const [stock, events, deliveries] = await Promise.all([
    stockOf(client, order, signal),
    client.GET("/events", { params: { query: { subject, order: "desc" } }, signal }),
    seesWebhooks ? recentDeliveries(client, signal) : [],
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

async function stockOf(client: Client, { items }: OrderWithHistory, signal: AbortSignal): Promise<Stock[]> {
  const skus = [...new Set(items.map(({ sku }) => one(sku)))];
  const groups = Map.groupBy(skus.entries(), ([position]) => Math.floor(position / namesAtOnce));
  const calls = [...groups.values()].map((group) => {
    const sku = group.map(([, name]) => name).join(",");
    return client.GET("/inventory/stock", { params: { query: { sku } }, signal });
  });
  return (await Promise.all(calls)).flatMap(({ data }) => data);
}

/** The newest deliveries of each webhook. Those of the order are looked for among them. */
async function recentDeliveries(client: Client, signal: AbortSignal): Promise<Delivery[]> {
  const { data: webhooks } = await client.GET("/webhooks", { signal });
  const calls = webhooks.map(({ webhook_id }) => {
    const params = { path: { webhook_id }, query: { limit: 100 } };
    return client.GET("/webhooks/{webhook_id}/deliveries", { params, signal });
  });
  return (await Promise.all(calls)).flatMap(({ data }) => data);
}

export function OrderPage({ id }: { readonly id: string }) {
  const { mayWrite } = useSession();
  const loaded = useCall((client, signal) => read(client, signal, id, mayWrite), [id]);
  const { status, sub_status, order_number = "Order" } = loaded.data?.order ?? {};
  const badges = [status, sub_status].map((text) => text && <Badge key={text} of={text} />);
  return (
    <Screen title={order_number} above="Orders" beside={badges}>
      <Answer of={loaded}>
        {(data) => (
          <div class="columns">
            <div>
              <Items {...data} />
              <h2>Timeline</h2>
              <Timeline {...data} />
            </div>
            <aside>
              <OrderActions order={data.order} reload={loaded.reload} />
              <Details {...data.order} />
            </aside>
          </div>
        )}
      </Answer>
    </Screen>
  );
}

type Item = OrderWithHistory["items"][number];
/** The sum of a figure over the centers of a product. */
type Sum = (sku: string, figure: (of: Stock) => number | null) => number;

/** What one center has does not help an order that another one is short of. */
const shortage = ({ available }: Stock): number => Math.max(0, -available);

function Items({ order: { items, status }, stock }: ReadOrder) {
  const sum: Sum = (sku, figure) =>
    stock.filter((one) => one.sku === sku).reduce((total, one) => total + (figure(one) ?? 0), 0);
  const isOpen = status === "Pending" || status === "Processing";
  const columns: readonly Column<Item>[] = [
    { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
    { title: "Quantity", of: ({ quantity }) => quantity, isNumber: true },
    { title: "Price", of: ({ sold_price }) => sold_price ?? "–", isNumber: true, isWide: true },
    { title: "Returned", of: ({ returned }) => returned || "–", isNumber: true, isWide: true },
    { title: "On hand", of: ({ sku }) => sum(sku, (one) => one.on_hand), isNumber: true },
    { title: "Available", of: ({ sku }) => sum(sku, (one) => one.available), isNumber: true },
  ];
  return (
    <>
      {isOpen && <Waiting {...{ items, status, sum }} />}
      <Table
        label="Items"
        rows={items}
        columns={columns.slice(0, isOpen ? 6 : 4)}
        keyOf={(_, index) => index}
      />
    </>
  );
}

interface WaitingProps {
  readonly items: readonly Item[];
  readonly status: "Pending" | "Processing";
  readonly sum: Sum;
}

/** Why an order is not shipped yet. */
function Waiting({ items, status, sum }: WaitingProps) {
  const short = [...new Set(items.map(({ sku }) => sku))].filter((sku) => sum(sku, shortage) > 0);
  const next = status === "Pending" ? "Waits for the warehouse to claim it" : "The warehouse is picking it";
  if (short.length === 0) return <p class="notice">{next}: all of its goods are there.</p>;
  return (
    <div class="notice amber">
      {short.map((sku) => {
        const incoming = sum(sku, (one) => one.incoming);
        return (
          <p key={sku}>
            Waits for goods: orders reserve {sum(sku, shortage)} more of{" "}
            <a href={href(["stock", sku])}>{sku}</a> than there are
            {incoming > 0 ? `, and ${incoming} are announced.` : "."}
          </p>
        );
      })}
    </div>
  );
}

function Details({ customer, ...order }: OrderWithHistory) {
  const { address1, zip, city, state, country, email, phone } = customer;
  const lines = [nameOf(customer), address1, `${zip} ${city}, ${state}`, country, email, phone];
  return (
    <>
      <h2>Details</h2>
      <Facts
        of={{
          "Order id": order.order_id,
          Reference: order.order_reference,
          Store: order.cart?.store_name,
          Shipping: order.shipping_method,
          Tracking: order.tracking_number,
          Created: <Time at={order.created_at} />,
          Version: order.version,
        }}
      />
      <h2>Customer</h2>
      <address>{lines.map((line, index) => line && <div key={String(index)}>{line}</div>)}</address>
    </>
  );
}

function Timeline({ order, events, deliveries }: ReadOrder) {
  const entries = [
    ...order.history.map((change) => ({
      kind: <strong>Change</strong>,
      what: changesIn(change),
      note: `by ${change.by}`,
      at: change.at,
      json: change,
    })),
    ...events.map((event) => ({
      kind: "Event",
      what: event.type,
      note: `number ${event.sequence}`,
      at: event.occurred_at,
      json: event,
    })),
    ...deliveries.map((delivery) => ({
      kind: "Delivery",
      what: `${delivery.event_type} to webhook ${delivery.webhook_id}`,
      note: <Badge of={delivery.status} />,
      at: delivery.last_attempt_at ?? delivery.created_at,
      json: delivery,
    })),
  ];
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

const goods = (verb: string, picks: readonly Pick[] = []): readonly string[] =>
  picks.map(({ quantity, sku, location, bin }) => `${verb} ${quantity} × ${sku} (${location}/${bin})`);

/** A change in words: `status Pending → Processing`, `picked 1 × DEMO-MUG (A2/01)`. */
function changesIn({ at: _at, by: _by, changed, picks, ...fields }: Change): string {
  const parts = Object.entries(fields).map(([name, { from, to }]) => {
    if (typeof from === "object" && from !== null) return `${name} changed`;
    if (name === "status" && from === null) return "created";
    return `${name === "status" ? "" : `${name} `}${textOf(from)} → ${textOf(to)}`;
  });
  parts.push(...goods("picked", picks?.added), ...goods("put back", picks?.removed));
  return (parts.length > 0 ? parts : changed).join(", ");
}
