import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";

/** Where an item lies in its table. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A key as it is stored. */
export const storedKey = z.object({ pk: primitive.text, sk: primitive.text });

/** Ids are padded to this many digits so that text order is number order: 10¹² ids of a kind. */
const digits = 12;

/** An id as a sort key. */
export const padded = (id: number): string => String(id).padStart(digits, "0");

/** The sort key of a partition that holds one item only. */
export const only = "-";

/** Joins the parts of a key. Only the last part may be free text, so two different lists never join to the same key. */
export const joined = (...parts: readonly (string | number)[]): string => parts.join("#");

/** A text that stands for one item. Another item has another text, whatever its keys hold. */
export const textOf = (table: string, { pk, sk }: Key): string => `${table} ${pk.length} ${pk}${sk}`;
