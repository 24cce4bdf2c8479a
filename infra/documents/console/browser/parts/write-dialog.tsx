/**
 * A change in two steps: a dry run shows what it would do, and only then is it sent. What the dry run
 * refuses is never sent.
 */
import type { ServiceError } from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSigned } from "./session.ts";
import { Failure, textsOf } from "./ui.tsx";
import { failureOf } from "./use-call.ts";

type Fields = Readonly<Record<string, string>>;

interface WriteDialogProps<T> {
  readonly title: string;
  /** What the button says that sends the change. */
  readonly verb: string;
  readonly send: (dryRun: boolean, fields: Fields) => Promise<T>;
  /** What the dry run's answer says of the change. */
  readonly preview: (answer: T) => ComponentChildren;
  readonly onDone: (answer: T) => void;
  readonly onClose: () => void;
  /** The fields of the form, if the change needs any. */
  readonly children?: ComponentChildren;
}

type Step<T> =
  | { readonly at: "fields" | "busy" }
  | { readonly at: "refused"; readonly failure: ServiceError }
  | { readonly at: "checked"; readonly answer: T; readonly fields: Fields };

export function WriteDialog<T>(props: WriteDialogProps<T>) {
  const { title, verb, send, preview, onDone, onClose, children } = props;
  const { reject, announce } = useSigned();
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState<Step<T>>({ at: children === undefined ? "busy" : "fields" });

  const attempt = async (dryRun: boolean, fields: Fields): Promise<void> => {
    setStep({ at: "busy" });
    try {
      const answer = await send(dryRun, fields);
      if (dryRun) return setStep({ at: "checked", answer, fields });
      announce(`${title}: done`);
      onDone(answer);
      onClose();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.status === 401) return reject(failure);
      setStep({ at: "refused", failure });
    }
  };

  useEffect(() => {
    dialog.current?.showModal();
    if (children === undefined) attempt(true, {});
  }, []);

  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    if (step.at === "checked") attempt(false, step.fields);
    else attempt(true, textsOf(event.currentTarget));
  };

  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <form onSubmit={submit} onInput={() => setStep({ at: "fields" })}>
        <h2>{title}</h2>
        {children}
        {step.at === "refused" && <Failure of={step.failure} />}
        {step.at === "checked" && (
          <div class="notice" role="status">
            {preview(step.answer)}
          </div>
        )}
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          {(children !== undefined || step.at === "checked") && (
            <button type="submit" class="primary" disabled={step.at === "busy"}>
              {step.at === "checked" ? verb : "Check"}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

/** What changes with every write, or is no part of the record. */
const beside: ReadonlySet<string> = new Set(["updated_at", "version", "actions", "history"]);

/** What differs between a record and the dry run's answer, field by field. */
export function Changes({ from, to }: { readonly from: object; readonly to: object }) {
  const before = new Map<string, unknown>(Object.entries(from));
  const changed = Object.entries(to).filter(
    ([name, value]) => !beside.has(name) && JSON.stringify(before.get(name)) !== JSON.stringify(value),
  );
  if (changed.length === 0) return <p>This changes nothing.</p>;
  return (
    <>
      <p>This would change:</p>
      <ul class="changes">
        {changed.map(([name, value]) => (
          <li key={name}>
            <code>{name}</code> <del>{textOf(before.get(name))}</del> <ins>{textOf(value)}</ins>
          </li>
        ))}
      </ul>
    </>
  );
}

export const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? "none"
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
