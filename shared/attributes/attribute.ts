import * as z from "zod/mini";
import { anyText, name, newName } from "../common/fields.ts";
import type { Placed } from "../common/placed.ts";
import * as primitive from "../common/primitives.ts";
import type { NamedAt } from "../common/problem.ts";

/** The kinds of records that can have attributes (docs/decisions.md, Owners of attributes). */
export const ownerTypes = [
  "order",
  "product",
  "replenishment",
  "return",
  "manufacture",
  "distribution_center",
] as const;
export type OwnerType = (typeof ownerTypes)[number];

/** Normalizes the name of a kind of owner, which clients may send in any case and in the plural. */
export function ownerTypeOf(text: string): string {
  const sent = text.toLowerCase();
  const singular = sent.replace(/s$/, "");
  return ownerTypes.some((type) => type === singular) ? singular : sent;
}

/** A record with attributes. On a distribution center, an account sees only its own attributes. */
export interface AttributeOwner {
  readonly account_id: number;
  readonly owner_type: OwnerType;
  readonly owner_id: number;
}

/** An attribute as clients send it. Its name is unique within its owner. */
export const attributeInput = z.object({ attribute: name, value: anyText(1000) });

/** An attribute that a client gives, so that its owner has one of this name from now on. */
export const newAttribute = z.extend(attributeInput, { attribute: newName });
type AttributeInput = z.output<typeof attributeInput>;

/** The place of an attribute in a call. */
export const namedAt = ({ value, path }: Placed<AttributeInput>): NamedAt => ({
  name: value.attribute,
  path: `${path}.attribute`,
});

export const attribute = z.object({
  account_id: primitive.int,
  owner_type: z.enum(ownerTypes),
  owner_id: primitive.int,
  attribute_id: primitive.int,
  attribute: primitive.text,
  value: primitive.text,
  created_at: primitive.time,
  updated_at: primitive.time,
});
export type Attribute = z.output<typeof attribute>;
