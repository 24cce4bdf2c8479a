/** The parts of all screens: headings, times, badges, answers, buttons, and texts of failures. */
import type { ServiceError } from "order-inventory-warehouse-client";
import type { ComponentChildren, ComponentProps } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { href } from "./route.ts";
import { type Call, isTemporary, useSigned } from "./service.ts";

export interface Of<T> {
  readonly of: T;
}

interface ScreenProps {
  readonly title: string;
  readonly above?: string;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen. Its heading gets the focus when it appears, so that it is read out, and names the window. */
export function Screen({ title, above, beside, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the browser paints, so that it does not interrupt what is typed next.
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

/** A time in the viewer's time zone, with its UTC time as a tooltip. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}>
    {new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })}
  </time>
);

const tones: Readonly<Record<string, string>> = {
  ...{ Pending: "amber", Processing: "blue", Shipped: "green" },
  ...{ waiting: "amber", delivered: "green", failed: "red" },
  ...{ active: "green", disabled: "red", live: "green", sandbox: "blue" },
};

export const Badge = ({ of }: Of<string>) => <span class={`badge ${tones[of] ?? ""}`}>{of}</span>;

export const count = new Intl.NumberFormat();

export const counted = (number: number, noun: string): string =>
  `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;

/** A failed call: what it means, the invalid places, and what to quote in a report. */
export function Failure({ of }: Of<ServiceError | undefined>) {
  if (of === undefined) return null;
  const { message, errors, errorsTotal, requestId, status } = of;
  const said = isTemporary(of) ? `The service does not answer (${status || "no connection"})` : message;
  const places = errors
    .filter(({ path }) => !message.startsWith(path))
    .slice(0, 10)
    .map(({ path, message }) => <p key={path}>{`${path} ${message}`}</p>);
  return (
    <div class="notice red" role="alert">
      <p>{said}.</p>
      {places}
      {errorsTotal > 10 && <p>{counted(errorsTotal, "problem")} in all.</p>}
      {requestId !== undefined && <small>Request {requestId}</small>}
    </div>
  );
}

interface AnswerProps<T> extends Of<Call<T>> {
  readonly children: (data: T) => ComponentChildren;
}

/** The answer of a call, once it exists; a failure is shown above it. */
export function Answer<T>({ of: { data, failure, isLoading, reload }, children }: AnswerProps<T>) {
  const again = <Button of="Try again" onClick={reload} />;
  return (
    <>
      <Failure of={failure} />
      {failure && (isTemporary(failure) ? <p>Trying again every three seconds…</p> : again)}
      {data === undefined && failure === undefined && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
      {data !== undefined && <div aria-busy={isLoading}>{children(data)}</div>}
    </>
  );
}

export const Json = ({ of }: Of<unknown>) => <Code of={JSON.stringify(of, undefined, 2)} label="JSON" />;

/** Preformatted text, which can be scrolled by keyboard and copied by a button. */
export function Code({ of, label }: Of<string> & { readonly label: string }) {
  const { announce } = useSigned();
  const copy = () => navigator.clipboard.writeText(of).then(() => announce("Copied"));
  return (
    <figure>
      <figcaption class="pages">
        {label} <Button of="Copy" onClick={copy} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard */}
      <pre tabIndex={0}>{of}</pre>
    </figure>
  );
}

/** `on_hand` as a title: `On hand`. */
export const titled = (name: string): string =>
  name.replaceAll("_", " ").replace(/\b(api|id|sku|url)\b|^\w/g, (part) => part.toUpperCase());

/** The simple fields of a record that have values. */
export function Fields({ of, class: name = "fields" }: Of<object> & { readonly class?: string }) {
  const plain = Object.entries(of).filter(([, value]) => value !== null && typeof value !== "object");
  const shown = (name: string, value: unknown) =>
    /_(at|since)$/.test(name) ? <Time at={String(value)} /> : String(value);
  return (
    <dl class={name}>
      {plain.map(([name, value]) => [<dt>{titled(name)}</dt>, <dd>{shown(name, value)}</dd>])}
    </dl>
  );
}

type ButtonProps = ComponentProps<"button"> & Of<string>;

/** A button, with its text in `of`. */
export const Button = ({ of, ...button }: ButtonProps) => (
  <button {...{ type: "button", ...button }}>{of}</button>
);
