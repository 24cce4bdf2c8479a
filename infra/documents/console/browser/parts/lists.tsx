/** Lists: tables with their pages, records that open to their details, and the filters above them. */
import type { ComponentChildren, Key } from "preact";
import { useState } from "preact/hooks";
import { useCall } from "./calls.ts";
import { Button, onSubmit, textsOf } from "./forms.tsx";
import { go, href, useRoute } from "./route.ts";
import type { Client } from "./session.ts";
import { Answer, count, counted, Empty, Time } from "./ui.tsx";

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where the page is narrow. */
  readonly isWide?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row, index: number) => Key;
}

const columnClass = ({ isNumber = false, isWide = false }: Column<never>): string =>
  [isNumber ? "number" : "", isWide ? "wide" : ""].join(" ").trim();

export const Table = <Row,>({ label, rows, columns, keyOf }: TableProps<Row>) => (
  // A table wider than the page is scrolled, by keyboard as well.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard
  <section class="scroll" tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={columnClass(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)}>
            {columns.map((column) => (
              <td key={column.title} class={columnClass(column)}>
                {column.of(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

export interface PageInfo {
  readonly page: number;
  readonly total_pages: number;
  readonly total_records: number;
}

interface PagesProps {
  readonly of: PageInfo;
  /** One of the rows, in a word. */
  readonly noun: string;
  readonly onPick: (page: number) => void;
}

function Pages({ of: { page, total_pages, total_records }, noun, onPick }: PagesProps) {
  const turn = (label: string, to: number, isThere: boolean) =>
    isThere && (
      <Button class="plain" onClick={() => onPick(to)}>
        {label}
      </Button>
    );
  return (
    <nav class="pages" aria-label={`Pages of ${noun}s`}>
      <span>
        {counted(total_records, noun)}
        {total_pages > 1 && `, page ${count.format(page)} of ${count.format(total_pages)}`}
      </span>
      <span class="row">
        {turn("Previous", page - 1, page > 1)}
        {turn("Next", page + 1, page < total_pages)}
      </span>
    </nav>
  );
}

const perPage = 50;

/** A table of rows that are all here, a page at a time. */
export function Paged<Row>({ noun, rows, ...table }: TableProps<Row> & { readonly noun: string }) {
  const [page, setPage] = useState(1);
  const of = { page, total_pages: Math.ceil(rows.length / perPage), total_records: rows.length };
  return (
    <>
      <Table {...table} rows={rows.slice((page - 1) * perPage, page * perPage)} />
      <Pages of={of} noun={noun} onPick={setPage} />
    </>
  );
}

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly noun: string;
  /** Reads a page of what the filters in the address find. */
  readonly read: (client: Client, page: Paging, signal: AbortSignal) => Promise<Listed<Row>>;
  /** When a row was made, if new rows come first. Later pages leave out those that came meanwhile. */
  readonly timeOf?: (row: Row) => string;
  /** What is said if there are none. */
  readonly children: ComponentChildren;
}

interface Listed<Row> {
  readonly data: readonly Row[];
  readonly metadata: PageInfo;
}

interface Paging {
  readonly page: number;
  readonly per_page: number;
}

/** A list of the API, a page at a time, or why it is empty. Its page is in the address. */
export function List<Row>({ noun, read, timeOf, children, ...table }: ListProps<Row>) {
  const { path, query } = useRoute();
  const page = Math.max(1, Math.trunc(Number(query["page"])) || 1);
  const list = useCall(
    (client, signal) => read(client, { page, per_page: perPage }, signal),
    [JSON.stringify(query)],
  );
  return (
    <Answer of={list}>
      {({ data: [first, ...others], metadata }) => (
        <>
          {first === undefined ? <Empty>{children}</Empty> : <Table {...table} rows={[first, ...others]} />}
          <Pages
            of={metadata}
            noun={noun}
            onPick={(page) => go(path, { until: first && timeOf?.(first), ...query, page })}
          />
        </>
      )}
    </Answer>
  );
}

interface FiltersProps {
  readonly verb: string;
  /** The fields, named as the parameters of the address. */
  readonly children: ComponentChildren;
}

/** The filters of a list. They are in the address, so that what they find can be linked to. */
export function Filters({ verb, children }: FiltersProps) {
  const { path, query } = useRoute();
  const { page: _page, until: _until, ...filters } = query;
  return (
    <search>
      <form
        class="filters"
        key={JSON.stringify(filters)}
        onSubmit={onSubmit((form) => go(path, textsOf(form)))}
      >
        {children}
        <Button type="submit">{verb}</Button>
        {Object.keys(filters).length > 0 && <a href={href(path)}>Clear</a>}
      </form>
    </search>
  );
}

interface EntryProps {
  readonly kind: ComponentChildren;
  readonly what: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly at: string;
  /** What it opens to. */
  readonly children: ComponentChildren;
}

/** An entry of a timeline. What it opens to is made, and asked for, once it is open. */
export function Entry({ kind, what, note, at, children }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="kind">{kind}</span>
          <span class="what">
            {what} <span class="faint">{note}</span>
          </span>
          <Time at={at} exact />
        </summary>
        {isOpen && <div class="opened">{children}</div>}
      </details>
    </li>
  );
}
