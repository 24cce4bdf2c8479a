import * as z from "zod/mini";
import type { Database } from "./database.ts";
import { joined } from "./keys.ts";
import { type Lookup, queryRange, type RawItem } from "./reads.ts";
import { stale, type Write } from "./writes.ts";

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
});
export type BinContent = z.output<typeof binContent>;

const partition = (productId: number): string => joined("bins", productId);

export const binContentLookup = (productId: number, location: string, bin: string): Lookup => ({
  table: "inventory",
  key: { pk: partition(productId), sk: joined(location, bin) },
});

export const parseBinContent = (item: RawItem): BinContent => z.parse(binContent, item);

/** What the bins hold of a product, by location and bin; a bin that was emptied is among them. */
export async function binsOf(db: Database, productId: number): Promise<readonly BinContent[]> {
  const items = await queryRange(db, { table: "inventory", pk: partition(productId) });
  return items.map(parseBinContent);
}

/** Puts the product into a bin that has never held it; stale where one has meanwhile. */
export const openBin = (content: BinContent): Write => {
  const { table, key } = binContentLookup(content.product_id, content.location, content.bin);
  return { kind: "insert", table, item: { v: 1, ...key, ...z.parse(binContent, content) }, refusal: stale };
};

/**
 * Adds to what a bin holds of a product, or takes from it.
 * Stale where less is left than is taken, or where it was counted meanwhile. With `countedBy` this is itself a count:
 * stale where the bin holds something else by now.
 */
export function changeBin(content: BinContent, by: number, countedBy?: number): Write {
  const { table, key } = binContentLookup(content.product_id, content.location, content.bin);
  return {
    kind: "change",
    table,
    key,
    add: { quantity: by },
    ...(countedBy === undefined ? {} : { set: { counted_by: countedBy } }),
    when: [
      countedBy === undefined
        ? { attribute: "quantity", atLeast: Math.max(-by, 0) }
        : { attribute: "quantity", equals: content.quantity },
      content.counted_by === undefined
        ? { attribute: "counted_by", is: "absent" }
        : { attribute: "counted_by", equals: content.counted_by },
    ],
    refusal: stale,
  };
}

/**
 * Adds to what a bin holds of a product, or takes from it, where `found` was found in it: nothing, if it has never held
 * the product. Stale where that changed meanwhile; `countedBy` as for `changeBin`.
 */
export function adjustBin(
  place: Omit<BinContent, "quantity" | "counted_by">,
  found: BinContent | undefined,
  by: number,
  countedBy?: number,
): Write {
  if (found !== undefined) return changeBin(found, by, countedBy);
  return openBin({ ...place, quantity: by, ...(countedBy === undefined ? {} : { counted_by: countedBy }) });
}
