/**
 * Reads a recount call (docs/decisions.md, Recounts). The failure body repeats the account, SKU, location and
 * bin of every wrong entry as they were sent. So the body is read field by field instead of with one schema.
 */
import * as z from "zod/mini";
import { id, isBlank, isStorableText, maxQuantity, maxRecords, name } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { invalid, Problem } from "../../common/problem.ts";
import { truncate } from "../../common/strings.ts";
import type { AskedChange, RecountChange } from "./recount.ts";

const anything = z.optional(z.unknown());

/**
 * The fields of a call, from which warnings about unread fields derive. It accepts any body; `readRecount`
 * validates.
 */
export const recountInput = z.union([
  z.array(
    z.object({
      account_id: anything,
      comment: anything,
      skus: z.array(
        z.object({
          sku: anything,
          bins: z.array(
            z.object({
              location: anything,
              bin: anything,
              qty: anything,
              qty_in_bin: anything,
              expected_quantity: anything,
            }),
          ),
        }),
      ),
    }),
  ),
  z.unknown(),
]);

/** One well-formed bin entry of a call. */
export interface RecountEntry extends AskedChange {
  readonly account_id: number;
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  readonly comment: string;
}

/** The value that was sent in a field; null if none was, or if it is a list or an object. */
export type Echo = string | number | boolean | null;

/** A wrong entry with its values as they were sent. */
export interface RecountFailure {
  readonly account_id: Echo;
  readonly sku: Echo;
  readonly bin: Echo;
  readonly location: Echo;
  readonly message: string;
  /** Why the entry's bin could not be stored although the entry was right. */
  readonly problem?: Problem;
}

export type ReadEntry = RecountEntry | RecountFailure;

type SentFields = Readonly<Record<string, unknown>>;

const defaultComment = "Updated using the Recount API.";

/** The name of a location or a bin, without surrounding blanks. */
const alphanumeric = z.string().check(z.trim(), z.regex(/^[A-Za-z0-9]{1,50}$/));

/** Maximum characters of a field that a failure repeats. */
const maxEchoLength = 100;

const fieldsOf = (value: unknown): SentFields => {
  const result = z.safeParse(primitive.record, value);
  return result.success ? result.data : {};
};

/** A field's value; undefined if it is blank, which counts as not sent. */
const unlessBlank = (value: unknown): unknown => (isBlank(value) ? undefined : value);

function echo(value: unknown): Echo {
  if (typeof value === "string") return truncate(value, maxEchoLength);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** All bin entries of a call in their order, or the reason why the call can't be read. */
export function readRecount(body: unknown): readonly ReadEntry[] | string {
  if (!Array.isArray(body)) return "The body must be an array of recount records";
  if (body.length < 1 || body.length > maxRecords) return `A call holds 1 to ${maxRecords} recount records`;
  const entries: ReadEntry[] = [];
  for (const entry of entriesIn(body)) {
    // A body may hold several hundred thousand entries, which would take seconds to read.
    if (entries.length === maxRecords)
      return `A call holds at most ${maxRecords} bin entries; this one has more`;
    entries.push(entry);
  }
  return entries;
}

/** The entries of records. A record without SKUs and an SKU without bins have one each, which is wrong. */
function* entriesIn(records: readonly unknown[]): Generator<ReadEntry, void> {
  for (const record of records.map(fieldsOf))
    for (const sku of elementsOf(record["skus"]))
      for (const bin of elementsOf(sku?.["bins"])) yield readEntry(record, sku, bin);
}

/** The elements of a list; undefined once, if it has none. */
function* elementsOf(list: unknown): Generator<SentFields | undefined, void> {
  if (!Array.isArray(list) || list.length === 0) yield undefined;
  else for (const element of list) yield fieldsOf(element);
}

/** Reads an entry from its bin, its SKU and its record. The message is about the first wrong field. */
function readEntry(record: SentFields, sku: SentFields | undefined, bin: SentFields | undefined): ReadEntry {
  try {
    return entryOf(record, sku, bin);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      account_id: echo(record["account_id"]),
      sku: echo(sku?.["sku"]),
      bin: echo(bin?.["bin"]),
      location: echo(bin?.["location"]),
      message: error.message,
    };
  }
}

/** @throws Problem if a field is wrong */
function entryOf(record: SentFields, sku: SentFields | undefined, bin: SentFields | undefined): RecountEntry {
  const account_id = read("account_id", record["account_id"], id, "a whole number of at least 1");
  const comment = readComment(record["comment"]);
  if (sku === undefined) throw missingList("skus", record["skus"]);
  const text = "a string of at most 100 characters, without control characters or invisible ones";
  const counted = { account_id, sku: read("sku", sku["sku"], name, text), comment };
  if (bin === undefined) throw missingList("bins", sku["bins"]);
  const location = read("location", bin["location"], alphanumeric, "alphanumeric");
  const place = { location, bin: read("bin", bin["bin"], alphanumeric, "alphanumeric") };
  const change = readChange(unlessBlank(bin["qty"]), unlessBlank(bin["qty_in_bin"]));
  const expected = unlessBlank(bin["expected_quantity"]);
  if (expected === undefined) return { ...counted, ...place, change };
  return { ...counted, ...place, change, expected_quantity: readNumber("expected_quantity", expected, 0) };
}

const missingList = (field: string, value: unknown): Problem =>
  invalid(
    unlessBlank(value) === undefined || Array.isArray(value)
      ? `${field} is missing`
      : `${field} must be a list`,
  );

/** The value of a required field. `rule` describes the valid values. */
function read<T>(field: string, value: unknown, schema: z.ZodMiniType<T>, rule: string): T {
  if (unlessBlank(value) === undefined) throw invalid(`${field} is missing`);
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw invalid(`${field} must be ${rule}`);
}

function readComment(value: unknown): string {
  const comment = unlessBlank(value) ?? defaultComment;
  if (typeof comment === "string" && comment.length <= 500 && isStorableText(comment)) return comment;
  throw invalid("comment must be a string of at most 500 characters");
}

function readChange(qty: unknown, qtyInBin: unknown): RecountChange {
  if (qty !== undefined && qtyInBin !== undefined) throw invalid("both qty and qty_in_bin given");
  if (qtyInBin !== undefined) return { kind: "absolute", quantity: readNumber("qty_in_bin", qtyInBin, 0) };
  if (qty !== undefined) return { kind: "relative", quantity: readNumber("qty", qty, -maxQuantity) };
  throw invalid("quantity not valid: neither qty nor qty_in_bin is given");
}

function readNumber(field: string, value: unknown, least: number): number {
  const wrong = (rule: string) => invalid(`quantity not valid: ${field} must be ${rule}`);
  if (typeof value === "string") throw wrong("a number, without quotes");
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong("a number");
  if (!Number.isInteger(value)) throw wrong(`a whole number (${value})`);
  if (value < least || value > maxQuantity) throw wrong(`from ${least} to ${maxQuantity} (${value})`);
  return value;
}
