/** What all screens are made of: tables, pages, times, badges, and the words for nothing and for failures. */
import type { ServiceError } from "order-inventory-warehouse-client";
import type { ComponentChildren, Key } from "preact";
import { useEffect, useState } from "preact/hooks";
import { href, useRoute } from "./route.ts";
import type { Call } from "./use-call.ts";
import { isTemporary } from "./use-call.ts";

const shownTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time in the viewer's zone; in UTC where the pointer rests on it. */
export function Time({ at, exact = false }: { readonly at: string | null; readonly exact?: boolean }) {
  if (at === null) return <span class="faint">–</span>;
  const utc = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  return (
    <time dateTime={at} title={utc}>
      {(exact ? exactTime : shownTime).format(new Date(at))}
    </time>
  );
}

const tones: Readonly<Record<string, string>> = {
  Pending: "amber",
  Processing: "blue",
  Shipped: "green",
  Cancelled: "gray",
  waiting: "amber",
  delivered: "green",
  failed: "red",
  active: "green",
  paused: "gray",
  disabled: "red",
};

export const Badge = ({ of }: { readonly of: string }) => (
  <span class={`badge ${tones[of] ?? "gray"}`}>{of}</span>
);

export const count = new Intl.NumberFormat();

/** `1 order`, `3 orders`. */
export const counted = (number: number, noun: string): string =>
  `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;

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

export function Table<Row>({ label, rows, columns, keyOf }: TableProps<Row>) {
  return (
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
}

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

interface PagedTableProps<Row> extends TableProps<Row> {
  readonly metadata: PageInfo;
  /** One of its rows, in a word. */
  readonly noun: string;
  /** What is said if there are none. */
  readonly children: ComponentChildren;
}

/** One page of a list, or why it is empty. */
export function PagedTable<Row>({ metadata, noun, children, ...table }: PagedTableProps<Row>) {
  return (
    <>
      {table.rows.length === 0 ? <Empty>{children}</Empty> : <Table {...table} />}
      <Pages of={metadata} noun={noun} />
    </>
  );
}

/** What a failed call means, with the invalid places and what to quote in a report. */
export function Failure({ of }: { readonly of: ServiceError }) {
  const { message, errors, errorsTotal, requestId } = of;
  const unnamed = errors.filter(({ path }) => !message.startsWith(path));
  return (
    <div class="notice red" role="alert">
      <p>
        {isTemporary(of) ? `The service does not answer (${of.status || "no connection"}).` : `${message}.`}
      </p>
      {unnamed.length > 0 && (
        <ul>
          {unnamed.slice(0, 10).map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {errorsTotal > 10 && <p>{counted(errorsTotal, "problem")} in all.</p>}
      {requestId !== undefined && (
        <p class="faint">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}

interface AnswerProps<T> {
  readonly of: Call<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** The answer of a call, once it is there; what went wrong is said above it. */
export function Answer<T>({ of: { data, failure, isLoading, reload }, children }: AnswerProps<T>) {
  return (
    <>
      {failure !== undefined && (
        <>
          <Failure of={failure} />
          {isTemporary(failure) && <p class="faint">Trying again every three seconds…</p>}
          {!isTemporary(failure) && (
            <button type="button" onClick={reload}>
              Try again
            </button>
          )}
        </>
      )}
      {data === undefined && failure === undefined && <Loading />}
      {data !== undefined && <div aria-busy={isLoading}>{children(data)}</div>}
    </>
  );
}

/** Appears only where an answer takes long, so that a quick one does not flicker. */
export const Loading = () => (
  <p class="loading faint" role="status">
    Loading…
  </p>
);

export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="empty">{children}</div>
);

export const Json = ({ of }: { readonly of: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard
  <pre tabIndex={0}>
    <code>{JSON.stringify(of, undefined, 2)}</code>
  </pre>
);

/** Text that is copied by a button. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <figure class="copyable">
      <figcaption class="row">
        <span>{label}</span>
        <button type="button" class="small" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
}

export const DayField = ({ label, name, value }: Pick<FieldProps, "label" | "name" | "value">) => (
  <label class="field">
    <span>{label}</span>
    <input name={name} value={value} type="date" />
  </label>
);

export const Field = ({ label, hint, ...input }: FieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input {...input} autocomplete="off" spellcheck={false} />
    {hint !== undefined && <small class="faint">{hint}</small>}
  </label>
);

/** The text fields of a form, trimmed. */
export function textsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(fields);
}

export const Facts = ({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value ?? <span class="faint">–</span>}</dd>
      </div>
    ))}
  </dl>
);

/** Names the page in the window's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
}
