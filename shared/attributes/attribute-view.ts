import * as z from "zod/mini";
import { setOnce } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { idOrName } from "../http/lists/define-read.ts";
import { attribute, ownerTypeOf, ownerTypes } from "./attribute.ts";

export const ownerPath = z.object({
  owner_type: z.pipe(z.pipe(primitive.text, z.transform(ownerTypeOf)), z.enum(ownerTypes)),
  owner_id: idOrName,
});

/** What `owner_id` is, in any case. Write calls have it in the query, too: it qualifies the path. */
export const ownerQuery = { identify_by: z.optional(z.string().check(z.trim(), z.toLowerCase())) };

export const attributeRecord = z.pick(attribute, {
  owner_type: true,
  owner_id: true,
  attribute: true,
  value: true,
  created_at: true,
  updated_at: true,
});

/** What changes the fields that a PATCH leaves as they are. Others follow from what was sent. */
export const attributeReadOnly = { owner_type: setOnce, owner_id: setOnce, created_at: setOnce } as const;
