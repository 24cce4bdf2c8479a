import * as z from "zod/mini";
import { synset } from "../../domain/catalog/synset.ts";

/** A synset as clients see it, with how many can be built now and the component that limits it, in units. */
export const synsetRecord = z.extend(z.omit(synset, { account_id: true, version: true }), {
  available: z.int(),
  limited_by: z.string(),
});
