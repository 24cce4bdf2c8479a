import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A stored item that is not parsed yet. */
export type RawItem = Readonly<Record<string, unknown>>;

export const keyIn = ({ pk, sk }: RawItem): Key => ({
  pk: String(pk),
  sk: String(sk),
});

export const storedKey = z.object({ pk: primitive.text, sk: primitive.text });

/** Ids are padded to this many digits, 10¹² ids of a kind, so that text order is number order. */
const digits = 12;

export const padded = (id: number): string => String(id).padStart(digits, "0");

/** The sort key of an item that is alone in its partition. */
export const only = "-";

/** Joins the parts of a key. Only the last may be free text, so that the key is unambiguous. */
export const joined = (...parts: readonly (string | number)[]): string => parts.join("#");

/** A text that identifies one item, whatever its key contains. */
export const textOf = (table: string, { pk, sk }: Key): string => `${table} ${pk.length} ${pk}${sk}`;
