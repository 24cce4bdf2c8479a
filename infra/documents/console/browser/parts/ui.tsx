/**
 * What all screens are made of: times, badges, facts, answers, and the words for nothing and for failures.
 */
import type { ServiceError } from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Call, isTemporary } from "./use-call.ts";

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
      {failure !== undefined && <Failure of={failure} />}
      {failure !== undefined &&
        (isTemporary(failure) ? (
          <p class="faint">Trying again every three seconds…</p>
        ) : (
          <button type="button" onClick={reload}>
            Try again
          </button>
        ))}
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

/** Text as it is, which is scrolled by keyboard as well. */
const Code = ({ of }: { readonly of: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard
  <pre tabIndex={0}>
    <code>{of}</code>
  </pre>
);

export const Json = ({ of }: { readonly of: unknown }) => <Code of={JSON.stringify(of, undefined, 2)} />;

/** Text that is copied by a button. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <figure class="copyable">
      <figcaption class="row spread">
        <span>{label}</span>
        <button type="button" class="small" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </figcaption>
      <Code of={text} />
    </figure>
  );
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
