/**
 * How orders are stored. DynamoDB charges a write by the KB of the whole item, and every step of the
 * warehouse writes its order. So the fields of an order are compressed into one attribute, and the latest
 * changes of its history are stored with them as long as they cost nothing. An order of a few lines then fits
 * into 1 KB.
 */
import * as z from "zod/mini";
import { jsonBytes } from "../../common/strings.ts";
import { compress, decompress } from "../../store/dynamodb/compressed.ts";
import type { RawItem } from "../../store/dynamodb/reads.ts";
import { type Order, order } from "../order.ts";
import { type HistoryEntry, historyEntry } from "../order-history.ts";

/** Fields that conditions name, or that are read from records of any kind. They remain attributes. */
const uncompressed = z.pick(order, { account_id: true, version: true });

/** The other fields, and the latest changes, oldest first. */
const content = z.extend(z.omit(order, { account_id: true, version: true }), {
  recent: z.array(historyEntry),
});

/** An order with the latest changes of its history that its item holds, oldest first. */
export interface PackedOrder {
  readonly record: Order;
  readonly recent: readonly HistoryEntry[];
}

export const orderAsStored = z.pipe(
  z.extend(uncompressed, { content: z.instanceof(Uint8Array) }),
  z.transform(({ content: bytes, ...others }): PackedOrder => {
    const { recent, ...fields } = z.parse(content, decompress(bytes));
    return { record: { ...fields, ...others }, recent };
  }),
);

const bytesWith = (
  { account_id: _account, version: _version, ...fields }: Order,
  recent: readonly HistoryEntry[],
): Uint8Array => compress({ ...fields, recent });

/** Bytes that one write unit covers. */
const unit = 1024;

/**
 * Maximum bytes of an order's other attributes: its keys, those of the list and of the index of work (with a
 * user name of usual length), and a request id of API Gateway.
 */
const otherBytes = 201;

const unitsOf = (bytes: Uint8Array): number => Math.ceil((otherBytes + bytes.length) / unit);

/** Maximum JSON bytes of changes in an order's item: every reader of the order decompresses them. */
const maxInlineBytes = 50_000;

/** An order's attributes. Its latest changes are among them (`recent`), or leave the item (`leaving`). */
interface CompressedOrder {
  readonly packed: RawItem & { readonly content: Uint8Array };
  readonly recent: readonly HistoryEntry[];
  readonly leaving: readonly HistoryEntry[];
}

/**
 * Compresses an order with its latest changes. If that would cost another write unit, or if the changes are
 * large, all of them leave its item.
 */
export function compressOrder(stored: Order, recent: readonly HistoryEntry[]): CompressedOrder {
  const { account_id, version } = stored;
  const full = jsonBytes(recent) <= maxInlineBytes ? bytesWith(stored, recent) : undefined;
  // No order costs less than one unit, so most are compressed once.
  const alone = full !== undefined && unitsOf(full) === 1 ? full : bytesWith(stored, []);
  return full !== undefined && unitsOf(full) === unitsOf(alone)
    ? { packed: { account_id, version, content: full }, recent, leaving: [] }
    : { packed: { account_id, version, content: alone }, recent: [], leaving: recent };
}
