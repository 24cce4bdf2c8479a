import * as z from "zod/mini";
import { Unreadable } from "./layouts.ts";

/** An error of zod. To name its class would bundle all of zod, which is 290 KB. */
const parsingError = z.object({
  issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string() })),
});

/** What is wrong with a stored item, without any of its values; undefined if an error says nothing of it. */
export function reasonUnreadable(error: unknown): string | undefined {
  const { data: parsing } = z.safeParse(parsingError, error);
  if (parsing !== undefined)
    return parsing.issues.map(({ path, code }) => `${path.join(".") || "the item"}: ${code}`).join(", ");
  return error instanceof Unreadable ? error.message : undefined;
}

/** Whether an error says that an item does not have its expected form. */
export const isUnreadable = (error: unknown): boolean => reasonUnreadable(error) !== undefined;

/** What `read` makes of an item or, if the item is unreadable, what `otherwise` makes of the reason. */
export function ifReadable<T>(read: () => T, otherwise: (reason: string, error: unknown) => T): T {
  try {
    return read();
  } catch (error) {
    const reason = reasonUnreadable(error);
    if (reason === undefined) throw error;
    return otherwise(reason, error);
  }
}

/** What `read` makes of the item called `name`. @throws Unreadable, which names it, if it is unreadable */
export const naming = <T>(name: string, read: () => T): T =>
  ifReadable(read, (reason) => {
    throw new Unreadable(`${name} can't be read (${reason})`);
  });
