import * as z from "zod/mini";
import { name, quantity } from "./fields.ts";
import { mostProducts } from "./stock.ts";

/** What a client sends to create a kit: a name, and how many of which products one kit takes. */
export const synsetInput = z.object({
  synset: name,
  items: z.array(z.object({ sku: name, quantity })).check(z.minLength(1), z.maxLength(mostProducts)),
});
export type SynsetInput = z.output<typeof synsetInput>;

/** A kit, bundle or product family, which orders replace by its components. */
export const synset = z.object({
  account_id: z.int(),
  synset_id: z.int(),
  synset: z.string(),
  items: z.array(z.object({ sku: z.string(), product_id: z.int(), quantity: z.int() })),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type Synset = z.output<typeof synset>;
