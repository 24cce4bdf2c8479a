/**
 * Reads a recount call (docs/decisions.md, Recounts). The failure body repeats the account, SKU, location and
 * bin of every wrong entry as they were sent. So the body is read field by field instead of with one schema.
 */
import * as z from "zod/mini";
import { id, isBlank, isStorableText, maxQuantity, maxRecords, name } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import type { Problem } from "../../common/problem.ts";
import { truncated } from "../../common/strings.ts";
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
  /** The problem that kept the entry's bin from being stored, if the entry was accepted before. */
  readonly problem?: Problem;
}

export type ReadEntry = RecountEntry | RecountFailure;

type Fields = Readonly<Record<string, unknown>>;
type Place = Omit<RecountFailure, "message" | "problem">;

/** The value of a field, or its error. */
type Read<T> = { readonly value: T } | { readonly wrong: string };

const defaultComment = "Updated using the Recount API.";

/** The name of a location or a bin, without surrounding blanks. */
const alphanumeric = z.string().check(z.trim(), z.regex(/^[A-Za-z0-9]{1,50}$/));

/** Maximum characters of a field that a failure repeats. */
const maxEchoLength = 100;

const fieldsOf = (value: unknown): Fields => {
  const result = z.safeParse(primitive.record, value);
  return result.success ? result.data : {};
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A field's value; undefined if the field counts as not sent. */
const sent = (value: unknown): unknown => (isBlank(value) ? undefined : value);

function echo(value: unknown): Echo {
  if (typeof value === "string") return truncated(value, maxEchoLength);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

const absent = (field: string, value: unknown): string =>
  sent(value) === undefined || Array.isArray(value) ? `${field} is missing` : `${field} must be a list`;

/** All bin entries of a call in their order, or the reason why the call can't be read. */
export function readRecount(body: unknown): readonly ReadEntry[] | string {
  if (!Array.isArray(body)) return "The body must be an array of recount records";
  if (body.length < 1 || body.length > maxRecords) return `A call holds 1 to ${maxRecords} recount records`;
  const entries: ReadEntry[] = [];
  for (const record of body) {
    for (const entry of readRecord(fieldsOf(record))) {
      // A body may hold several hundred thousand entries, which would take seconds to read.
      if (entries.length === maxRecords)
        return `A call holds at most ${maxRecords} bin entries; this one has more`;
      entries.push(entry);
    }
  }
  return entries;
}

/** The fields that an entry takes from its enclosing record and SKU. */
interface Parent {
  readonly place: Omit<Place, "bin" | "location">;
  readonly account: Read<number>;
  readonly comment: Read<string>;
}

function* readRecord({ account_id, skus, comment }: Fields): Generator<ReadEntry, void> {
  const above = {
    place: { account_id: echo(account_id), sku: null },
    account: readAccount(account_id),
    comment: readComment(comment),
  };
  const list = listOf(skus);
  if (list.length === 0) yield without(above, absent("skus", skus));
  for (const entry of list) yield* readSku(fieldsOf(entry), above);
}

function* readSku({ sku, bins }: Fields, record: Parent): Generator<ReadEntry, void> {
  const above = { ...record, place: { ...record.place, sku: echo(sku) } };
  const named = readName(sku);
  const list = listOf(bins);
  if (list.length === 0) yield without(above, "wrong" in named ? named.wrong : absent("bins", bins));
  for (const entry of list) yield readBin(fieldsOf(entry), named, above);
}

/** The failure of a record or a SKU that has no entries. */
function without({ place, account, comment }: Parent, message: string): RecountFailure {
  const wrong = [account, comment].flatMap((read) => ("wrong" in read ? [read.wrong] : []));
  return { ...place, bin: null, location: null, message: wrong[0] ?? message };
}

function readBin(
  { location, bin, qty, qty_in_bin, expected_quantity }: Fields,
  sku: Read<string>,
  { place: above, account, comment }: Parent,
): ReadEntry {
  const place: Place = { ...above, bin: echo(bin), location: echo(location) };
  const failing = ({ wrong }: { readonly wrong: string }): RecountFailure => ({ ...place, message: wrong });
  const [inLocation, inBin] = [readPlace("location", location), readPlace("bin", bin)];
  const change = readChange(sent(qty), sent(qty_in_bin));
  const expected = readExpected(sent(expected_quantity));
  if ("wrong" in account) return failing(account);
  if ("wrong" in comment) return failing(comment);
  if ("wrong" in sku) return failing(sku);
  if ("wrong" in inLocation) return failing(inLocation);
  if ("wrong" in inBin) return failing(inBin);
  if ("wrong" in change) return failing(change);
  if ("wrong" in expected) return failing(expected);
  return {
    account_id: account.value,
    sku: sku.value,
    location: inLocation.value,
    bin: inBin.value,
    change: change.value,
    ...(expected.value === undefined ? {} : { expected_quantity: expected.value }),
    comment: comment.value,
  };
}

function readAccount(value: unknown): Read<number> {
  if (sent(value) === undefined) return { wrong: "account_id is missing" };
  const read = z.safeParse(id, value);
  return read.success ? { value: read.data } : { wrong: "account_id must be a whole number of at least 1" };
}

function readComment(value: unknown): Read<string> {
  const comment = sent(value) ?? defaultComment;
  return typeof comment === "string" && comment.length <= 500 && isStorableText(comment)
    ? { value: comment }
    : { wrong: "comment must be a string of at most 500 characters" };
}

function readName(value: unknown): Read<string> {
  if (sent(value) === undefined) return { wrong: "sku is missing" };
  const read = z.safeParse(name, value);
  const rule = "a string of at most 100 characters, without control characters or invisible ones";
  return read.success ? { value: read.data } : { wrong: `sku must be ${rule}` };
}

function readPlace(field: string, value: unknown): Read<string> {
  if (sent(value) === undefined) return { wrong: `${field} is missing` };
  const read = z.safeParse(alphanumeric, value);
  return read.success ? { value: read.data } : { wrong: `${field} must be alphanumeric` };
}

function readChange(qty: unknown, qtyInBin: unknown): Read<RecountChange> {
  if (qty !== undefined && qtyInBin !== undefined) return { wrong: "both qty and qty_in_bin given" };
  if (qtyInBin !== undefined) return readQuantity("qty_in_bin", qtyInBin, "absolute", 0);
  if (qty !== undefined) return readQuantity("qty", qty, "relative", -maxQuantity);
  return { wrong: "quantity not valid: neither qty nor qty_in_bin is given" };
}

const readExpected = (value: unknown): Read<number | undefined> =>
  value === undefined ? { value } : readNumber("expected_quantity", value, 0);

function readQuantity(
  field: string,
  value: unknown,
  kind: RecountChange["kind"],
  least: number,
): Read<RecountChange> {
  const read = readNumber(field, value, least);
  return "wrong" in read ? read : { value: { kind, quantity: read.value } };
}

function readNumber(field: string, value: unknown, least: number): Read<number> {
  const wrong = (rule: string) => ({ wrong: `quantity not valid: ${field} must be ${rule}` });
  if (typeof value === "string") return wrong("a number, without quotes");
  if (typeof value !== "number" || !Number.isFinite(value)) return wrong("a number");
  if (!Number.isInteger(value)) return wrong(`a whole number (${value})`);
  if (value < least || value > maxQuantity) return wrong(`from ${least} to ${maxQuantity} (${value})`);
  return { value };
}
