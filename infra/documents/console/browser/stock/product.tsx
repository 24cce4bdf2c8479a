/** One product: its stock now and at any time, what reserves it, and what moved it. */
import type { Movement } from "order-inventory-warehouse-client";
import { useMemo, useState } from "preact/hooks";
import { one } from "../orders/list.tsx";
import { type Column, type PageInfo, Table } from "../parts/lists.tsx";
import { href } from "../parts/route.ts";
import { type Client, useCall } from "../parts/service.ts";
import { Answer, Button, count, counted, type Of, Screen, Time, titled } from "../parts/ui.tsx";
import { Chart } from "./chart.tsx";
import { Figures, sum } from "./list.tsx";
import { pointsOf } from "./points.ts";

/** The number of movements read at first, and with each "Read more". */
const movementsAtOnce = 1000;

type Product = Awaited<ReturnType<typeof readProduct>>;

async function readProduct(client: Client, signal: AbortSignal, sku: string, wanted: number) {
  const stock = client.GET("/inventory/stock", { params: { query: { sku: one(sku) } }, signal });
  const movements: Movement[] = [];
  let first: PageInfo | undefined;
  // A path can't have these, not even encoded: API Gateway decodes it before it finds the call.
  const isInPaths = !/[/?]/.test(sku);
  let pages = Number(isInPaths);
  for (let page = 1; page <= pages && movements.length < wanted; page += 1) {
    const params = { path: { sku }, query: { page, per_page: 100, order_direction: "desc" } } as const;
    const { data, metadata } = await client.GET("/inventory/stock/{sku}/movements", { params, signal });
    first ??= metadata;
    pages = metadata.total_pages;
    // Movements since the first page have shifted later ones, so some are returned again.
    const came = metadata.total_records - first.total_records;
    movements.push(...data.slice(movements.length + came - (page - 1) * 100));
  }
  return { sku, stock: (await stock).data, isInPaths, movements, total: first?.total_records ?? 0 };
}

export function ProductPage({ id: sku }: { readonly id: string }) {
  const [wanted, setWanted] = useState(movementsAtOnce);
  const product = useCall((client, signal) => readProduct(client, signal, sku, wanted), [wanted]);
  return (
    <Screen title={sku} above="Stock">
      <Answer of={product}>
        {(data) => (
          <>
            <Figures of={data.stock} />
            {data.isInPaths ? (
              <History of={data} onMore={() => setWanted(wanted + movementsAtOnce)} />
            ) : (
              <p class="notice">No call reads the movements of a SKU with a slash or a question mark.</p>
            )}
          </>
        )}
      </Answer>
    </Screen>
  );
}

function History({ of, onMore }: Of<Product> & { readonly onMore: () => void }) {
  const { movements, total } = of;
  return (
    <>
      <h2>Over time</h2>
      <OverTime of={of} />
      <h2>What reserves it</h2>
      <Reservations of={movements} />
      <h2>Movements</h2>
      <Table label="Movements" noun="movement" rows={movements} columns={movementColumns} />
      {movements.length < total && (
        <p class="row">
          {`This is made of the newest of ${counted(total, "movement")}.`}
          <Button of="Read more" onClick={onMore} />
        </p>
      )}
    </>
  );
}

/** How far back the API is certain to have stock: two years, less a day. */
const keptMs = (2 * 365 - 1) * 86_400_000;

/** The chart, and a slider that selects a time to request from the API. */
function OverTime({ of }: Of<Product>) {
  const { sku, stock, movements } = of;
  const [at, setAt] = useState<number>();
  const then = useCall(
    async (client, signal) => {
      if (at === undefined) return undefined;
      // While the slider moves, only the position where it rests is requested.
      await new Promise((resolve) => setTimeout(resolve, 150));
      signal.throwIfAborted();
      const query = { sku: one(sku), as_of: new Date(at).toISOString() };
      return client.GET("/inventory/stock", { params: { query }, signal });
    },
    [at],
  );
  const points = useMemo(() => {
    const today = { on_hand: sum(stock, "on_hand") ?? 0, reserved: sum(stock, "reserved") ?? 0 };
    return pointsOf(today, movements);
  }, [of]);
  const now = points.at(-1)?.at ?? 0;
  const first = Math.max(points[0]?.at ?? 0, now - keptMs);
  const step = Math.max(1, Math.round((now - first) / 500));
  const move = (to: number) => setAt(to > now - step ? undefined : to);
  const slider = { min: first, max: now, step, value: at ?? now };
  if (movements.length === 0) return <p class="notice">Nothing has moved yet.</p>;
  return (
    <>
      <Chart points={points} at={at} />
      <label class="field">
        <span>Stock as of {at === undefined ? "now" : <Time at={new Date(at).toISOString()} />}</span>
        <input type="range" {...slider} onInput={({ currentTarget }) => move(currentTarget.valueAsNumber)} />
      </label>
      {at !== undefined && <Answer of={then}>{(answer) => answer && <Figures of={answer.data} />}</Answer>}
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

/** The orders and holds that have reserved more than was given back, by their movements. */
function Reservations({ of }: Of<readonly Movement[]>) {
  const owned = of.filter(({ order_id, hold_id }) => order_id !== undefined || hold_id !== undefined);
  const rows = [...Map.groupBy(owned, aboutOf).values()]
    .map((moved) => ({ moved, quantity: moved.reduce((all, one) => all + one.reserved, 0) }))
    .filter(({ quantity }) => quantity > 0);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: "By", of: ({ moved }) => moved.slice(0, 1).map(linkTo) },
    { title: "Quantity", of: ({ quantity }) => count.format(quantity), class: "number" },
  ];
  if (rows.length === 0) return <p class="notice">No order or hold reserves it.</p>;
  return <Table label="What reserves it" noun="reservation" rows={rows} columns={columns} />;
}

const delta = new Intl.NumberFormat(undefined, { signDisplay: "exceptZero" });

const movementColumns: readonly Column<Movement>[] = [
  { title: "At", of: ({ at }) => <Time at={at} /> },
  { title: "Why", of: ({ reason }) => titled(reason) },
  { title: "About", of: linkTo, class: "wide" },
  { title: "Who", of: ({ by }) => by, class: "wide" },
  { title: "Center", of: ({ distribution_center }) => distribution_center, class: "wide" },
  { title: "On hand", of: ({ on_hand }) => delta.format(on_hand), class: "number" },
  { title: "Reserved", of: ({ reserved }) => delta.format(reserved), class: "number" },
];
