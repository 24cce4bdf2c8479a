/** Buttons, fields of forms, and what is entered in them. */
import type { ComponentProps } from "preact";

export const Button = (props: ComponentProps<"button">) => <button type="button" {...props} />;

type FieldProps = ComponentProps<"input"> & { readonly label: string; readonly hint?: string };

export const Field = ({ label, hint, ...input }: FieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input autocomplete="off" spellcheck={false} {...input} />
    {hint !== undefined && <small>{hint}</small>}
  </label>
);

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  /** Each value with its text. */
  readonly options: readonly (readonly [string, string])[];
  readonly onPick: (select: HTMLSelectElement) => void;
}

export const Select = ({ label, name, value = "", options, onPick }: SelectProps) => (
  <label class="field">
    <span>{label}</span>
    <select name={name} onChange={({ currentTarget }) => onPick(currentTarget)}>
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

type FormEvent = SubmitEvent & { readonly currentTarget: HTMLFormElement };

/** Handles a form in the page, which the browser would otherwise send. */
export const onSubmit = (handle: (form: HTMLFormElement) => void) => (event: FormEvent) => {
  event.preventDefault();
  handle(event.currentTarget);
};

/** The text fields of a form, trimmed. */
export const textsOf = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
