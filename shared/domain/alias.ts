import * as z from "zod/mini";
import { id, name, optionalText } from "./fields.ts";

/** What a client sends to create an alias: a channel's name for one of the account's products. */
export const aliasInput = z.object({
  sku: name,
  alias: name,
  /** The id of the store that uses it. */
  channel_id: id,
  distribution_center: optionalText(),
});
export type AliasInput = z.output<typeof aliasInput>;

/** An alias (translator). Its distribution center is what the channel says of it; orders are reserved in the product's. */
export const alias = z.object({
  account_id: z.int(),
  alias_id: z.int(),
  sku: z.string(),
  product_id: z.int(),
  alias: z.string(),
  channel_id: z.int(),
  distribution_center: z.nullable(z.string()),
  distribution_center_id: z.nullable(z.int()),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type Alias = z.output<typeof alias>;
