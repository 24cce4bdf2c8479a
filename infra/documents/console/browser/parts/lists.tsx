/** Lists: tables with their pages, records that open to their details, and the filters above them. */
import type { ComponentChildren, Key } from "preact";
import { useState } from "preact/hooks";
import { onSubmit, textsOf } from "./forms.tsx";
import { go, href, useRoute } from "./route.ts";
import { Answer, count, counted, Empty, Time } from "./ui.tsx";
import type { Call } from "./use-call.ts";

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

interface PageInfo {
  readonly page: number;
  readonly total_pages: number;
  readonly total_records: number;
}

/** The pages of a list. The page is in the address, so that it can be linked to. */
function Pages({ of, noun }: { readonly of: PageInfo; readonly noun: string }) {
  const { path, query } = useRoute();
  const { page, total_pages, total_records } = of;
  const to = (other: number) => href(path, { ...query, page: other });
  return (
    <nav class="pages" aria-label="Pages">
      <span>
        {counted(total_records, noun)}
        {total_pages > 1 && `, page ${count.format(page)} of ${count.format(total_pages)}`}
      </span>
      <span class="row">
        {page > 1 && <a href={to(page - 1)}>Previous</a>}
        {page < total_pages && <a href={to(page + 1)}>Next</a>}
      </span>
    </nav>
  );
}

const rowsPerPage = 50;

/** A table of rows that are all here, a page at a time. */
export function Paged<Row>({ noun, rows, ...table }: TableProps<Row> & { readonly noun: string }) {
  const page = Number(useRoute().query["page"] ?? 1);
  const total_pages = Math.ceil(rows.length / rowsPerPage);
  return (
    <>
      <Table {...table} rows={rows.slice((page - 1) * rowsPerPage, page * rowsPerPage)} />
      <Pages of={{ page, total_pages, total_records: rows.length }} noun={noun} />
    </>
  );
}

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly of: Call<{ readonly data: readonly Row[]; readonly metadata: PageInfo }>;
  /** One of its rows, in a word. */
  readonly noun: string;
  /** What is said if there are none. */
  readonly children: ComponentChildren;
}

/** One page of a list that the API answers, or why it is empty. */
export const List = <Row,>({ of, noun, children, ...table }: ListProps<Row>) => (
  <Answer of={of}>
    {({ data, metadata }) => (
      <>
        {data.length === 0 ? <Empty>{children}</Empty> : <Table {...table} rows={data} />}
        <Pages of={metadata} noun={noun} />
      </>
    )}
  </Answer>
);

interface FiltersProps {
  readonly verb: string;
  /** The fields, named as the parameters of the address. */
  readonly children: ComponentChildren;
}

/** The filters of a list. They are in the address, so that what they find can be linked to. */
export function Filters({ verb, children }: FiltersProps) {
  const { path, query } = useRoute();
  const { page: _page, ...filters } = query;
  return (
    <search>
      <form
        class="filters"
        key={JSON.stringify(filters)}
        onSubmit={onSubmit((form) => go(path, textsOf(form)))}
      >
        {children}
        <button type="submit">{verb}</button>
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
