import * as z from "zod/mini";
import {
  amount,
  anyText,
  clearable,
  expectedVersion,
  name,
  newName,
  text,
  wellFormed,
} from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { nextVersion } from "../../common/versioned.ts";

export const pickStyles = [
  "STANDARD",
  "SAVE_SPACE",
  "FIFO",
  "LIFO",
  "FEFO",
  "FLFO",
  "LLFO",
  "BIN_ASC",
  "BIN_DESC",
] as const;

export const productInput = z.object({
  sku: newName,
  description: text(2000),
  width: amount,
  length: amount,
  height: amount,
  weight: amount,
  cost: amount,
  retail: amount,
  upc: clearable(anyText(100)),
  harmonization_code: clearable(anyText(100)),
  supplier: clearable(anyText()),
  distribution_center: clearable(anyText()),
  package_type: clearable(anyText()),
  pick_style: clearable(z.enum(pickStyles)),
  one_time_product: clearable(z.enum(["Yes", "Y", "YES", "No", "N", "NO"])),
  /** Units of a case. */
  case_qty: clearable(amount.check(z.gte(1))),
  category: clearable(anyText()),
  model: clearable(anyText()),
  manufacturer: clearable(anyText()),
  client_option1: clearable(anyText()),
  client_option2: clearable(anyText()),
  client_option3: clearable(anyText()),
  image_url: clearable(z.url({ protocol: /^https?$/ }).check(z.maxLength(2000), wellFormed)),
});
export type ProductInput = z.output<typeof productInput>;

/** The input to change a product: its `sku`, and the fields to change. */
export const productPatch = z.extend(z.partial(productInput), { sku: name, version: expectedVersion });
export type ProductPatch = z.output<typeof productPatch>;

export const product = z.object({
  account_id: primitive.int,
  product_id: primitive.int,
  sku: primitive.text,
  description: primitive.text,
  width: primitive.number,
  length: primitive.number,
  height: primitive.number,
  weight: primitive.number,
  cost: primitive.number,
  retail: primitive.number,
  upc: primitive.textOrNull,
  harmonization_code: primitive.textOrNull,
  supplier: primitive.textOrNull,
  distribution_center: primitive.textOrNull,
  package_type: primitive.textOrNull,
  pick_style: z.nullable(z.enum(pickStyles)),
  one_time_product: z.enum(["Yes", "No"]),
  case_qty: primitive.numberOrNull,
  category: primitive.textOrNull,
  model: primitive.textOrNull,
  manufacturer: primitive.textOrNull,
  client_option1: primitive.textOrNull,
  client_option2: primitive.textOrNull,
  client_option3: primitive.textOrNull,
  image_url: primitive.textOrNull,
  ...primitive.versionFields,
});
export type Product = z.output<typeof product>;

const yesOrNo = (answer: string): "Yes" | "No" => (answer.startsWith("Y") ? "Yes" : "No");

/** The fields that clients set. */
const productFields = z.omit(product, {
  account_id: true,
  product_id: true,
  created_at: true,
  updated_at: true,
  version: true,
});
type ProductFields = z.output<typeof productFields>;

/**
 * The fields after a change: the sent ones, and the previous values of all others. A field that was never
 * sent is null, as one that null clears; `one_time_product` is "No" then.
 */
function merge(before: Partial<ProductFields>, sent: ProductPatch): ProductFields {
  const { one_time_product = before.one_time_product, ...others } = sent;
  return z.parse(productFields, {
    ...Object.fromEntries(Object.keys(productFields.shape).map((name) => [name, null])),
    ...before,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    one_time_product: yesOrNo(one_time_product ?? "No"),
  });
}

export const newProduct = (
  input: ProductInput,
  { account_id, product_id, at }: { account_id: number; product_id: number; at: string },
): Product => ({
  ...merge({}, input),
  account_id,
  product_id,
  ...primitive.firstVersion(at),
});

/** The product with the sent fields. Others keep their values; null clears an optional field. */
export const patchProduct = (before: Product, sent: ProductPatch, at: string): Product =>
  nextVersion(before, merge(before, sent), at);

/** A unit in which a product is counted, and how many pieces the unit holds. */
interface UnitOfMeasure {
  readonly uom: "EACH" | "CASE";
  readonly quantity: number;
}

/** `EACH`, and `CASE` if the product has a `case_qty` (docs/decisions.md, Units of measure). */
export const unitsOfMeasure = ({ case_qty }: Pick<Product, "case_qty">): readonly UnitOfMeasure[] => [
  { uom: "EACH", quantity: 1 },
  ...(case_qty === null ? [] : [{ uom: "CASE" as const, quantity: case_qty }]),
];
