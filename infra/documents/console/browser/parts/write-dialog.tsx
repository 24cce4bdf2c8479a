/**
 * A change in two steps: a dry run shows what it would do, and only then is it sent. What the dry run
 * refuses is never sent.
 */
import type { ServiceError } from "order-inventory-warehouse-client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { onSubmit, textsOf } from "./forms.tsx";
import { useSigned } from "./session.ts";
import { Failure } from "./ui.tsx";
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

/** The steps of a change: a dry run of what is entered, and then the change itself. */
function useSteps<T>({ title, send, onDone, onClose, children }: WriteDialogProps<T>) {
  const { reject, announce } = useSigned();
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
  return { step, attempt, edit: () => setStep({ at: "fields" }) };
}

function WriteDialog<T>(props: WriteDialogProps<T>) {
  const { title, verb, preview, onClose, children } = props;
  const { step, attempt, edit } = useSteps(props);
  const dialog = useRef<HTMLDialogElement>(null);
  const isChecked = step.at === "checked";
  useEffect(() => {
    dialog.current?.showModal();
    if (children === undefined) attempt(true, {});
  }, []);
  const submit = onSubmit((form) => (isChecked ? attempt(false, step.fields) : attempt(true, textsOf(form))));
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <form onSubmit={submit} onInput={edit}>
        <h2>{title}</h2>
        {children}
        {step.at === "refused" && <Failure of={step.failure} />}
        {isChecked && (
          <div class="notice" role="status">
            {preview(step.answer)}
          </div>
        )}
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          {(children !== undefined || isChecked) && (
            <button type="submit" class="primary" disabled={step.at === "busy"}>
              {isChecked ? verb : "Check"}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

interface WriteButtonProps<T> extends Omit<WriteDialogProps<T>, "onClose"> {
  readonly label: string;
  readonly class?: string;
}

/** A button that opens the dialog of a change. */
export function WriteButton<T>({ label, class: look = "", ...dialog }: WriteButtonProps<T>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={look} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <WriteDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
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
