/**
 * A change in two steps: a dry run shows its effect, and only then is it sent. A change that the dry run
 * rejects is never sent.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { onSubmit, type Texts, textsOf } from "./forms.tsx";
import { type Client, isTemporary, newKey, useAction, useSigned } from "./service.ts";
import { Button, Failure } from "./ui.tsx";

/** The settings of a change's call besides its own parameters. */
export type Writing = ReturnType<typeof writing>;
const writing = (dry_run: boolean, key: string) => ({
  query: { dry_run },
  headers: { "Idempotency-Key": key },
});

interface ChangeProps<T> {
  readonly label: string;
  readonly class?: string;
  readonly send: (client: Client, writing: Writing, fields: Texts) => Promise<T>;
  /** What the dry run's answer shows of the change. */
  readonly preview: (answer: T) => ComponentChildren;
  readonly onDone: (answer: T) => void;
  readonly children?: ComponentChildren;
}

export function ChangeButton<T>(change: ChangeProps<T>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button of={change.label} class={change.class} onClick={() => setOpen(true)} />
      {isOpen && <ChangeDialog {...change} onClose={() => setOpen(false)} />}
    </>
  );
}

type DialogProps<T> = ChangeProps<T> & { readonly onClose: () => void };

/** A change that the dry run has accepted can be sent, with the same key for every attempt. */
function ChangeDialog<T>({ label, send, preview, onDone, onClose, children }: DialogProps<T>) {
  const { announce } = useSigned();
  const { isBusy, failure, run } = useAction();
  const [accepted, setAccepted] = useState<{ fields: Texts; key: string; answer: T }>();
  // A change whose answer was lost may be sent again, with its key.
  const checked = failure === undefined || isTemporary(failure) ? accepted : undefined;
  const verb = checked === undefined ? "Check" : label;
  const dialog = useRef<HTMLDialogElement>(null);
  const check = (fields: Texts) =>
    run(async (client) => {
      const key = newKey();
      setAccepted(undefined);
      setAccepted({ fields, key, answer: await send(client, writing(true, key), fields) });
    });
  const submit = onSubmit((form) => {
    if (checked === undefined) return check(textsOf(form));
    return run(async (client) => {
      onDone(await send(client, writing(false, checked.key), checked.fields));
      announce(`${label}: done`);
      onClose();
    });
  });
  useEffect(() => {
    dialog.current?.showModal();
    if (!children) check({});
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={label}>
      <form onSubmit={submit} onInput={() => setAccepted(undefined)}>
        <h2>{label}</h2>
        {children}
        <Failure of={failure} />
        {checked !== undefined && (
          <div class="notice" role="status">
            <p>Dry run: {label}</p>
            {preview(checked.answer)}
          </div>
        )}
        <div class="row">
          <Button of={verb} type="submit" class="primary" aria-disabled={isBusy} />
          <Button of="Close" onClick={() => dialog.current?.close()} />
        </div>
      </form>
    </dialog>
  );
}

/** Fields that change with every write, or do not belong to the record. */
const beside: ReadonlySet<string> = new Set(["updated_at", "version", "actions", "history"]);

/** The differences between a record and the dry run's answer, field by field. */
export function Changes({ from, to }: { readonly from: object; readonly to: object }) {
  const before = new Map<string, unknown>(Object.entries(from));
  const changed = Object.entries(to).filter(
    ([name, value]) => !beside.has(name) && JSON.stringify(before.get(name)) !== JSON.stringify(value),
  );
  if (changed.length === 0) return <p>This changes nothing.</p>;
  return changed.map(([name, value]) => (
    <p key={name}>
      <code>{name}</code> <del>{textOf(before.get(name))}</del> → <ins>{textOf(value)}</ins>
    </p>
  ));
}

export const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "none");
