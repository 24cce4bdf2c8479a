/** Values as code: on one line if short, else with a line for each element. */

export interface Style {
  readonly key: (name: string) => string;
  readonly words: Readonly<Record<"null" | "true" | "false", string>>;
  readonly indent: string;
  /** The text after the last element of a list with a line for each. */
  readonly lastComma: string;
  /** Whether an object in a line has blanks inside its braces. */
  readonly spaced: boolean;
}

const words = { null: "null", true: "true", false: "false" };

export const json: Style = {
  key: (name) => JSON.stringify(name),
  words,
  indent: "  ",
  lastComma: "",
  spaced: true,
};

export const typescript: Style = {
  ...json,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
  lastComma: ",",
};

export const python: Style = {
  ...json,
  words: { null: "None", true: "True", false: "False" },
  indent: "    ",
  lastComma: ",",
  spaced: false,
};

/** Columns of a sample, which is readable beside a call's text on a screen of 1280 pixels. */
export const columns = 56;

/** `used` are the columns before the value in its first line, `indent` is the prefix of its further lines. */
export function literal(value: unknown, style: Style, indent = "", used = indent.length): string {
  const inLine = line(value, style);
  if (typeof value !== "object" || value === null || used + inLine.length <= columns) return inLine;
  const inner = indent + style.indent;
  const elements = Array.isArray(value)
    ? value.map((element) => inner + literal(element, style, inner))
    : Object.entries(value).map(([name, field]) => {
        const before = `${inner}${style.key(name)}: `;
        return before + literal(field, style, inner, before.length);
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${elements.join(",\n")}${style.lastComma}\n${indent}${close}`;
}

function line(value: unknown, style: Style): string {
  if (value === null || typeof value === "boolean")
    return style.words[value === null ? "null" : value ? "true" : "false"];
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((element) => line(element, style)).join(", ")}]`;
  const fields = Object.entries(value).map(([name, field]) => `${style.key(name)}: ${line(field, style)}`);
  const blank = style.spaced && fields.length > 0 ? " " : "";
  return `{${blank}${fields.join(", ")}${blank}}`;
}
