/** Form fields, and the texts entered in them. */
import type { ComponentProps } from "preact";

export type FieldProps = ComponentProps<"input"> & {
  readonly label: string;
  readonly hint?: string;
  /** The values to choose from, each with its text. */
  readonly options?: readonly (readonly [string, string])[];
};

/** A field of a form: a choice if it has options. */
export function Field({ label, hint, options, name, value, ...input }: FieldProps) {
  const choices = options?.map(([option, text]) => (
    <option key={option} value={option} selected={option === value} label={text} />
  ));
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it has one of two
    <label class={input.type === "checkbox" ? "check" : "field"}>
      <span>{label}</span>
      {choices !== undefined && <select name={name}>{choices}</select>}
      {choices === undefined && <input autocomplete="off" {...{ name, value }} {...input} />}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

type FormEvent = Event & { readonly currentTarget: HTMLFormElement };

/** Handles a form in the page instead of letting the browser send it. */
export const onSubmit = (handle: (form: HTMLFormElement) => void) => (event: FormEvent) => {
  event.preventDefault();
  handle(event.currentTarget);
};

export type Texts = Readonly<Record<string, string>>;

/** The text fields of a form, trimmed. */
export const textsOf = (form: HTMLFormElement): Texts =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
