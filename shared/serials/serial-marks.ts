/**
 * Marks of the products that have serials. Most products have none. A pick reads the marks of all its
 * products at once, and asks for the serials of the marked ones alone.
 *
 * A product is marked before its first serials are stored. So a product without a mark has none. A marked one
 * may have none yet.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { joined, only } from "../store/dynamodb/keys.ts";
import type { Lookup, RawItem } from "../store/dynamodb/reads.ts";
import type { Change } from "../store/dynamodb/writes.ts";
import type { TableName } from "../store/tables.ts";

const table = "directory" satisfies TableName;

/** Where marks lie, for what reads all of them. */
export const serialMarks = { table, kind: "serialized" } as const;

export const serialMarkLookup = (productId: number): Lookup => ({
  table,
  key: { pk: joined(serialMarks.kind, productId), sk: only },
});

/** Marks a product. To mark it again changes nothing. */
export const markSerialized = (productId: number): Change => ({
  kind: "change",
  ...serialMarkLookup(productId),
  set: { product_id: productId },
  when: [],
});

const mark = z.object({ product_id: primitive.int });

/** The product that a mark is about. @throws if the item is no mark */
export const markedProduct = (item: RawItem): number => z.parse(mark, item).product_id;
