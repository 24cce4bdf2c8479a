/** Pieces of HTML that pages share: inline text, code, and the fields of a schema. */
import { Marked } from "marked";
import { escapeHtml } from "../../../shared/http/pages/forms.ts";
import type { Schema } from "../openapi/schemas.ts";

const inline = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } });

/** A description, which may have `code` and links. */
export const inlineText = (text: string): string => {
  const html = inline.parseInline(text);
  if (typeof html !== "string") throw new Error("marked answered a promise");
  return html;
};

/** Code with its language, for the page's script, which colors it and lets users copy it. */
export const codeBlock = (code: string, language: string): string =>
  `<pre data-language="${language}"><code>${escapeHtml(code)}</code></pre>`;

/** The addresses of records' descriptions, by their names in the document. */
export type RecordLinks = ReadonlyMap<string, string>;

const reference = "#/components/schemas/";
export const recordOf = ({ $ref }: Schema): string | undefined => $ref?.slice(reference.length);

/** The record in a field, also as the element of a list. */
const recordIn = (field: Schema): string | undefined =>
  recordOf(field) ?? (field.items === undefined ? undefined : recordOf(field.items));

/** The objects that a field consists of: its own, those of its elements, or those of its choices. */
export const objectsIn = (field: Schema): readonly Schema[] => {
  if (field.properties !== undefined) return [field];
  if (field.items !== undefined) return objectsIn(field.items);
  return (field.anyOf ?? []).flatMap(objectsIn);
};

const plural: Readonly<Record<string, string>> = {
  string: "strings",
  integer: "integers",
  number: "numbers",
  boolean: "booleans",
  object: "objects",
};

/** The type of a field as text. Records link to their descriptions. */
export function typeOf(field: Schema, links: RecordLinks): string {
  const record = recordIn(field);
  const link = record === undefined ? undefined : links.get(record);
  const shown = link === undefined ? record : `<a href="${link}">${record}</a>`;
  if (shown !== undefined) return field.items === undefined ? shown : `list of ${shown}`;
  if (field.anyOf !== undefined)
    return [...new Set(field.anyOf.map((choice) => typeOf(choice, links)))].join(" or ");
  const types = [field.type ?? []].flat();
  if (types.length === 0) return "any";
  return types
    .map((type) => {
      if (type !== "array") return type === "string" && field.format ? field.format : type;
      const element = [field.items?.type ?? []].flat()[0] ?? "";
      return `list of ${plural[element] ?? "values"}`;
    })
    .join(" or ");
}

const numberOf = (value: number): string => value.toLocaleString("en-US");

const bounds = (least = 0, most: number | undefined, unit: string): string[] => {
  if (most === undefined) return least === 0 ? [] : [`at least ${numberOf(least)}${unit}`];
  return [`${least === 0 ? "at most" : `${numberOf(least)} to`} ${numberOf(most)}${unit}`];
};

const code = (value: unknown): string =>
  `<code>${escapeHtml(typeof value === "string" ? value : JSON.stringify(value))}</code>`;

/** The limits of a value, beyond its type. */
function limitsOf(field: Schema): string {
  const choices = (field.enum ?? []).filter((value) => value !== null);
  const limits = [
    ...bounds(field.minLength, field.maxLength, " characters"),
    ...bounds(field.minimum, field.maximum, ""),
    ...bounds(field.minItems, field.maxItems, " elements"),
    ...(choices.length > 0 ? [`one of ${choices.map(code).join(", ")}`] : []),
    ...(field.default === undefined ? [] : [`default ${code(field.default)}`]),
  ];
  return limits.length === 0 ? "" : `<small>${limits.join("; ")}</small>`;
}

interface Shown {
  readonly name: string;
  readonly field: Schema;
  readonly required: boolean;
}

/** The levels of fields that are shown without a click. */
const openLevels = 1;

export function fieldItem({ name, field, required }: Shown, links: RecordLinks, level = 0): string {
  const objects = recordIn(field) === undefined ? objectsIn(field) : [];
  const inner = objects.map((object) => fieldList(object, links, level + 1)).join("<p>or</p>");
  const nested =
    inner === ""
      ? ""
      : `<details${level < openLevels ? " open" : ""}><summary>Fields of <code>${escapeHtml(name)}</code></summary>${inner}</details>`;
  return `<li><strong><code>${escapeHtml(name)}</code></strong> <small>${typeOf(field, links)}</small>${
    required ? " <em>required</em>" : ""
  }${field.description === undefined ? "" : `<p>${inlineText(field.description)}</p>`}${limitsOf(field)}${nested}</li>`;
}

/** The fields of an object, each with its meaning and limits. */
export const fieldList = (object: Schema, links: RecordLinks, level = 0): string =>
  `<ul class="fields">${Object.entries(object.properties ?? {})
    .map(([name, field]) =>
      fieldItem({ name, field, required: object.required?.includes(name) ?? false }, links, level),
    )
    .join("")}</ul>`;
