/** JSON Schemas of requests and answers, generated from the schemas with which the service parses. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import * as mini from "zod/mini";
import * as primitive from "../../../shared/common/primitives.ts";
import { idOrName } from "../../../shared/http/lists/define-read.ts";
import { components, statedAs, wordOf } from "./components.ts";
import { made } from "./examples/orders.ts";
import { records } from "./examples/records.ts";
import { wordFor } from "./vocabulary.ts";
import type { Word } from "./words/word.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A JSON Schema as in the documents. */
export interface Schema extends JsonSchema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

type Parsed = mini.core.$ZodType;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of components)
  registry.add(schema instanceof mini.ZodMiniPipe ? schema._zod.def.out : schema, { id });

const reference = "#/components/schemas/";

/** A schema of the document, by its name. */
export const referenceTo = (id: string): Schema => ({ $ref: `${reference}${id}` });

/** Whether a client may send null, found by parsing: optional fields accept blanks and null as missing. */
const takesNull = (schema: Parsed): boolean => z.safeParse(schema, null).success;

/**
 * What the schemas of some values leave open. To the service they are texts without rules: it generates the
 * times that it returns, and reads ids in paths as text.
 */
const stated: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [primitive.time, { type: "string", format: "date-time" }],
  [primitive.timeOrNull, { type: ["string", "null"], format: "date-time" }],
  [primitive.day, { type: "string", format: "date" }],
  [primitive.dayOrNull, { type: ["string", "null"], format: "date" }],
  [primitive.idInPath, { type: ["string", "integer"] }],
  [idOrName, { type: ["string", "integer"] }],
]);

function override(
  { zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema },
  io: Io,
): void {
  const { def } = zodSchema._zod;
  const said = stated.get(zodSchema);
  if (said !== undefined) {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, said);
  }
  if (zodSchema instanceof z.core.$ZodISODateTime) jsonSchema.format = "date-time";
  // The format says the same as the pattern, and is readable.
  if (jsonSchema.format?.startsWith("date") === true) delete jsonSchema.pattern;
  if (io === "output") return;
  if (def.type === "default" && def.defaultValue !== undefined) jsonSchema.default = def.defaultValue;
  const isOptional = def.type === "optional" || def.type === "default";
  if (isOptional && typeof jsonSchema.type === "string" && takesNull(zodSchema)) {
    Object.assign(jsonSchema, { type: [jsonSchema.type, "null"] });
    if (jsonSchema.enum !== undefined) jsonSchema.enum = [...jsonSchema.enum, null];
  }
}

type Io = "input" | "output";

/** The schemas that others reference, by name. They are the same in every operation. */
export class Definitions {
  readonly #found = new Map<string, Schema>();

  /** A schema as JSON Schema, with every field described. `name` is the first part of its fields' paths. */
  convert(schema: Parsed, io: Io, name: string): Schema {
    const {
      $schema,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      metadata: registry,
      reused: "inline",
      unrepresentable: "any",
      override: (context) => override(context, io),
    });
    const fresh = Object.entries($defs).filter(([id]) => !this.#found.has(id));
    for (const [id, definition] of fresh) {
      const stated = statedAs.get(id);
      const word = wordOf(id);
      this.#found.set(id, stated ? this.convert(stated, io, word) : documented(definition, [word]));
    }
    for (const [id] of fresh) this.#exemplify(id);
    return documented(converted, [name]);
  }

  /** Adds the example of a record if the examples of its fields would not be consistent. */
  #exemplify(id: string): void {
    const [stated, answered, schema] = [records[id], components.get(id), this.#found.get(id)];
    if (stated === undefined || answered === undefined || schema === undefined) return;
    const example = z.parse(answered, differing(exampleOf(schema, "output", this), stated));
    this.#found.set(id, { ...schema, examples: [example] });
  }

  /** The schema that a reference names. */
  resolve(schema: Schema): Schema {
    const id = schema.$ref?.slice(reference.length);
    if (id === undefined) return schema;
    const found = this.#found.get(id);
    if (found === undefined) throw new Error(`there is no schema ${id}`);
    return found;
  }

  /**
   * A reference to the schema that `convert` returns for a referenced schema, under the same name with the
   * suffix. If nothing changes, the reference stays the same.
   */
  variant(schema: Schema, suffix: string, convert: (schema: Schema) => Schema): Schema {
    const original = this.resolve(schema);
    const converted = convert(original);
    if (isDeepStrictEqual(converted, original)) return schema;
    const $ref = `${schema.$ref}${suffix}`;
    this.#found.set($ref.slice(reference.length), converted);
    return { ...schema, $ref };
  }

  /** All of them, in alphabetical order. */
  all(): Record<string, Schema> {
    return Object.fromEntries([...this.#found].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}

/** Limits that only state that a number is exact. */
const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** The schema with the descriptions of its fields, and without what clients can't use. */
function documented(schema: JsonSchema | boolean, path: readonly string[]): Schema {
  if (typeof schema === "boolean") return {};
  const {
    $ref,
    id,
    additionalProperties,
    minimum,
    maximum,
    properties,
    items,
    anyOf,
    oneOf,
    enum: words,
    ...rest
  } = schema;
  // A choice without a rule stands for checks of the operation itself, and is of no use to clients.
  const choices = (anyOf ?? oneOf)?.filter((choice) => Object.keys(choice).length > 0);
  const [only] = choices ?? [];
  if (choices?.length === 1 && only !== undefined) return { ...documented(only, path), ...rest };
  return {
    ...rest,
    ...(words === undefined ? {} : { enum: inOneCase(words) }),
    ...($ref === undefined ? {} : { $ref: $ref.replace("#/$defs/", reference) }),
    ...(minimum === undefined || minimum === safe.minimum ? {} : { minimum }),
    ...(maximum === undefined || maximum === safe.maximum ? {} : { maximum }),
    ...(properties === undefined ? {} : { properties: fields(properties, path) }),
    ...(typeof items === "object" && !Array.isArray(items) ? { items: element(items, path) } : {}),
    ...(choices === undefined ? {} : { anyOf: choices.map((choice) => documented(choice, path)) }),
  };
}

/** The words of a choice, without those that differ only in case: generated names would collide. */
const inOneCase = <Word>(words: readonly Word[]): Word[] => {
  const folded = words.map((word) => String(word).toLowerCase());
  return words.filter((_, place) => folded.indexOf(folded[place] ?? "") === place);
};

const fields = (
  properties: NonNullable<JsonSchema["properties"]>,
  path: readonly string[],
): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, withWord(field, [...path, name])]),
  );

/** An element of a list. If it is not an object, it has a word of its own, because it needs an example. */
const element = (items: JsonSchema, path: readonly string[]): Schema =>
  isScalar(items) ? withWord(items, [...path, "items"]) : documented(items, path);

const isOf = ({ type }: JsonSchema, wanted: string): boolean => [type].flat().some((one) => one === wanted);

const isScalar = (schema: JsonSchema): boolean =>
  schema.$ref === undefined &&
  schema.anyOf === undefined &&
  !isOf(schema, "object") &&
  !isOf(schema, "array");

function withWord(field: JsonSchema | boolean, path: readonly string[]): Schema {
  const { description, example } = wordFor(path);
  const schema = documented(field, path);
  const [first = schema] = schema.anyOf ?? [];
  const shown = isScalar(first) ? exampleFor(first, example, path) : undefined;
  return {
    ...schema,
    description,
    ...(shown === undefined ? {} : { examples: [shown] }),
  };
}

/** An example that fits the schema. @throws Error if the vocabulary has none */
function exampleFor(schema: Schema, example: Word["example"], path: readonly string[]): unknown {
  const { enum: choices, const: only } = schema;
  if (only !== undefined) return only;
  if (schema.type === "null") return null;
  if (choices !== undefined) return choices.find((choice) => choice === example) ?? choices[0];
  const types: readonly unknown[] = [schema.type].flat();
  if (example === undefined && schema.format === "date-time") return made;
  if (types.includes("string") && typeof example === "number") return String(example);
  const fits = types.some(
    (type) => typeOf(example) === type || (type === "number" && typeOf(example) === "integer"),
  );
  if (fits || schema.type === undefined) return example;
  throw new Error(
    `the example ${JSON.stringify(example)} does not fit ${path.join(".")}: ${JSON.stringify(schema)}`,
  );
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/**
 * An example of a schema, made from the examples of its fields. For an answer, it has the fields that are
 * always present.
 */
export function exampleOf(given: Schema, io: Io, definitions: Definitions): unknown {
  const schema = definitions.resolve(given);
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  const [choice] = schema.anyOf ?? [];
  if (choice !== undefined) return exampleOf(choice, io, definitions);
  if (isOf(schema, "array"))
    return schema.items === undefined ? [] : [exampleOf(schema.items, io, definitions)];
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => io === "input" || schema.required?.includes(name),
  );
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, io, definitions)]));
}

/**
 * An example changed as stated: an object in these fields. In a list, the first element is the base of an
 * object, or of each element of another list. Fields stated as undefined are left out.
 */
export function differing(example: unknown, stated: unknown): unknown {
  const [base] = [example].flat();
  if (Array.isArray(stated)) return stated.map((one) => differing(base, one));
  if (typeof stated !== "object" || stated === null) return stated;
  const fields = new Map<string, unknown>(Object.entries(base ?? {}));
  for (const [name, value] of Object.entries(stated)) fields.set(name, differing(fields.get(name), value));
  return Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
}
