import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { KitLevel } from "./kit-stock.ts";
import type { PastLevel } from "./past/past-levels.ts";
import { available, type StockLevel } from "./stock.ts";

export const productStock = z.object({
  sku: primitive.text,
  product_id: primitive.int,
  distribution_center: primitive.text,
  on_hand: primitive.int,
  reserved: primitive.int,
  /** Part of `reserved`. */
  held: primitive.int,
  available: primitive.int,
  incoming: primitive.int,
});

/** Stock as it was at `as_of` (ISO 8601). Which units were held or incoming is not known. */
export const pastStock = z.extend(productStock, {
  held: z.null(),
  incoming: z.null(),
  as_of: primitive.time,
});

/** A kit has no stock of its own. `available` is the number of kits that can be built from its components. */
export const kitStock = z.object({
  /** The kit's name. */
  sku: primitive.text,
  product_id: z.null(),
  synset_id: primitive.int,
  distribution_center: primitive.textOrNull,
  on_hand: z.null(),
  reserved: z.null(),
  held: z.null(),
  available: primitive.int,
  incoming: z.null(),
  limited_by: primitive.text,
});

/**
 * Stock of a product in a distribution center, or of a kit, as clients see it, in units (docs/decisions.md,
 * Stock).
 */
export const stockRecord = z.union([productStock, kitStock, pastStock]);
export type StockRecord = z.output<typeof stockRecord>;

export const presentStock = (level: StockLevel): StockRecord => ({
  ...level,
  held: level.held ?? 0,
  available: available(level),
});

export const presentPast =
  (as_of: string) =>
  (level: PastLevel): StockRecord => ({
    ...level,
    held: null,
    available: available(level),
    incoming: null,
    as_of,
  });

export const presentKit = (level: KitLevel): StockRecord => ({
  ...level,
  product_id: null,
  on_hand: null,
  reserved: null,
  held: null,
  incoming: null,
});
