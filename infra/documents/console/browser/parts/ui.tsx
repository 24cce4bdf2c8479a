/** What all screens are made of: headings, times, badges, facts, answers, and words for failures. */
import type { ServiceError } from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Call, isTemporary } from "./calls.ts";
import { Button } from "./forms.tsx";
import { href } from "./route.ts";

interface ScreenProps {
  readonly title: string;
  /** The list that the screen belongs to. */
  readonly above?: string;
  /** What stands beside the heading. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen. Its heading takes the focus once it appears, so that it is read out, and names the window. */
export function Screen({ title, above, beside, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the browser paints, so that it takes nothing from what is typed next.
  useLayoutEffect(() => {
    document.title = `${title} · Console`;
    heading.current?.focus();
  }, [title]);
  return (
    <>
      {above !== undefined && <a href={href([above.toLowerCase()])}>{above}</a>}
      <header class="row">
        <h1 key={title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
      </header>
      {children}
    </>
  );
}

/** A time in the viewer's zone; in UTC where the pointer rests on it. */
export function Time({ at, exact = false }: { readonly at: string | null; readonly exact?: boolean }) {
  if (at === null) return <span class="faint">–</span>;
  const shown = new Intl.DateTimeFormat(undefined, {
    dateStyle: "medium",
    timeStyle: exact ? "medium" : "short",
  });
  return (
    <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}>
      {shown.format(new Date(at))}
    </time>
  );
}

const tones: Readonly<Record<string, string>> = {
  Pending: "amber",
  Processing: "blue",
  Shipped: "green",
  waiting: "amber",
  delivered: "green",
  failed: "red",
  active: "green",
  live: "green",
  disabled: "red",
};

export const Badge = ({ of }: { readonly of: string }) => (
  <span class={`badge ${tones[of] ?? ""}`}>{of}</span>
);

export const count = new Intl.NumberFormat();

/** `1 order`, `3 orders`. */
export const counted = (number: number, noun: string): string =>
  `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;

/** What a failed call means, with the invalid places and what to quote in a report. */
export function Failure({ of }: { readonly of: ServiceError }) {
  const { message, errors, errorsTotal, requestId, status } = of;
  const unnamed = errors.filter(({ path }) => !message.startsWith(path)).slice(0, 10);
  const said = isTemporary(of) ? `The service does not answer (${status || "no connection"})` : message;
  return (
    <div class="notice red" role="alert">
      <p>{said}.</p>
      {unnamed.map(({ path, message }) => (
        <p key={path}>
          <code>{path}</code> {message}
        </p>
      ))}
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
          {isTemporary(failure) ? (
            <p class="faint">Trying again every three seconds…</p>
          ) : (
            <Button onClick={reload}>Try again</Button>
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
    <figure>
      <figcaption class="pages">
        <span>{label}</span>
        <Button class="small" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </figcaption>
      <Code of={text} />
    </figure>
  );
}

export const Facts = ({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of).map(([term, value]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{value ?? <span class="faint">–</span>}</dd>
      </div>
    ))}
  </dl>
);
