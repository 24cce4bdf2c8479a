/** What a list's query may look for, as schemas (docs/decisions.md, Searches). */
import * as z from "zod/mini";
import { name } from "../domain/fields.ts";
import type { Wanted } from "../store/directory.ts";

/** Fewest characters of a beginning: fewer would find a large part of everything. */
const shortestBeginning = 3;

/** A name that is looked for. With a `*` behind it, all names that begin so are. */
export const nameOrBeginning = z.pipe(
  z.pipe(
    name,
    z
      .string()
      .check(
        z.refine(
          (sent) => !sent.endsWith("*") || [...sent].length > shortestBeginning,
          `must have at least ${shortestBeginning} characters before the *`,
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
