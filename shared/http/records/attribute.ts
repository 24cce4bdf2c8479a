import * as z from "zod/mini";
import { attribute, ownerTypes } from "../../domain/attribute.ts";

/** The part of a path that names an owner of attributes. */
export const ownerPath = z.object({
  owner_type: z.enum(ownerTypes),
  owner_id: z.string().check(z.maxLength(255)),
});

/** An attribute as clients see it. */
export const attributeRecord = z.pick(attribute, {
  attribute: true,
  value: true,
  created_at: true,
  updated_at: true,
});
