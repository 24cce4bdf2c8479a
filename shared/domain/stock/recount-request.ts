/**
 * Reads a recount call (docs/decisions.md, Recounts). The failure body names every wrong entry with its account, SKU,
 * location and bin. So the body is read piece by piece instead of by one schema.
 */
import * as z from "zod/mini";
import { countedQuantity, id, mostRecords, name, quantityChange } from "../fields.ts";
import type { RecountChange } from "./recount.ts";

/** One well-formed bin entry of a call. */
export interface RecountEntry {
  readonly account_id: number;
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  readonly change: RecountChange;
  readonly comment: string;
}

/** A wrong entry. Fields that the entry does not state are null. */
export interface RecountFailure {
  readonly account_id: number | null;
  readonly sku: string | null;
  readonly bin: string | null;
  readonly location: string | null;
  readonly message: string;
}

export type ReadEntry = RecountEntry | RecountFailure;

type Fields = Readonly<Record<string, unknown>>;
type Place = Omit<RecountFailure, "message">;

const defaultComment = "Updated using the Recount API.";
const nowhere: Place = { account_id: null, sku: null, bin: null, location: null };
const alphanumeric = /^[A-Za-z0-9]{1,50}$/;

const fieldsOf = (value: unknown): Fields => {
  const result = z.safeParse(z.record(z.string(), z.unknown()), value);
  return result.success ? result.data : {};
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const absent = (field: string, value: unknown): string =>
  value === undefined || value === null || Array.isArray(value)
    ? `${field} is missing`
    : `${field} must be a list`;

/** All bin entries of a call in their order, or why the call can't be read. */
export function readRecount(body: unknown): readonly ReadEntry[] | string {
  if (!Array.isArray(body)) return "The body must be an array of recount records";
  if (body.length < 1 || body.length > mostRecords) return `A call holds 1 to ${mostRecords} recount records`;
  const entries = body.flatMap((record) => readRecord(fieldsOf(record)));
  if (entries.length > mostRecords)
    return `A call holds at most ${mostRecords} bin entries; this one has ${entries.length}`;
  return entries;
}

function readRecord(record: Fields): readonly ReadEntry[] {
  const { account_id: account, skus } = record;
  const { comment = defaultComment } = record;
  const accountId = z.safeParse(id, account);
  const place: Place = { ...nowhere, account_id: accountId.success ? accountId.data : null };
  if (account === undefined) return [{ ...place, message: "account_id is missing" }];
  if (!accountId.success) return [{ ...place, message: "account_id must be a whole number of at least 1" }];
  if (typeof comment !== "string" || comment.length > 500 || !comment.isWellFormed()) {
    return [{ ...place, message: "comment must be a string of at most 500 characters" }];
  }
  const list = listOf(skus);
  if (list.length === 0) return [{ ...place, message: absent("skus", skus) }];
  return list.flatMap((entry) => readSku(fieldsOf(entry), accountId.data, comment));
}

function readSku({ sku, bins }: Fields, account_id: number, comment: string): readonly ReadEntry[] {
  const skuText = z.safeParse(name, sku);
  const place: Place = { ...nowhere, account_id, sku: skuText.success ? skuText.data : null };
  if (sku === undefined || sku === "") return [{ ...place, message: "sku is missing" }];
  if (!skuText.success) return [{ ...place, message: "sku must be a string of at most 100 characters" }];
  const list = listOf(bins);
  if (list.length === 0) return [{ ...place, message: absent("bins", bins) }];
  return list.map((entry) => readBin(fieldsOf(entry), { account_id, sku: skuText.data, comment }));
}

function readBin(
  { location, bin, qty, qty_in_bin }: Fields,
  { account_id, sku, comment }: Pick<RecountEntry, "account_id" | "sku" | "comment">,
): ReadEntry {
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 50) : null);
  const place: Place = { account_id, sku, bin: text(bin), location: text(location) };
  const failing = (message: string): RecountFailure => ({ ...place, message });
  if (location === undefined || location === "") return failing("location is missing");
  if (bin === undefined || bin === "") return failing("bin is missing");
  if (typeof location !== "string" || !alphanumeric.test(location))
    return failing("location must be alphanumeric");
  if (typeof bin !== "string" || !alphanumeric.test(bin)) return failing("bin must be alphanumeric");
  if (qty === null || qty_in_bin === null) return failing("quantity not valid");
  if (qty !== undefined && qty_in_bin !== undefined) return failing("both qty and qty_in_bin given");
  const change = readChange(qty, qty_in_bin);
  if (change === undefined) return failing("quantity not valid");
  return { account_id, sku, location, bin, change, comment };
}

function readChange(qty: unknown, qtyInBin: unknown): RecountChange | undefined {
  if (qtyInBin === undefined) {
    const relative = z.safeParse(quantityChange, qty);
    return relative.success ? { kind: "relative", quantity: relative.data } : undefined;
  }
  const absolute = z.safeParse(countedQuantity, qtyInBin);
  return absolute.success ? { kind: "absolute", quantity: absolute.data } : undefined;
}
