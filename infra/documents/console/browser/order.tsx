/** One order: what it is, why it waits, what can be done with it, and what happened to it. */
import type {
  Action,
  Delivery,
  Event,
  OrderWithHistory,
  ServiceError,
  Stock,
} from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { one } from "./orders.tsx";
import { href } from "./parts/route.ts";
import { type Session, useSession } from "./parts/session.ts";
import {
  Answer,
  Badge,
  type Column,
  Facts,
  Failure,
  Field,
  Json,
  Table,
  Time,
  useTitle,
} from "./parts/ui.tsx";
import { failureOf, useCall } from "./parts/use-call.ts";
import { Changes, textOf, WriteDialog } from "./parts/write-dialog.tsx";

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
  const skus = [...new Set(order.items.map(({ sku }) => one(sku)))].slice(0, 100).join(",");
  const subject = `order:${order.order_id}`;
  const [stock, events, deliveries] = await Promise.all([
    client.GET("/inventory/stock", { params: { query: { sku: skus } }, signal }),
    client.GET("/events", { params: { query: { subject, order: "desc" } }, signal }),
    // Read-only keys may not see webhooks.
    mayWrite ? recentDeliveries(client, signal) : [],
  ]);
  const ids = new Set(events.data.map((event) => event.id));
  return {
    order,
    stock: stock.data,
    events: events.data,
    deliveries: deliveries.filter(({ event_id }) => ids.has(event_id)),
  };
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
                <Actions order={data.order} reload={loaded.reload} />
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

function Items({ order, stock }: ReadOrder) {
  const figure = (sku: string, name: "on_hand" | "available" | "incoming"): number =>
    stock.filter((one) => one.sku === sku).reduce((sum, one) => sum + (one[name] ?? 0), 0);
  const isOpen = order.status === "Pending" || order.status === "Processing";
  const short = order.items.filter(({ sku }) => figure(sku, "available") < 0);
  const columns: readonly Column<Item>[] = [
    { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
    { title: "Quantity", of: ({ quantity }) => quantity, isNumber: true },
    { title: "Price", of: ({ sold_price }) => sold_price ?? "–", isNumber: true, isWide: true },
    { title: "Returned", of: ({ returned }) => returned || "–", isNumber: true, isWide: true },
    ...(isOpen
      ? [
          { title: "On hand", of: ({ sku }: Item) => figure(sku, "on_hand"), isNumber: true },
          { title: "Available", of: ({ sku }: Item) => figure(sku, "available"), isNumber: true },
        ]
      : []),
  ];
  return (
    <>
      {isOpen && (
        <div class={`notice ${short.length > 0 ? "amber" : ""}`}>
          {short.length > 0 ? (
            short.map(({ sku }) => (
              <p key={sku}>
                Waits for goods: orders reserve {-figure(sku, "available")} more of{" "}
                <a href={href(["stock", sku])}>{sku}</a> than there are
                {figure(sku, "incoming") > 0 ? `, and ${figure(sku, "incoming")} are announced.` : "."}
              </p>
            ))
          ) : (
            <p>
              {order.status === "Pending"
                ? "Waits for the warehouse to claim it: all of its goods are there."
                : "The warehouse has claimed it and picks it: all of its goods are there."}
            </p>
          )}
        </div>
      )}
      <Table label="Items" rows={order.items} columns={columns} keyOf={(_, index) => index} />
    </>
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

const actionNames: Readonly<Record<string, string>> = {
  cancelOrder: "Cancel order",
  setSubStatus: "Set sub-status",
  updateOrders: "Edit",
  createReturns: "Announce a return",
};

const stages = [
  ["picked", "Pick"],
  ["shipped", "Ship"],
  ["returned", "Return"],
] as const;

interface ActionsProps {
  readonly order: OrderWithHistory;
  readonly reload: () => void;
}

function Actions({ order, reload }: ActionsProps) {
  const { mayWrite, isSandbox } = useSession();
  const [open, setOpen] = useState<string>();
  const dialog = { order, onDone: reload, onClose: () => setOpen(undefined) };
  return (
    <>
      <h2>Actions</h2>
      {!mayWrite && <p class="faint">This key is read-only.</p>}
      <ul class="actions">
        {order.actions.map((action) => (
          <li key={action.action}>
            <ActionButton action={action} onOpen={() => setOpen(action.action)} />
          </li>
        ))}
      </ul>
      {mayWrite && isSandbox && <Warehouse {...{ order, reload }} />}
      {open === "cancelOrder" && <CancelDialog {...dialog} />}
      {open === "setSubStatus" && <SubStatusDialog {...dialog} />}
    </>
  );
}

/** What the console has no form for is sent from the screen of requests. */
const withDialog: ReadonlySet<string> = new Set(["cancelOrder", "setSubStatus"]);

function ActionButton({ action, onOpen }: { readonly action: Action; readonly onOpen: () => void }) {
  const { mayWrite } = useSession();
  const name = actionNames[action.action] ?? action.action;
  if (!action.allowed)
    return (
      <>
        <span class="refused">{name}</span> <small class="faint">{action.reason}</small>
      </>
    );
  if (!mayWrite) return <span>{name}</span>;
  if (!withDialog.has(action.action)) return <a href={href(["requests", action.action])}>{name}</a>;
  return (
    <button type="button" onClick={onOpen}>
      {name}
    </button>
  );
}

interface DialogProps {
  readonly order: OrderWithHistory;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The order must be as it was seen. */
const params = (order: OrderWithHistory, dry_run: boolean) => ({
  query: { dry_run },
  header: { "If-Match": `"${order.version}"` },
});

function CancelDialog({ order, ...rest }: DialogProps) {
  const { client } = useSession();
  return (
    <WriteDialog
      {...rest}
      title={`Cancel order ${order.order_number}`}
      verb="Cancel the order"
      send={(dryRun) =>
        client.POST("/orders/cancel", { params: params(order, dryRun), body: { order_id: order.order_id } })
      }
      preview={({ data }) => <Changes from={order} to={data} />}
    />
  );
}

function SubStatusDialog({ order, ...rest }: DialogProps) {
  const { client } = useSession();
  return (
    <WriteDialog
      {...rest}
      title={`Set the sub-status of ${order.order_number}`}
      verb="Set it"
      send={(dryRun, { sub_status = "" }) =>
        client.POST("/orders/sub_status", {
          params: params(order, dryRun),
          body: { order_id: order.order_id, sub_status },
        })
      }
      preview={({ data }) => <Changes from={order} to={data} />}
    >
      <Field
        label="Sub-status"
        name="sub_status"
        value={order.sub_status ?? ""}
        required
        maxLength={64}
        hint="Your own word for where the order stands"
      />
    </WriteDialog>
  );
}

/** Plays the warehouse of a sandbox, which has no dry run. */
function Warehouse({ order, reload }: ActionsProps) {
  const { client } = useSession();
  const [state, setState] = useState<"busy" | ServiceError>();
  const play = async (to: "picked" | "shipped" | "returned"): Promise<void> => {
    setState("busy");
    try {
      await client.POST("/simulations", { body: { order_id: order.order_id, to } });
      setState(undefined);
      reload();
    } catch (error) {
      setState(failureOf(error));
    }
  };
  return (
    <>
      <h2>Play the warehouse</h2>
      <div class="row">
        {stages.map(([to, name]) => (
          <button type="button" key={to} disabled={state === "busy"} onClick={() => play(to)}>
            {name}
          </button>
        ))}
      </div>
      {state !== undefined && state !== "busy" && <Failure of={state} />}
    </>
  );
}

interface Entry {
  readonly at: string;
  readonly kind: "Change" | "Event" | "Delivery";
  readonly what: ComponentChildren;
  readonly by?: string;
  readonly json: unknown;
}

function Timeline({ order, events, deliveries }: ReadOrder) {
  const entries: readonly Entry[] = [
    ...order.history.map((change) => ({
      at: change.at,
      kind: "Change" as const,
      what: changesIn(change),
      by: change.by,
      json: change,
    })),
    ...events.map((event) => ({
      at: event.occurred_at,
      kind: "Event" as const,
      what: (
        <>
          {event.type} <span class="faint">number {event.sequence}</span>
        </>
      ),
      json: event,
    })),
    ...deliveries.map((delivery) => ({
      at: delivery.last_attempt_at ?? delivery.created_at,
      kind: "Delivery" as const,
      what: (
        <>
          {delivery.event_type} to webhook {delivery.webhook_id} <Badge of={delivery.status} />
        </>
      ),
      json: delivery,
    })),
  ];
  return (
    <ol class="timeline">
      {entries
        .toSorted((left, right) => right.at.localeCompare(left.at))
        .map(({ at, kind, what, by, json }, index) => (
          <li key={String(index)} class={kind.toLowerCase()}>
            <details>
              <summary>
                <span class="kind">{kind}</span>
                <span class="what">
                  {what}
                  {by !== undefined && <span class="faint"> by {by}</span>}
                </span>
                <Time at={at} exact />
              </summary>
              <Json of={json} />
            </details>
          </li>
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
