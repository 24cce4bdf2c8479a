/** Fields of forms, and what is entered in them. */

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly type?: "date";
  /** The `datalist` with what the field suggests. */
  readonly list?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
}

export const Field = ({ label, hint, ...input }: FieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input {...input} autocomplete="off" spellcheck={false} />
    {hint !== undefined && <small class="faint">{hint}</small>}
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
export function textsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(fields);
}
