import { type FieldError, invalidAt, notFound, type Problem } from "../../common/problem.ts";
import type { Context } from "../../lambda/context.ts";
import { type Outcome, type Plan, storeEach } from "../../store/bulk/bulk.ts";

/** One record of a PATCH call. */
export interface Patch<S> {
  readonly sent: S;
  /** Where the request holds it: `data.0`. */
  readonly path: string;
}

/** A patch, and the record that it changes as it was before. */
export interface FoundPatch<S, B> extends Patch<S> {
  readonly before: B;
}

/** How a patch names the record that it changes. */
export interface RecordName {
  /** The field that holds the name: `sku`. */
  readonly field: string;
  readonly value: string | number;
  /** The record in words: `product with the SKU LAMP`. */
  readonly words: string;
}

/** What was read to plan patches. */
interface ReadPatches<S, B, F> {
  /** The record that a patch names; undefined where there is none. */
  readonly find: (sent: S) => B | undefined;
  /** What the patches refer to. */
  readonly references: F;
}

interface Patching<S, B, F, T> {
  /** What the records are called: `product`. */
  readonly title: string;
  readonly nameOf: (sent: S) => RecordName;
  /** Errors of patches whose record an earlier patch of the call names, where the names alone show it. */
  readonly repeated?: readonly FieldError[];
  readonly read: (open: readonly S[]) => Promise<ReadPatches<S, B, F>>;
  /** What to store for each patch whose record was found, in their order. */
  readonly plan: (
    found: readonly FoundPatch<S, B>[],
    references: F,
  ) => readonly Plan<T>[] | Promise<readonly Plan<T>[]>;
}

/**
 * Changes the records that a PATCH call names, each atomically. A record that changed meanwhile is read and planned
 * anew.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any patch is wrong or repeated
 */
export async function patchEach<S, B, F, T>(
  { db }: Pick<Context, "db">,
  sent: readonly S[],
  { title, nameOf, repeated = [], read, plan }: Patching<S, B, F, T>,
): Promise<readonly Outcome<T>[]> {
  if (repeated.length > 0) throw invalidAt(repeated);
  const patches = sent.map((one, position) => ({ sent: one, path: `data.${position}` }));
  return storeEach(db, patches, async (open) => {
    const { find, references } = await read(open.map((patch) => patch.sent));
    const found = open.flatMap((patch) => {
      const before = find(patch.sent);
      return before === undefined ? [] : [{ ...patch, before }];
    });
    const planned = await plan(found, references);
    const plans = new Map(found.map(({ path }, index) => [path, planned[index]]));
    return open.map(
      (patch) => plans.get(patch.path) ?? { problem: unknown(title, nameOf(patch.sent), patch) },
    );
  });
}

const unknown = (title: string, { field, value, words }: RecordName, { path }: Patch<unknown>): Problem => {
  const error: FieldError = { path: `${path}.${field}`, message: `names no ${title} (${value})` };
  return notFound(`There is no ${words}`, [error]);
};
