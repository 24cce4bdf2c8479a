import * as z from "zod/mini";
import { synset } from "../../domain/catalog/synset.ts";

/** A synset as clients see it, with how many can be built now (units) and the component that limits this number. */
export const synsetRecord = z.extend(z.omit(synset, { account_id: true, version: true }), {
  available: z.int(),
  limited_by: z.string(),
});
