import * as z from "zod/mini";
import type { OrderPick } from "../domain/order.ts";
import { type BinCorrection, correctedBy } from "../domain/recount.ts";
import { counted, listed, recordKey, recordsOf } from "./block-list.ts";
import type { Database } from "./database.ts";
import { joined } from "./keys.ts";
import { binContentList } from "./lists.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { type Lookup, queryRange, type RawItem } from "./reads.ts";
import { type Change, type Condition, stale, type Write } from "./writes.ts";

/** What a bin holds of a product, in units. */
export const binContent = z.object({
  account_id: z.int(),
  product_id: z.int(),
  sku: z.string(),
  bin_id: z.int(),
  location: z.string(),
  bin: z.string(),
  distribution_center_id: z.int(),
  quantity: z.int(),
  /** The latest absolute count that was applied; corrections accepted before it are in it, and must not follow it. */
  counted_by: z.optional(z.int()),
  /** The latest relative correction that was applied; a count accepted before it lacks it, and must not follow it. */
  changed_by: z.optional(z.int()),
});
export type BinContent = z.output<typeof binContent>;

/** Bin contents are listed unfiltered. */
const cell = "|";

export const binContentLookup = (productId: number, location: string, bin: string): Lookup => ({
  table: binContentList.table,
  key: recordKey(binContentList, productId, joined(location, bin)),
});

export const parseBinContent = (item: RawItem): BinContent => z.parse(binContent, item);

/** What the bins hold of a product, by location and bin; a bin that was emptied is among them. */
export async function binsOf(db: Database, productId: number): Promise<readonly BinContent[]> {
  const items = await queryRange(db, recordsOf(binContentList, productId));
  return items.map(parseBinContent);
}

/** What the bins hold of the account's products, one page of it by product, location and bin, and how much there is. */
export async function readBinContents(
  db: Database,
  accountId: number,
  request: PageRequest,
): Promise<{ readonly contents: readonly BinContent[]; readonly total: number }> {
  const { items, total } = await readPage(db, binContentList, String(accountId), request);
  return { contents: items.map(parseBinContent), total };
}

/** Puts the product into a bin that has never held it; stale where one has meanwhile. */
function openBin(content: BinContent, at: string): readonly Write[] {
  const { account_id, product_id, location, bin } = content;
  const place = listed(binContentList, product_id, cell, at, joined(location, bin));
  const { table } = binContentList;
  return [
    { kind: "insert", table, item: { v: 1, ...z.parse(binContent, content), ...place }, refusal: stale },
    counted(binContentList, String(account_id), product_id, cell),
  ];
}

/**
 * Adds to what a bin holds of a product, or takes from it.
 * Stale where less is left than is taken, or where it was counted meanwhile. As `correction`, a count is stale too where
 * the bin holds something else by now, or took a change that the count does not know of.
 */
export function changeBin(content: BinContent, by: number, correction?: BinCorrection): Change {
  const { table, key } = binContentLookup(content.product_id, content.location, content.bin);
  const counts = correction?.kind === "absolute";
  return {
    kind: "change",
    table,
    key,
    add: { quantity: by },
    set: correction === undefined ? {} : correctedBy(content, correction),
    when: [
      counts
        ? { attribute: "quantity", equals: content.quantity }
        : { attribute: "quantity", atLeast: Math.max(-by, 0) },
      still("counted_by", content.counted_by),
      ...(correction === undefined ? [] : premises(content, correction)),
    ],
    refusal: stale,
  };
}

const still = (attribute: string, value: number | undefined): Condition =>
  value === undefined ? { attribute, is: "absent" } : { attribute, equals: value };

/** A change minds only one that was accepted after it, so that changes applied side by side seldom meet. */
function premises({ changed_by }: BinContent, { id, kind }: BinCorrection): readonly Condition[] {
  if (kind === "absolute" || changed_by === undefined) return [still("changed_by", changed_by)];
  return id > changed_by ? [{ attribute: "changed_by", atMost: id }] : [];
}

/** Puts back what was picked, whatever has become of the bin since: it is there, for bins never go away. */
export function returnToBin({ product_id, location, bin, quantity }: OrderPick): Change {
  const { table, key } = binContentLookup(product_id, location, bin);
  const when: Change["when"] = [{ attribute: "quantity", is: "present" }];
  return { kind: "change", table, key, add: { quantity }, when, refusal: stale };
}

/**
 * Adds to what a bin holds of a product, or takes from it, where `found` was found in it: nothing, if it has never held
 * the product. Stale where that changed meanwhile; `correction` as for `changeBin`.
 */
export function adjustBin(
  place: Omit<BinContent, "quantity" | "counted_by" | "changed_by">,
  found: BinContent | undefined,
  by: number,
  at: string,
  correction?: BinCorrection,
): readonly Write[] {
  if (found !== undefined) return [changeBin(found, by, correction)];
  const corrected = correction === undefined ? {} : correctedBy({}, correction);
  return openBin({ ...place, ...corrected, quantity: by }, at);
}
