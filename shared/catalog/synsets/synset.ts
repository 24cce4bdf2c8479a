import * as z from "zod/mini";
import { expectedVersion, name, newName, quantity } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { nextVersion } from "../../common/versioned.ts";
import { kitItems } from "../names.ts";

/** Maximum products in a kit. */
const maxComponents = 100;

/** The input to create a kit: a name, and the components with their quantities. */
export const synsetInput = z.object({
  synset: newName,
  items: z.array(z.object({ sku: name, quantity })).check(z.minLength(1), z.maxLength(maxComponents)),
});
export type SynsetInput = z.output<typeof synsetInput>;

/** The input to change a kit: its `synset`, and items that replace all previous items. */
export const synsetPatch = z.extend(z.partial(synsetInput), { synset: name, version: expectedVersion });

/** A kit, bundle or product family. In an order, a kit is replaced by its components. */
export const synset = z.object({
  account_id: primitive.int,
  synset_id: primitive.int,
  synset: primitive.text,
  items: kitItems,
  ...primitive.versionFields,
});
export type Synset = z.output<typeof synset>;

/** A kit's name and its resolved components. */
export type SynsetTerms = Pick<Synset, "synset" | "items">;

export const newSynset = (
  terms: SynsetTerms,
  { account_id, synset_id, at }: { account_id: number; synset_id: number; at: string },
): Synset => ({ ...terms, account_id, synset_id, ...primitive.firstVersion(at) });

/** The kit with `items` as its components. Without `items` the components stay as they are. */
export const patchSynset = (before: Synset, items: Synset["items"] | undefined, at: string): Synset =>
  nextVersion(before, { items: items ?? before.items }, at);
