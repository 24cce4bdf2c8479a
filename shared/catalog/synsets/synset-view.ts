import * as z from "zod/mini";
import { setOnce } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { synset } from "./synset.ts";

/**
 * A synset as clients see it, with how many can be built now (units) and the component that limits this
 * number.
 */
export const synsetRecord = z.extend(z.omit(synset, { account_id: true }), {
  available: primitive.int,
  limited_by: primitive.text,
});

/** The calls that change the fields which a PATCH leaves alone. Others follow from what was sent. */
export const synsetReadOnly = { synset_id: setOnce, created_at: setOnce } as const;
