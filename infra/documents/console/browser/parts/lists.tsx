/** Lists: tables with their pages, screens that list, the filters above them, and timelines. */
import type { PageQuery } from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field, type FieldProps, onSubmit, textsOf } from "./forms.tsx";
import { go, href } from "./route.ts";
import { type Client, useCall, useSigned } from "./service.ts";
import { Answer, Button, count, counted, type Of, Screen, Time } from "./ui.tsx";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => ComponentChildren;
  /** Numbers are aligned right. A wide column is hidden on narrow pages. */
  readonly class?: "number" | "wide" | "number wide";
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** What a row is, if the rows are shown a page at a time. */
  readonly noun?: string;
}

export function Table<Row>({ label, rows, columns, noun }: TableProps<Row>) {
  const [shown, pages] = usePage(rows, noun);
  const head = columns.map(({ title, class: name }) => <th class={name}>{title}</th>);
  const cellsOf = (row: Row) => columns.map(({ of, class: name }) => <td class={name}>{of(row)}</td>);
  const body = shown.map((row, index) => <tr key={String(index)}>{cellsOf(row)}</tr>);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>{head}</tr>
          </thead>
          <tbody>{body}</tbody>
        </table>
      </section>
      {pages}
    </>
  );
}

export interface PageInfo {
  readonly page: number;
  readonly total_pages: number;
  readonly total_records: number;
}

interface PagesProps extends Of<PageInfo> {
  readonly noun: string;
  readonly onPick: (page: number) => void;
}

function Pages({ of: { page, total_pages, total_records }, noun, onPick }: PagesProps) {
  const place = total_pages > 1 && `, page ${count.format(page)} of ${count.format(total_pages)}`;
  return (
    <nav class="pages" aria-label={`Pages of ${noun}s`}>
      <span>{[counted(total_records, noun), place]}</span>
      {page > 1 && <Button of="Previous" onClick={() => onPick(page - 1)} />}
      {page < total_pages && <Button of="Next" onClick={() => onPick(page + 1)} />}
    </nav>
  );
}

const perPage = 50;

/** A page of rows that are all loaded, with links to the others. Without a noun, all rows. */
function usePage<Row>(rows: readonly Row[], noun?: string) {
  const [page, setPage] = useState(1);
  if (noun === undefined) return [rows] as const;
  const of = { page, total_pages: Math.ceil(rows.length / perPage), total_records: rows.length };
  const pages = <Pages of={of} noun={noun} onPick={setPage} />;
  return [rows.slice((page - 1) * perPage, page * perPage), pages] as const;
}

export type Filters = readonly (FieldProps & { readonly name: string })[];

/** Fields that filter a list. They are in the address, so that a filtered list can be linked. */
export function Filter({ of }: Of<Filters>) {
  const { path, query } = useSigned().route;
  const { page: _page, until: _until, ...stated } = query;
  const find = onSubmit((form) => go(path, textsOf(form)));
  const pick: typeof find = (event) => event.target instanceof HTMLSelectElement && find(event);
  return (
    <search key={JSON.stringify(stated)}>
      <form class="filters" onSubmit={find} onChange={pick}>
        {of.map((field) => (
          <Field key={field.name} {...field} value={stated[field.name]} />
        ))}
        <Button of="Find" type="submit" />
        {Object.keys(stated).length > 0 && <a href={href(path)}>Clear</a>}
      </form>
    </search>
  );
}

type Listed<Row> = Readonly<{ data: readonly Row[]; metadata: PageInfo }>;

interface ListProps<Row> {
  readonly title: string;
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  readonly filters?: Filters;
  readonly read: (client: Client, page: PageQuery, signal: AbortSignal) => Promise<Listed<Row>>;
  /** When a row was created, if new rows come first. Later pages leave out rows that were added since. */
  readonly timeOf?: (row: Row) => string;
  readonly empty: string;
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A screen with a list of the API, a page at a time, or why it is empty. Its page is in the address. */
export function ListScreen<Row>({ title, noun, columns, read, timeOf, empty, ...props }: ListProps<Row>) {
  const { path, query } = useSigned().route;
  const page = Math.max(1, Math.trunc(Number(query["page"])) || 1);
  const list = useCall(
    (client, signal) => read(client, { page, per_page: perPage }, signal),
    [JSON.stringify(query)],
  );
  const isFiltered = Object.keys(query).length > 0;
  const nothing = isFiltered ? "Nothing matches. A * at the end stands for anything." : empty;
  const turn = (first: Row | undefined) => (page: number) =>
    go(path, { until: first && timeOf?.(first), ...query, page });
  return (
    <Screen title={title} beside={props.beside}>
      {props.filters && <Filter of={props.filters} />}
      {props.children}
      <Answer of={list}>
        {({ data, metadata }) => (
          <>
            {data.length === 0 && <p class="notice">{nothing}</p>}
            {data.length > 0 && <Table label={title} rows={data} columns={columns} />}
            <Pages of={metadata} noun={noun} onPick={turn(data[0])} />
          </>
        )}
      </Answer>
    </Screen>
  );
}

export interface Entry {
  readonly id: string;
  readonly kind: ComponentChildren;
  readonly what: string;
  readonly note: ComponentChildren;
  readonly at: string;
  /** The content of an open entry. It is created and requested when the entry is opened. */
  readonly opened: () => ComponentChildren;
}

export function Timeline({ of, noun }: Of<readonly Entry[]> & { readonly noun?: string }) {
  const [shown, pages] = usePage(of, noun);
  const items = shown.map((entry) => <Item key={entry.id} {...entry} />);
  return (
    <>
      <ol class="timeline">{items}</ol>
      {pages}
    </>
  );
}

function Item({ kind, what, note, at, opened }: Entry) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span>{kind}</span>
          <span>
            {what} <small>{note}</small>
          </span>
          <Time at={at} />
        </summary>
        {isOpen && <div class="opened">{opened()}</div>}
      </details>
    </li>
  );
}
