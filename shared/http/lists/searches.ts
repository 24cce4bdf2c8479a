/** What a list's query may look for, as schemas (docs/decisions.md, Searches). */
import * as z from "zod/mini";
import { name } from "../../common/fields.ts";
import type { Wanted } from "../../store/lookup-index.ts";

/** A shorter prefix would match a large part of all records. */
const minPrefixCharacters = 3;

/** A name that is looked for. With a `*` behind it, all names that begin so are. */
export const nameOrBeginning = z.pipe(
  z.pipe(
    name,
    z
      .string()
      .check(
        z.refine(
          (sent) => !sent.endsWith("*") || [...sent].length > minPrefixCharacters,
          `must have at least ${minPrefixCharacters} characters before the *`,
        ),
      ),
  ),
  z.transform(
    (sent): Wanted =>
      sent.endsWith("*") ? { text: sent.slice(0, -1), begins: true } : { text: sent, begins: false },
  ),
);

/** A search for this very text or id; none where nothing was sent. */
export const exactly = (sent: string | number | undefined): Wanted | undefined =>
  sent === undefined ? undefined : { text: String(sent), begins: false };

/** One of these values, or several of them with commas between. */
export const severalOf = (values: readonly string[]) =>
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (sent) => sent.split(",").every((value) => values.includes(value.trim())),
          `must be one of ${values.join(", ")}, or several of them with commas between`,
        ),
      ),
    z.transform((sent) => [...new Set(sent.split(",").map((value) => value.trim()))]),
  );

/** Most names of one query. */
const maxNames = 100;

const partsOf = (sent: string): readonly string[] => sent.split(",").filter((part) => part.trim() !== "");

const isName = (text: string): boolean => z.safeParse(name, text).success;

/** The names of a query. */
export interface NamesSent {
  readonly parts: readonly string[];
  /** The text with all of them, where it may be a name itself. */
  readonly whole: string | undefined;
}

/** One name, or several of them with commas between. A name may hold a comma itself, so `whole` may be what is meant. */
export const severalNames = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (sent) => partsOf(sent).length > 0 && partsOf(sent).length <= maxNames && partsOf(sent).every(isName),
        `must be 1 to ${maxNames} names of at most 100 characters with commas between`,
      ),
    ),
  z.transform((sent): NamesSent => {
    const parts = new Set(partsOf(sent).map((part) => z.parse(name, part)));
    return { parts: [...parts], whole: z.safeParse(name, sent).data };
  }),
);
