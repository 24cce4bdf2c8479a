/** One order: its content, why it waits, its actions, and what has happened to it. */
import { type Delivery, type OrderWithHistory, records, type Stock } from "order-inventory-warehouse-client";
import { type Column, Table } from "../parts/lists.tsx";
import { href } from "../parts/route.ts";
import { type Client, useCall, useSigned } from "../parts/service.ts";
import { Answer, Badge, Fields, type Of, Screen } from "../parts/ui.tsx";
import { OrderActions } from "./actions.tsx";
import { one } from "./list.tsx";
import { Happened } from "./timeline.tsx";

/** Read-only keys may not read webhooks, because their URLs may contain secrets. */
async function read(client: Client, signal: AbortSignal, id: string, seesWebhooks: boolean) {
  const { data: order } = await client.GET("/orders/{order}", { params: { path: { order: id } }, signal });
  const subject = `order:${order.order_id}`;
  const [stock, { data: events }, deliveries] = await Promise.all([
    stockOf(client, order, signal),
    client.GET("/events", { params: { query: { subject, order: "desc" } }, signal }),
    seesWebhooks ? recentDeliveries(client, signal) : [],
  ]);
  const ids = new Set(events.map(({ id }) => id));
  return { order, stock, events, deliveries: deliveries.filter(({ event_id }) => ids.has(event_id)) };
}

/** A call names up to 100 SKUs; an order has up to 500. */
const namesAtOnce = 100;

async function stockOf(client: Client, { items }: OrderWithHistory, signal: AbortSignal): Promise<Stock[]> {
  const skus = [...new Set(items.map(({ sku }) => one(sku)))];
  const stock: Stock[] = [];
  for (let first = 0; first < skus.length; first += namesAtOnce) {
    const sku = skus.slice(first, first + namesAtOnce).join(",");
    const lines = records((page) =>
      client.GET("/inventory/stock", { params: { query: { ...page, sku } }, signal }),
    );
    for await (const line of lines) stock.push(line);
  }
  return stock;
}

/** The newest deliveries of each webhook, among which those of the order are searched. */
async function recentDeliveries(client: Client, signal: AbortSignal): Promise<Delivery[]> {
  const { data: webhooks } = await client.GET("/webhooks", { signal });
  const calls = webhooks.map(({ webhook_id }) => {
    const params = { path: { webhook_id }, query: { limit: 100 } };
    return client.GET("/webhooks/{webhook_id}/deliveries", { params, signal });
  });
  return (await Promise.all(calls)).flatMap(({ data }) => data);
}

export function OrderPage({ id }: { readonly id: string }) {
  const { mayWrite } = useSigned();
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
              <Happened {...data} />
              <p>A job appears once it has changed the order. Those that wait or failed are not shown.</p>
              <a href={href(["events"], { subject: `order:${data.order.order_id}` })}>All of its events</a>
            </div>
            <aside>
              <OrderActions order={data.order} reload={loaded.reload} />
              <h2>Customer</h2>
              <address>
                <Fields of={data.order.customer} />
              </address>
              <h2>Details</h2>
              <Fields of={data.order} />
            </aside>
          </div>
        )}
      </Answer>
    </Screen>
  );
}

type Sum = (sku: string, figure: (of: Stock) => number | null) => number;

function Items({ order, stock }: Awaited<ReturnType<typeof read>>) {
  const sum: Sum = (sku, figure) =>
    stock.filter((one) => one.sku === sku).reduce((total, one) => total + (figure(one) ?? 0), 0);
  const isOpen = order.status === "Pending" || order.status === "Processing";
  const columns: readonly Column<OrderWithHistory["items"][number]>[] = [
    { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
    { title: "Quantity", of: ({ quantity }) => quantity, class: "number" },
    { title: "Price", of: ({ sold_price }) => sold_price ?? "–", class: "number wide" },
    { title: "Returned", of: ({ returned }) => returned || "–", class: "number wide" },
    { title: "On hand", of: ({ sku }) => sum(sku, (one) => one.on_hand), class: "number" },
    { title: "Available", of: ({ sku }) => sum(sku, (one) => one.available), class: "number" },
  ];
  return (
    <>
      {isOpen && <Waiting of={order} sum={sum} />}
      <Table label="Items" noun="line" rows={order.items} columns={columns.slice(0, isOpen ? 6 : 4)} />
    </>
  );
}

/** Why an order is not shipped yet. One center's stock does not help if another is short. */
function Waiting({ of: { items, status }, sum }: Of<OrderWithHistory> & { readonly sum: Sum }) {
  const shortage = (sku: string) => sum(sku, ({ available }) => Math.max(0, -available));
  const short = [...new Set(items.map(({ sku }) => sku))].filter((sku) => shortage(sku) > 0);
  const next = status === "Pending" ? "Waits for the warehouse to claim it" : "The warehouse is picking it";
  if (short.length === 0) return <p class="notice">{next}: all of its goods are there.</p>;
  return (
    <div class="notice amber">
      {short.map((sku) => (
        <p key={sku}>
          Waits for goods: orders reserve {shortage(sku)} more of <a href={href(["stock", sku])}>{sku}</a>{" "}
          than there are, and {sum(sku, (one) => one.incoming)} are announced.
        </p>
      ))}
    </div>
  );
}
