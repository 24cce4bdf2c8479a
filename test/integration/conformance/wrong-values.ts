/**
 * Values that a request's schema must reject, derived from the schema that the endpoint itself parses with.
 */
import * as z from "zod";
import type * as mini from "zod/mini";

type Schema = z.core.JSONSchema.BaseSchema;
export type Fields = Readonly<Record<string, unknown>>;
export type Limits = Readonly<Record<string, string>>;

/** The path of what is wrong in a value, the value, and the message, if it is the same for every field. */
type Wrong = readonly [path: readonly string[], value: unknown, message?: string | undefined];

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The JSON Schema of a call's body. */
export function bodySchema(request: mini.core.$ZodType): Schema {
  const whole = z.toJSONSchema(request, { io: "input", reused: "inline", unrepresentable: "any" });
  const body = whole.properties?.["body"];
  if (!isSchema(body)) throw new Error("the request has no body");
  return body;
}

/** The JSON Schema of one record of a bulk call. */
export function recordSchema(request: mini.core.$ZodType): Schema {
  const data = Object(bodySchema(request).properties?.["data"]).items;
  if (!isSchema(data)) throw new Error("the request has no records");
  return data;
}

/** Bare types, `["boolean", "null"]`, as the schemas that they are short for. */
const alternativesOf = (schema: Schema): Schema["anyOf"] =>
  Array.isArray(schema.type) ? schema.type.map((type) => ({ type })) : schema.anyOf;

/** The schemas that a field may match, besides null: optional fields take null as well. */
const choicesOf = (schema: Schema): readonly Schema[] =>
  alternativesOf(schema)?.filter(
    (one): one is Schema => isSchema(one) && one.type !== undefined && one.type !== "null",
  ) ?? [schema];

const withoutNull = (schema: Schema): Schema => choicesOf(schema)[0] ?? schema;

/** The fields that take null as "not sent" or "clear it". */
export const clearableFields = (schema: Schema): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    isSchema(field) && alternativesOf(field) !== undefined ? [name] : [],
  );

export const fieldNames = (schema: Schema): readonly string[] => Object.keys(schema.properties ?? {});

export const requiredFields = (schema: Schema): readonly string[] => schema.required ?? [];

/**
 * What a record may hold, field by field: `{ sku: "required string 1-100" }`. The wrong values are derived
 * from the schema, so a description of a kind states its limits itself.
 */
export function limitsOf(schema: Schema, path = ""): Limits {
  const required = requiredFields(schema);
  const limits = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (!isSchema(field)) return [];
    const own = [path + name, limitOf(withoutNull(field), required.includes(name))] as const;
    const { items, properties } = withoutNull(field);
    if (properties !== undefined)
      return [own, ...Object.entries(limitsOf(withoutNull(field), `${path}${name}.`))];
    if (!isSchema(items)) return [own];
    const element = `${path}${name}[]`;
    const elements =
      items.type === "object" ? limitsOf(items, `${element}.`) : { [element]: limitOf(items, true) };
    return [own, ...Object.entries(elements)];
  });
  return Object.fromEntries(limits);
}

function limitOf(schema: Schema, required: boolean): string {
  const { type, enum: values, format } = schema;
  const least = schema.minimum ?? schema.exclusiveMinimum ?? schema.minLength ?? schema.minItems ?? 0;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const range = most === undefined ? [] : [`${least}-${most}`];
  const kind = values === undefined ? [format ?? type, ...range] : values;
  return [required ? "required" : "optional", ...kind].join(" ");
}

/** What is no value of a format, and what is said of it. */
const malformed: Readonly<Record<string, readonly [message: string, ...values: readonly unknown[]]>> = {
  date: [
    "must be a date such as 2026-01-31",
    ...["2026-02-30", "2026-2-3", "03/02/2026", "2026-02-30T00:00:00Z", "tomorrow"],
  ],
  email: ["must be an e-mail address", "nobody", "a@", "a@b", "@b.example", "a b@c.example"],
  uri: [
    "must be an http or https URL",
    ...["nothing", "javascript:alert(1)", "ftp://images.example/a.png", "file:///etc/passwd", "//a/b"],
  ],
};

/** Wrong values of which the same is said. Without a message, that depends on the field. */
const refused = (message: string | undefined, ...values: readonly unknown[]): readonly Wrong[] =>
  values.map((value) => [[], value, message]);

function wrongTexts(schema: Schema, required: boolean): readonly Wrong[] {
  const { minLength = 0, maxLength, pattern, format, enum: values } = schema;
  const isRequired = required && minLength > 0;
  const illFormed = malformed[format ?? ""];
  const choice = values === undefined ? undefined : `must be one of ${values.join(", ")}`;
  const tooLong = `must have at most ${maxLength} characters`;
  return [
    ...refused(choice ?? "must be a string", 12, true, ["a"], { a: 1 }),
    ...refused(undefined, "half a character \ud800"),
    ...(isRequired ? refused("is required", "", " ", "\t\u00a0") : []),
    // A name must be visible; a text with a pattern needs no more than a character that is no blank.
    ...(isRequired && pattern === undefined ? refused(undefined, "\u200b") : []),
    ...(maxLength === undefined ? [] : refused(tooLong, "x".repeat(maxLength + 1))),
    ...(values === undefined ? [] : refused(choice, "RANDOM", inOtherCase(String(values.at(-1))))),
    ...(illFormed === undefined ? [] : refused(...illFormed)),
    ...(format === "uri" ? refused("must be well-formed text", "https://images.example/\ud800") : []),
  ];
}

const inOtherCase = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();

const whole = "must be a whole number";

function wrongNumbers({ type, minimum, maximum }: Schema): readonly Wrong[] {
  const isInteger = type === "integer";
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const tooSmall = `must be at least ${least}`;
  return [
    ...refused("must be a number", "12", true, [1], { a: 1 }),
    ...(least === undefined ? [] : refused(tooSmall, least - 1, least - 2)),
    ...(least === undefined ? [] : refused(isInteger ? whole : tooSmall, least - 0.01)),
    // An amount is 0 or large enough to be stored.
    ...(isInteger ? refused(whole, 1.5) : refused(undefined, 1e-200)),
    ...(maximum !== undefined || isInteger ? refused(`must be at most ${maximum}`, 1e300) : []),
    ...(maximum === undefined ? [] : refused(`must be at most ${maximum}`, maximum + 1)),
  ];
}

function wrongLists({ items, minItems = 0, maxItems }: Schema, good: unknown): readonly Wrong[] {
  const [element] = Array.isArray(good) ? good : [];
  if (!isSchema(items) || element === undefined) throw new Error("a list needs an element that is right");
  return [
    ...refused(undefined, "A", 3, true, { 0: element }),
    ...(minItems > 0 ? refused("must hold at least 1 element", []) : []),
    ...(maxItems === undefined
      ? []
      : refused(`must hold at most ${maxItems} elements`, Array(maxItems + 1).fill(element))),
    ...wrongValues(items, element, true).map(
      ([path, value, message]): Wrong => [["1", ...path], [element, value], message],
    ),
  ];
}

/** An object without each field that it must have, and with each wrong value of each field. */
function wrongObjects(schema: Schema, good: unknown): readonly Wrong[] {
  const required = requiredFields(schema);
  return [
    ...[12, "a", [1]].map((value): Wrong => [[], value, "must be an object"]),
    ...required.map((name): Wrong => [[name], { ...Object(good), [name]: undefined }, "is required"]),
    ...wrongFields(schema, Object(good), required).map(
      ([path, value, message]): Wrong => [path, { ...Object(good), ...Object(value) }, message],
    ),
  ];
}

/** Everything that must be rejected in the place of `good`. What is required may not be null either. */
function wrongValues(whole: Schema, good: unknown, required: boolean): readonly Wrong[] {
  const schema = withoutNull(whole);
  const { type } = schema;
  const missing: readonly Wrong[] = required ? [[[], null, "is required"]] : [];
  if (type === "object") return [...missing, ...wrongObjects(schema, good)];
  if (type === "array") return [...missing, ...wrongLists(schema, good)];
  return [...missing, ...wrongScalars(choicesOf(whole), required)];
}

/** A field that takes both texts and numbers takes the wrong types of neither. */
function wrongScalars(choices: readonly Schema[], required: boolean): readonly Wrong[] {
  const isNumber = ([, value]: Wrong) => typeof value === "number";
  if (choices.some(({ type }) => type === "boolean"))
    return refused("must be true or false", "true", 1, [true], { a: 1 });
  const texts = choices.filter(({ type }) => type === "string").flatMap((one) => wrongTexts(one, required));
  const numbers = choices.filter(({ type }) => type !== "string").flatMap(wrongNumbers);
  if (numbers.length === 0 || texts.length === 0) return [...texts, ...numbers];
  const ofBoth = [...texts.filter((wrong) => !isNumber(wrong)), ...numbers.filter(isNumber)];
  return ofBoth.map(([path, value]) => [path, value]);
}

/**
 * Each field of an object with each of its wrong values: the path in the object, the one field, and its
 * message.
 */
export function wrongFields(
  schema: Schema,
  good: Fields,
  required: readonly string[] = requiredFields(schema),
): readonly (readonly [path: readonly string[], field: Fields, message: string | undefined])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    isSchema(field)
      ? wrongValues(field, good[name], required.includes(name)).map(
          ([path, value, message]) => [[name, ...path], { [name]: value }, message] as const,
        )
      : [],
  );
}
