/** Schemas of search parameters in list queries (docs/decisions.md, Searches). */
import * as z from "zod/mini";
import { name, parseId } from "../../common/fields.ts";
import type { WantedTexts } from "../../store/lists/found.ts";
import type { Wanted } from "../../store/lookup-index.ts";

/** A shorter prefix would match a large part of all records. */
const minPrefixCharacters = 3;

/** Maximum values of a list in a query. */
const maxValues = 100;

/** The distinct values of a list, separated by commas, with `\,` for a comma. Blank values are left out. */
const valuesIn = (sent: string): readonly string[] => {
  const values = sent.split(/(?<!\\),/).map((value) => value.replaceAll("\\,", ",").trim());
  return [...new Set(values)].filter((value) => value !== "");
};

/** Why a text can't be searched for; undefined if it can. `problem` replaces the message on a wrong name. */
function problemOf(text: string, problem: string): string | undefined {
  const [issue] = z.safeParse(name, text).error?.issues ?? [];
  if (issue !== undefined) return problem || issue.message;
  const star = text.indexOf("*");
  if (star < 0) return undefined;
  if (star < text.length - 1) return "must have a * at its end only";
  const isShort = [...text].length <= minPrefixCharacters;
  return isShort ? `must have at least ${minPrefixCharacters} characters before the *` : undefined;
}

const wantedOf = (text: string): Wanted =>
  text.endsWith("*") ? { text: text.slice(0, -1), begins: true } : { text, begins: false };

/**
 * A list of texts in a query, which may end in `*` (docs/decisions.md, Searches). `problem` replaces the
 * message about a wrong list, if that should not describe what is wrong with a text.
 */
export const severalTexts = ({ problem = "" } = {}) =>
  z.pipe(
    z.string(),
    z.transform((sent, { issues }): WantedTexts => {
      const values = valuesIn(sent);
      const isList = values.length > 0 && values.length <= maxValues;
      const wrong = values.map((value) => problemOf(value, problem)).find((one) => one !== undefined);
      const message = isList ? wrong : problem || `must be 1 to ${maxValues} texts with commas between`;
      if (message !== undefined) {
        issues.push({ code: "custom", message, input: sent });
        return z.NEVER;
      }
      const texts = [...new Set(values.map((value) => z.parse(name, value)))];
      const mayBeName = sent.includes(",") && !sent.includes("\\,");
      const whole = mayBeName ? z.safeParse(name, sent).data : undefined;
      return { parts: texts.map(wantedOf), whole };
    }),
  );

/** A list of values in a query, as `read` parses them; `message` describes a valid list. */
const several = <T>(message: string, read: (value: string) => T | undefined) =>
  z.pipe(
    z.string(),
    z.transform((sent, { issues }): readonly T[] => {
      const values = valuesIn(sent).map(read);
      const known = values.filter((value) => value !== undefined);
      if (known.length > 0 && known.length === values.length && known.length <= maxValues)
        return [...new Set(known)];
      issues.push({ code: "custom", message, input: sent });
      return z.NEVER;
    }),
  );

/** A list of ids in a query. */
export const severalIds = several(`must be 1 to ${maxValues} ids with commas between`, parseId);

/** A search for an exact text or id; none if nothing was sent. */
export const exactly = (sent: string | number | undefined): WantedTexts | undefined =>
  sent === undefined ? undefined : { parts: [{ text: String(sent), begins: false }] };

/** One or several of these lower-case values, sent in any case and separated by commas. */
export const severalOf = (values: readonly string[]) =>
  several(`must be one of ${values.join(", ")}, or several of them with commas between`, (sent) =>
    values.find((value) => value === sent.toLowerCase()),
  );
