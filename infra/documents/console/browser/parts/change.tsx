/**
 * A change in two steps: a dry run shows what it would do, and only then is it sent. What the dry run
 * refuses is never sent.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isTemporary, newKey, useAction } from "./calls.ts";
import { Button, onSubmit, textsOf } from "./forms.tsx";
import { type Client, useSigned } from "./session.ts";
import { Failure } from "./ui.tsx";

type Fields = Readonly<Record<string, string>>;

/** What the call of a change states besides its own parameters. */
type Writing = ReturnType<typeof writing>;
const writing = (dry_run: boolean, key: string) => ({
  query: { dry_run },
  headers: { "Idempotency-Key": key },
});

interface ChangeProps<T> {
  readonly label: string;
  readonly class?: string;
  readonly send: (client: Client, writing: Writing, fields: Fields) => Promise<T>;
  /** What the dry run's answer says of the change. */
  readonly preview: (answer: T) => ComponentChildren;
  readonly onDone: (answer: T) => void;
  /** The fields of the form, if the change needs any. */
  readonly children?: ComponentChildren;
}

/** A button that opens the dialog of a change. */
export function ChangeButton<T>(change: ChangeProps<T>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button class={change.class} onClick={() => setOpen(true)}>
        {change.label}
      </Button>
      {isOpen && <ChangeDialog {...change} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A change that a dry run has accepted. Its key is one for all that is sent of it. */
interface Checked<T> {
  readonly fields: Fields;
  readonly key: string;
  readonly answer: T;
}

function useSteps<T>({ label, send, onDone }: ChangeProps<T>, close: () => void) {
  const { announce } = useSigned();
  const { isBusy, failure, run } = useAction();
  const [checked, setChecked] = useState<Checked<T>>();
  const check = (fields: Fields) =>
    run(async (client) => {
      const key = newKey();
      setChecked(undefined);
      setChecked({ fields, key, answer: await send(client, writing(true, key), fields) });
    });
  const sendChecked = ({ fields, key }: Checked<T>) =>
    run(async (client) => {
      const answer = await send(client, writing(false, key), fields);
      announce(`${label}: done`);
      onDone(answer);
      close();
    });
  // A change whose answer was lost may be sent again, with its key.
  const isOpen = failure === undefined || isTemporary(failure);
  const edit = () => setChecked(undefined);
  return { checked: isOpen ? checked : undefined, failure, isBusy, check, sendChecked, edit };
}

function ChangeDialog<T>({ onClose, ...change }: ChangeProps<T> & { readonly onClose: () => void }) {
  const { label, preview, children } = change;
  const { checked, failure, isBusy, check, sendChecked, edit } = useSteps(change, onClose);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    if (!children) check({});
  }, []);
  const submit = onSubmit((form) => (checked === undefined ? check(textsOf(form)) : sendChecked(checked)));
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={label}>
      <form onSubmit={submit} onInput={edit}>
        <h2>{label}</h2>
        {children}
        {failure !== undefined && <Failure of={failure} />}
        {checked !== undefined && (
          <div class="notice" role="status">
            <p class="faint">Dry run: {label}</p>
            {preview(checked.answer)}
          </div>
        )}
        <div class="buttons">
          <Button onClick={() => dialog.current?.close()}>Close</Button>
          <Button type="submit" class="primary" disabled={isBusy}>
            {checked === undefined ? "Check" : label}
          </Button>
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
    <ul>
      {changed.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> <del>{textOf(before.get(name))}</del> → <ins>{textOf(value)}</ins>
        </li>
      ))}
    </ul>
  );
}

export const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "none");
