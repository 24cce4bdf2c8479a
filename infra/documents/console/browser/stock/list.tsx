/** Products and their stock. */
import type { Stock } from "order-inventory-warehouse-client";
import { one } from "../orders/list.tsx";
import { type Column, ListScreen, Table } from "../parts/lists.tsx";
import { href } from "../parts/route.ts";
import { useSigned } from "../parts/service.ts";
import { count, Fields, type Of, titled } from "../parts/ui.tsx";

const figures = ["on_hand", "reserved", "held", "available", "incoming"] as const;

const Figure = ({ of }: Of<number | null>) => {
  const text = of === null ? "–" : count.format(of);
  return of ? <span class={of < 0 ? "red" : ""}>{text}</span> : <small>{text}</small>;
};

const columns: readonly Column<Stock>[] = [
  { title: "SKU", of: ({ sku }) => <a href={href(["stock", sku])}>{sku}</a> },
  { title: "Center", of: ({ distribution_center }) => distribution_center, class: "wide" },
  ...figures.map((name): Column<Stock> => {
    const isWide = name === "held" || name === "incoming";
    const of = (stock: Stock) => <Figure of={stock[name]} />;
    return { title: titled(name), of, class: isWide ? "number wide" : "number" };
  }),
];

export function StockList() {
  const { sku } = useSigned().route.query;
  return (
    <ListScreen
      title="Stock"
      noun="line"
      columns={columns}
      filters={[{ label: "SKU", name: "sku", placeholder: "LAMP-*" }]}
      read={(client, page, signal) => {
        const params = { query: { ...page, ...(sku && { sku: one(sku) }) } };
        return client.GET("/inventory/stock", { params, signal });
      }}
      empty="The account has no products yet. They appear here once they are sent to POST /inventory/products."
    />
  );
}

/** The sum of a figure over all centers; null if a center has none. */
export const sum = (stock: readonly Stock[], name: (typeof figures)[number]): number | null =>
  stock.some((one) => one[name] === null) ? null : stock.reduce((total, one) => total + (one[name] ?? 0), 0);

/** The figures of all centers together, and those of each if there are several. */
export const Figures = ({ of }: Of<readonly Stock[]>) => (
  <>
    <Fields class="figures" of={Object.fromEntries(figures.map((name) => [name, sum(of, name)]))} />
    {of.length > 1 && <Table label="Stock by center" rows={of} columns={columns.slice(1)} />}
  </>
);
