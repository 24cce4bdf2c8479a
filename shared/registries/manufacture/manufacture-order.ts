import * as z from "zod/mini";
import { name, quantity } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { laterOf } from "../../common/times.ts";

export const manufactureStatuses = ["Pending", "Processing", "Completed", "Cancelled"] as const;

/** An operator's input for a manufacture order: the product, the units to make, and the due day. */
export const manufactureInput = z.object({
  /** Unique in the account. */
  manufacture_number: name,
  status: z.enum(manufactureStatuses),
  sku: name,
  quantity,
  due_date: z.nullable(z.iso.date()),
});
export type ManufactureInput = z.output<typeof manufactureInput>;

/** The input with the product's id and the code of the center that keeps the product. */
export type ManufactureTerms = ManufactureInput & {
  readonly product_id: number;
  readonly distribution_center: string;
};

export const manufactureOrder = z.object({
  account_id: primitive.int,
  manufacture_id: primitive.int,
  manufacture_number: primitive.text,
  status: z.enum(manufactureStatuses),
  sku: primitive.text,
  product_id: primitive.int,
  quantity: primitive.int,
  distribution_center: primitive.text,
  due_date: primitive.dayOrNull,
  ...primitive.versionFields,
});
export type ManufactureOrder = z.output<typeof manufactureOrder>;

export const newManufactureOrder = (
  terms: ManufactureTerms,
  { account_id, manufacture_id, at }: { account_id: number; manufacture_id: number; at: string },
): ManufactureOrder => ({
  ...terms,
  account_id,
  manufacture_id,
  ...primitive.firstVersion(at),
});

/** A manufacture order that is set up again. Its account, id and creation time stay the same. */
export const updateManufactureOrder = (
  { account_id, manufacture_id, created_at, updated_at, version }: ManufactureOrder,
  terms: ManufactureTerms,
  at: string,
): ManufactureOrder => ({
  ...terms,
  account_id,
  manufacture_id,
  created_at,
  updated_at: laterOf(at, updated_at),
  version: version + 1,
});
