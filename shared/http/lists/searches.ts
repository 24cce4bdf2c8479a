/** Schemas of search parameters in list queries (docs/decisions.md, Searches). */
import * as z from "zod/mini";
import { name } from "../../common/fields.ts";
import type { Wanted } from "../../store/lookup-index.ts";

/** A shorter prefix would match a large part of all records. */
const minPrefixCharacters = 3;

/** A name to search for, or with a trailing `*` a prefix. */
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

/** A search for an exact text or id; none if nothing was sent. */
export const exactly = (sent: string | number | undefined): Wanted | undefined =>
  sent === undefined ? undefined : { text: String(sent), begins: false };

/** One or several of these values, separated by commas. */
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

/** Maximum names in a query. */
const maxNames = 100;

const partsOf = (sent: string): readonly string[] => sent.split(",").filter((part) => part.trim() !== "");

const isName = (text: string): boolean => z.safeParse(name, text).success;

/** The names of a query. */
export interface NamesSent {
  readonly parts: readonly string[];
  /** The whole text, if it may be a name itself. */
  readonly whole: string | undefined;
}

/** One or several names, separated by commas. A name may contain a comma, so `whole` may be the name. */
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
