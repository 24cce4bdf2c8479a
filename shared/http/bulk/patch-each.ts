import { type FieldError, invalidAt, notFound, type Problem } from "../../common/problem.ts";
import { outdated } from "../../common/versioned.ts";
import type { Context } from "../../lambda/context.ts";
import { type Outcome, type Plan, storeEach } from "../../store/bulk/bulk.ts";

interface Patch<S> {
  readonly sent: S;
  /** Its path in the request: `data.0`. */
  readonly path: string;
}

/** A patch, and the stored record that it changes. */
interface FoundPatch<S, B> extends Patch<S> {
  readonly before: B;
}

export interface RecordName {
  /** The field that names the record: `sku`. */
  readonly field: string;
  readonly value: string | number;
  /** The record in words: `product with the SKU LAMP`. */
  readonly words: string;
}

interface ReadPatches<S, B, F> {
  /** The record that a patch names; undefined if it does not exist. */
  readonly find: (sent: S) => B | undefined;
  /** The other records that the patches refer to. */
  readonly references: F;
}

interface Patching<S, B, F, T> {
  /** The kind of record, for messages: `product`. */
  readonly title: string;
  readonly nameOf: (sent: S) => RecordName;
  /** The id and version of a record, and the version that a patch expects, if the records have versions. */
  readonly versions?: (patch: FoundPatch<S, B>) => {
    readonly id: number;
    readonly stored: number;
    readonly sent: number | undefined;
  };
  /** Errors of patches that name the same record as an earlier patch, if the names alone show it. */
  readonly repeated?: readonly FieldError[];
  readonly read: (open: readonly S[]) => Promise<ReadPatches<S, B, F>>;
  /** Plans what to store for each patch whose record exists, in their order. */
  readonly plan: (
    found: readonly FoundPatch<S, B>[],
    references: F,
  ) => readonly Plan<T>[] | Promise<readonly Plan<T>[]>;
}

/**
 * Changes the records of a PATCH call, each atomically. A record that another call changes first is read and
 * planned again.
 * @throws Problem `not_found` or `invalid`, with nothing stored, if any patch is wrong or repeated
 */
export async function patchEach<S, B, F, T>(
  { db, idempotency, ifMatch }: Pick<Context, "db" | "idempotency" | "ifMatch">,
  sent: readonly S[],
  { title, nameOf, versions, repeated = [], read, plan }: Patching<S, B, F, T>,
): Promise<readonly Outcome<T>[]> {
  if (repeated.length > 0) throw invalidAt(repeated);
  const patches = sent.map((one, position) => ({ sent: one, path: `data.${position}` }));
  const planAll = async (open: readonly Patch<S>[]): Promise<readonly Plan<T>[]> => {
    const { find, references } = await read(open.map((patch) => patch.sent));
    const found = open.flatMap((patch) => {
      const before = find(patch.sent);
      return before === undefined ? [] : [{ ...patch, before }];
    });
    const planned = await plan(found, references);
    const plans = new Map(
      found.map((patch, index) => {
        const known = versions?.(patch);
        const expected = { version: known?.sent, path: patch.path, ifMatch };
        const problem = known && outdated(`${title} ${known.id}`, { version: known.stored }, expected);
        return [patch.path, problem === undefined ? planned[index] : { problem }] as const;
      }),
    );
    return open.map(
      (patch) => plans.get(patch.path) ?? { problem: unknown(title, nameOf(patch.sent), patch) },
    );
  };
  return storeEach(db, patches, planAll, idempotency);
}

const unknown = (title: string, { field, value, words }: RecordName, { path }: Patch<unknown>): Problem => {
  const message = `names no ${title} (${value})`;
  const error: FieldError = { path: `${path}.${field}`, message, code: "unknown_reference" };
  return notFound(`There is no ${words}`, [error]);
};
