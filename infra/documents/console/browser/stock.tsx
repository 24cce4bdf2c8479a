/** Products and their stock; of one product also its history, what reserves it, and its stock at any time. */
import type { Movement, Stock } from "order-inventory-warehouse-client";
import { useMemo, useState } from "preact/hooks";
import { Chart, type Point } from "./chart.tsx";
import { one } from "./orders.tsx";
import { useCall } from "./parts/calls.ts";
import { Button, Field } from "./parts/forms.tsx";
import { type Column, Filters, List, Paged, type PageInfo, Table } from "./parts/lists.tsx";
import { href, useRoute } from "./parts/route.ts";
import type { Client } from "./parts/session.ts";
import { Answer, count, Empty, Screen, Time } from "./parts/ui.tsx";

const figures = ["on_hand", "reserved", "held", "available", "incoming"] as const;

/** `on_hand` as a title: `On hand`. */
const titled = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll("_", " ");

const Figure = ({ of }: { readonly of: number | null }) => (
  <span class={of === null || of === 0 ? "faint" : of < 0 ? "short" : ""}>
    {of === null ? "–" : count.format(of)}
  </span>
);

const columns: readonly Column<Stock>[] = [
  { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
  { title: "Center", of: ({ distribution_center }) => distribution_center, isWide: true },
  ...figures.map((name) => ({
    title: titled(name),
    of: (stock: Stock) => <Figure of={stock[name]} />,
    isNumber: true,
    isWide: name === "held" || name === "incoming",
  })),
];

export function StockList() {
  const { sku } = useRoute().query;
  return (
    <Screen title="Stock">
      <Filters verb="Find">
        <Field label="SKU" name="sku" value={sku} placeholder="LAMP-*" />
      </Filters>
      <List
        label="Stock"
        noun="line"
        columns={columns}
        keyOf={(row) => `${row.sku} ${row.distribution_center}`}
        read={(client, page, signal) => {
          const params = { query: { ...page, ...(sku && { sku: one(sku) }) } };
          return client.GET("/inventory/stock", { params, signal });
        }}
      >
        {sku
          ? "No product matches. A SKU may end in *, which stands for anything."
          : "The account has no products yet. They appear here once they are sent to POST /inventory/products."}
      </List>
    </Screen>
  );
}

/** How many movements are read at first, and with each "More". */
const movementsAtOnce = 1000;

type Product = Awaited<ReturnType<typeof readProduct>>;

/** A product's stock, and its newest movements. */
async function readProduct(client: Client, signal: AbortSignal, sku: string, wanted: number) {
  const stock = client.GET("/inventory/stock", { params: { query: { sku: one(sku) } }, signal });
  const movements: Movement[] = [];
  let first: PageInfo | undefined;
  for (let [page, pages] = [1, 1]; page <= pages && movements.length < wanted; page += 1) {
    const params = { path: { sku }, query: { page, per_page: 100, order_direction: "desc" } } as const;
    const { data, metadata } = await client.GET("/inventory/stock/{sku}/movements", { params, signal });
    first ??= metadata;
    pages = metadata.total_pages;
    // Movements that came since the first page have moved later ones, so that some come again.
    const came = metadata.total_records - first.total_records;
    movements.push(...data.slice(movements.length + came - (page - 1) * 100));
  }
  return { sku, stock: (await stock).data, movements, total: first?.total_records ?? 0 };
}

export function ProductPage({ id: sku }: { readonly id: string }) {
  const [wanted, setWanted] = useState(movementsAtOnce);
  const product = useCall((client, signal) => readProduct(client, signal, sku, wanted), [wanted]);
  return (
    <Screen title={sku} above="Stock">
      <Answer of={product}>
        {(data) => (
          <>
            <Figures stock={data.stock} />
            <h2>Over time</h2>
            <OverTime product={data} />
            <h2>What reserves it</h2>
            <Reservations of={data.movements} />
            <h2>Movements</h2>
            <Paged
              label="Movements"
              noun="movement"
              rows={data.movements}
              columns={movementColumns}
              keyOf={(_, index) => index}
            />
            {data.movements.length < data.total && (
              <p class="row faint">
                All of this is made of the newest {count.format(data.movements.length)} movements of{" "}
                {count.format(data.total)}.
                <Button class="small" onClick={() => setWanted(wanted + movementsAtOnce)}>
                  Read more
                </Button>
              </p>
            )}
          </>
        )}
      </Answer>
    </Screen>
  );
}

const sum = (stock: readonly Stock[], name: (typeof figures)[number]): number | null =>
  stock.some((one) => one[name] === null) ? null : stock.reduce((total, one) => total + (one[name] ?? 0), 0);

/** The figures of all centers together, and those of each if there are several. */
const Figures = ({ stock }: { readonly stock: readonly Stock[] }) => (
  <>
    <dl class="figures">
      {figures.map((name) => (
        <div key={name}>
          <dt>{titled(name)}</dt>
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

/** The stock after each movement, computed backwards from today's. The oldest comes first. */
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

/** How far back the API tells stock for certain: two years, less a day. */
const keptMs = (2 * 365 - 1) * 86_400_000;

/** The chart, and a slider whose place is a time that the API is asked for. */
function OverTime({ product }: { readonly product: Product }) {
  const { sku, movements } = product;
  const [at, setAt] = useState<number>();
  const then = useCall(
    async (client, signal) => {
      if (at === undefined) return undefined;
      // While the slider moves, only the place where it rests is asked for.
      await new Promise((resolve) => setTimeout(resolve, 150));
      signal.throwIfAborted();
      const query = { sku: one(sku), as_of: new Date(at).toISOString() };
      return client.GET("/inventory/stock", { params: { query }, signal });
    },
    [at],
  );
  const points = useMemo(() => pointsOf(product), [product]);
  const now = points.at(-1)?.at ?? 0;
  const first = Math.max(points[0]?.at ?? 0, now - keptMs);
  const step = Math.max(1, Math.round((now - first) / 500));
  if (movements.length === 0) return <Empty>Nothing has moved yet.</Empty>;
  return (
    <>
      <Chart points={points} at={at} />
      <label class="field">
        <span>Stock as of {at === undefined ? "now" : <Time at={new Date(at).toISOString()} exact />}</span>
        <input
          type="range"
          min={first}
          max={now}
          step={step}
          value={at ?? now}
          onInput={({ currentTarget: { value } }) =>
            setAt(Number(value) > now - step ? undefined : Number(value))
          }
        />
      </label>
      {at !== undefined && (
        <Answer of={then}>{(answer) => answer !== undefined && <Figures stock={answer.data} />}</Answer>
      )}
    </>
  );
}

/** What a movement is about: the name of its kind and its id, which only orders have a screen for. */
function aboutOf({ order_id, hold_id, correction_id, replenishment_id, return_id }: Movement) {
  const ids = { Order: order_id, Hold: hold_id, Correction: correction_id, Replenishment: replenishment_id };
  const [named] = Object.entries({ ...ids, Return: return_id }).filter(([, id]) => id !== undefined);
  return named?.join(" ") ?? "–";
}

const linkTo = (of: Movement) =>
  of.order_id === undefined ? aboutOf(of) : <a href={href(["orders", of.order_id])}>{aboutOf(of)}</a>;

/** Who has reserved more than was given back, by the movements of each order and hold. */
function Reservations({ of }: { readonly of: readonly Movement[] }) {
  const owned = of.filter(({ order_id, hold_id }) => order_id !== undefined || hold_id !== undefined);
  const rows = [...Map.groupBy(owned, aboutOf)]
    .map(([key, moved]) => ({ key, moved, quantity: moved.reduce((all, one) => all + one.reserved, 0) }))
    .filter(({ quantity }) => quantity > 0);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: "By", of: ({ moved }) => moved.slice(0, 1).map(linkTo) },
    { title: "Quantity", of: ({ quantity }) => count.format(quantity), isNumber: true },
  ];
  if (rows.length === 0) return <Empty>No order or hold reserves it.</Empty>;
  return (
    <Paged
      label="What reserves it"
      noun="reservation"
      rows={rows}
      columns={columns}
      keyOf={({ key }) => key}
    />
  );
}

const movementColumns: readonly Column<Movement>[] = [
  { title: "At", of: ({ at }) => <Time at={at} exact /> },
  { title: "Why", of: ({ reason }) => titled(reason) },
  { title: "About", of: linkTo, isWide: true },
  { title: "Who", of: ({ by }) => by, isWide: true },
  { title: "Center", of: ({ distribution_center }) => distribution_center, isWide: true },
  { title: "On hand", of: ({ on_hand }) => delta.format(on_hand), isNumber: true },
  { title: "Reserved", of: ({ reserved }) => delta.format(reserved), isNumber: true },
];

const delta = new Intl.NumberFormat(undefined, { signDisplay: "exceptZero" });
