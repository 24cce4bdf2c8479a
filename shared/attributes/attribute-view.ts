import * as z from "zod/mini";
import { setOnce } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { idOrName } from "../http/lists/define-read.ts";
import { attribute, ownerTypeOf, ownerTypes } from "./attribute.ts";

export const ownerPath = z.object({
  owner_type: z.pipe(z.pipe(primitive.text, z.transform(ownerTypeOf)), z.enum(ownerTypes)),
  owner_id: idOrName,
});

/**
 * The meaning of `owner_id`, in any case. Calls that write also have it in the query: it qualifies the path.
 */
export const ownerQuery = { identify_by: z.optional(z.string().check(z.trim(), z.toLowerCase())) };

export const attributeRecord = z.pick(attribute, {
  owner_type: true,
  owner_id: true,
  attribute: true,
  value: true,
  created_at: true,
  updated_at: true,
});

/** The calls that change the fields which a PATCH leaves alone. Others follow from what was sent. */
export const attributeReadOnly = { owner_type: setOnce, owner_id: setOnce, created_at: setOnce } as const;
