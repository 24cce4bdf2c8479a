/** Products and their stock; of one product also its history, what reserves it, and its stock at any time. */
import type { Movement, Stock } from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Chart, type Point } from "./chart.tsx";
import { one } from "./orders.tsx";
import { Field } from "./parts/forms.tsx";
import { type Column, Filters, List, Table } from "./parts/lists.tsx";
import { href, useRoute } from "./parts/route.ts";
import { type Session, useSession } from "./parts/session.ts";
import { Answer, count, Empty, Time, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";

const perPage = 50;

const figures = ["on_hand", "reserved", "held", "available", "incoming"] as const;

const figureColumns: readonly Column<Stock>[] = figures.map((name) => ({
  title: title(name),
  of: (stock) => <Figure of={stock[name]} />,
  isNumber: true,
  isWide: name === "held" || name === "incoming",
}));

function title(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const Figure = ({ of }: { readonly of: number | null }) => (
  <span class={of === null || of === 0 ? "faint" : of < 0 ? "short" : ""}>
    {of === null ? "–" : count.format(of)}
  </span>
);

const columns: readonly Column<Stock>[] = [
  { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
  { title: "Center", of: ({ distribution_center }) => distribution_center, isWide: true },
  ...figureColumns,
];

export function StockList() {
  useTitle("Stock");
  const { client } = useSession();
  const { query } = useRoute();
  const sku = one(query["sku"]);
  const page = Number(query["page"] ?? 1);
  const stock = useCall(
    (signal) => {
      const search = { page, per_page: perPage, ...(sku === undefined ? {} : { sku }) };
      return client.GET("/inventory/stock", { params: { query: search }, signal });
    },
    [sku, page],
  );
  return (
    <>
      <h1>Stock</h1>
      <Filters verb="Find">
        <Field label="SKU" name="sku" value={query["sku"]} placeholder="LAMP-*" />
      </Filters>
      <List
        of={stock}
        label="Stock"
        noun="line"
        columns={columns}
        keyOf={(row) => `${row.sku} ${row.distribution_center}`}
      >
        {sku === undefined
          ? "The account has no products yet. They appear here once they are sent to POST /inventory/products."
          : "No product matches. A SKU may end in *, which stands for anything."}
      </List>
    </>
  );
}

/** The newest movements that the chart and the reservations are made of. */
const movementPages = 10;

interface Product {
  readonly stock: readonly Stock[];
  /** The newest first. */
  readonly movements: readonly Movement[];
  readonly isWhole: boolean;
}

async function readProduct({ client }: Session, sku: string, signal: AbortSignal): Promise<Product> {
  const stock = client.GET("/inventory/stock", { params: { query: { sku: one(sku) ?? "" } }, signal });
  const movements: Movement[] = [];
  let pages = 1;
  for (let page = 1; page <= Math.min(pages, movementPages); page += 1) {
    const query = { page, per_page: 100, order_direction: "desc" } as const;
    const params = { path: { sku }, query };
    const read = await client.GET("/inventory/stock/{sku}/movements", { params, signal });
    movements.push(...read.data);
    pages = read.metadata.total_pages;
  }
  return { stock: (await stock).data, movements, isWhole: pages <= movementPages };
}

export function ProductPage({ sku }: { readonly sku: string }) {
  const session = useSession();
  useTitle(sku);
  const product = useCall((signal) => readProduct(session, sku, signal), [sku]);
  return (
    <>
      <p class="crumbs">
        <a href={href(["stock"])}>Stock</a>
      </p>
      <h1>{sku}</h1>
      <Answer of={product}>
        {(data) => (
          <>
            <Figures stock={data.stock} />
            <h2>Over time</h2>
            <OverTime sku={sku} {...data} />
            <h2>What reserves it</h2>
            <Reservations {...data} />
            <h2>Movements</h2>
            <Movements sku={sku} />
          </>
        )}
      </Answer>
    </>
  );
}

const sum = (stock: readonly Stock[], name: (typeof figures)[number]): number | null =>
  stock.reduce<number | null>((total, one) => {
    const value = one[name];
    return value === null || total === null ? null : total + value;
  }, 0);

/** The figures of all centers together, and those of each if there are several. */
const Figures = ({ stock }: { readonly stock: readonly Stock[] }) => (
  <>
    <dl class="figures">
      {figures.map((name) => (
        <div key={name}>
          <dt>{title(name)}</dt>
          <dd>
            <Figure of={sum(stock, name)} />
          </dd>
        </div>
      ))}
    </dl>
    {stock.length > 1 && (
      <Table
        label="Stock by center"
        rows={stock}
        columns={columns.slice(1)}
        keyOf={({ distribution_center }) => distribution_center}
      />
    )}
  </>
);

/** The stock after each movement, computed backwards from today's. */
function pointsOf({ stock, movements }: Product): readonly Point[] {
  let on_hand = sum(stock, "on_hand") ?? 0;
  let reserved = sum(stock, "reserved") ?? 0;
  const points: Point[] = [{ at: Date.now(), on_hand, available: on_hand - reserved }];
  for (const movement of movements) {
    points.push({ at: Date.parse(movement.at), on_hand, available: on_hand - reserved });
    on_hand -= movement.on_hand;
    reserved -= movement.reserved;
  }
  return points.toReversed();
}

function OverTime({ sku, ...product }: Product & { readonly sku: string }) {
  const { client } = useSession();
  const [asOf, setAsOf] = useState<number>();
  const then = useCall(
    async (signal) => {
      if (asOf === undefined) return undefined;
      // While the slider moves, only the place where it rests is asked for.
      await new Promise((resolve) => setTimeout(resolve, 150));
      signal.throwIfAborted();
      const query = { sku: one(sku) ?? "", as_of: new Date(asOf).toISOString() };
      return client.GET("/inventory/stock", { params: { query }, signal });
    },
    [asOf],
  );
  const points = pointsOf(product);
  const [first] = points;
  if (product.movements.length === 0 || first === undefined) return <Empty>Nothing has moved yet.</Empty>;
  return (
    <>
      <Chart points={points} at={asOf} />
      <Slider from={first.at} asOf={asOf} onMove={setAsOf} />
      {asOf !== undefined && (
        <Answer of={then}>{(answer) => answer !== undefined && <Figures stock={answer.data} />}</Answer>
      )}
      {!product.isWhole && <p class="faint">The chart begins with the newest 1,000 movements.</p>}
    </>
  );
}

interface SliderProps {
  readonly from: number;
  readonly asOf: number | undefined;
  readonly onMove: (time: number) => void;
}

function Slider({ from, asOf, onMove }: SliderProps) {
  const now = Date.now();
  return (
    <label class="field slider">
      <span>Stock as of {asOf === undefined ? "now" : <Time at={new Date(asOf).toISOString()} exact />}</span>
      <input
        type="range"
        min={from}
        max={now}
        step={Math.max(1, Math.round((now - from) / 500))}
        value={asOf ?? now}
        onInput={({ currentTarget }) => onMove(Number(currentTarget.value))}
      />
    </label>
  );
}

interface Reservation {
  readonly what: ComponentChildren;
  readonly key: string;
  readonly quantity: number;
}

/** Who has reserved more than was given back, by the movements of each order and hold. */
function reservationsOf(movements: readonly Movement[]): readonly Reservation[] {
  const byOwner = Map.groupBy(
    movements.filter(({ order_id, hold_id }) => order_id !== undefined || hold_id !== undefined),
    ({ order_id, hold_id }) => (order_id === undefined ? `hold ${hold_id}` : `order ${order_id}`),
  );
  return [...byOwner]
    .map(([key, moved]) => ({
      key,
      what: <OwnerLink of={moved[0]} />,
      quantity: moved.reduce((total, { reserved }) => total + reserved, 0),
    }))
    .filter(({ quantity }) => quantity > 0);
}

/** What a movement is about. */
function OwnerLink({ of }: { readonly of: Movement | undefined }) {
  if (of?.order_id !== undefined) return <a href={href(["orders", of.order_id])}>Order {of.order_id}</a>;
  const { hold_id, correction_id, replenishment_id, return_id } = of ?? {};
  const names = {
    Hold: hold_id,
    Correction: correction_id,
    Replenishment: replenishment_id,
    Return: return_id,
  };
  const [named] = Object.entries(names).filter(([, id]) => id !== undefined);
  return <>{named?.join(" ") ?? "–"}</>;
}

function Reservations({ movements, isWhole }: Product) {
  const reservations = reservationsOf(movements);
  const columns: readonly Column<Reservation>[] = [
    { title: "By", of: ({ what }) => what },
    { title: "Quantity", of: ({ quantity }) => count.format(quantity), isNumber: true },
  ];
  return (
    <>
      {reservations.length === 0 ? (
        <Empty>No order or hold reserves it.</Empty>
      ) : (
        <Table label="What reserves it" rows={reservations} columns={columns} keyOf={({ key }) => key} />
      )}
      {!isWhole && <p class="faint">Of the newest 1,000 movements; older reservations are not listed.</p>}
    </>
  );
}

const movementColumns: readonly Column<Movement>[] = [
  { title: "At", of: ({ at }) => <Time at={at} exact /> },
  { title: "Why", of: ({ reason }) => title(reason) },
  { title: "About", of: (movement) => <OwnerLink of={movement} />, isWide: true },
  { title: "Who", of: ({ by }) => by, isWide: true },
  { title: "Center", of: ({ distribution_center }) => distribution_center, isWide: true },
  { title: "On hand", of: ({ on_hand }) => <Delta of={on_hand} />, isNumber: true },
  { title: "Reserved", of: ({ reserved }) => <Delta of={reserved} />, isNumber: true },
];

const Delta = ({ of }: { readonly of: number }) => (
  <span class={of === 0 ? "faint" : ""}>{of > 0 ? `+${count.format(of)}` : count.format(of)}</span>
);

function Movements({ sku }: { readonly sku: string }) {
  const { client } = useSession();
  const { query } = useRoute();
  const page = Number(query["page"] ?? 1);
  const movements = useCall(
    (signal) => {
      const params = { path: { sku }, query: { page, order_direction: "desc" } } as const;
      return client.GET("/inventory/stock/{sku}/movements", { params, signal });
    },
    [sku, page],
  );
  return (
    <List
      of={movements}
      label="Movements"
      noun="movement"
      columns={movementColumns}
      keyOf={(_, index) => index}
    >
      Nothing has moved yet.
    </List>
  );
}
