import { type Placed, valuesOf } from "../../common/placed.ts";
import {
  duplicatePositions,
  type FieldError,
  invalidAt,
  notFound,
  type Problem,
} from "../../common/problem.ts";
import { outdatedProblem } from "../../common/versioned.ts";
import type { Context } from "../../runtime/context.ts";
import { type Outcome, type Plan, type Receipts, storeEach, zip } from "../../store/bulk/bulk.ts";

/** The fields of a record, or those sent of it. Some kinds of records have no version. */
type Fields = Readonly<Record<string, unknown>> & { readonly version?: number | undefined };

/** A patch, and the stored record that it changes. */
interface FoundPatch<S, B> extends Placed<S> {
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
  /** The kind of record: `product`, if `product_id` is its id. */
  readonly title: string;
  readonly nameOf: (sent: S) => RecordName;
  readonly read: (open: readonly S[]) => Promise<ReadPatches<S, B, F>>;
  /** Plans the writes of patches, in order. Rejected patches are left out, so that none builds on them. */
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
export async function patchEach<S extends Fields, B extends { readonly record: Fields }, F, T>(
  context: Pick<Context, "db" | "ifMatch"> & Receipts,
  patches: readonly Placed<S>[],
  { title, nameOf, read, plan }: Patching<S, B, F, T>,
): Promise<readonly Outcome<T>[]> {
  const planAll = async (open: readonly Placed<S>[]): Promise<readonly Plan<T>[]> => {
    const { find, references } = await read(valuesOf(open));
    const befores = valuesOf(open).map(find);
    const ids = befores.map((before) => before && String(before.record[`${title}_id`]));
    const repeated = duplicatePositions(ids);
    const checked = open.map((patch, index): FoundPatch<S, B> | { readonly problem: Problem } => {
      const before = befores[index];
      if (before === undefined) return { problem: unknownRecord(title, nameOf(patch.value), patch.path) };
      if (repeated.has(index)) return { problem: repeats(nameOf(patch.value), patch.path) };
      const { version } = before.record;
      if (version === undefined) return { ...patch, before };
      const stated = { version: patch.value.version, path: patch.path, ifMatch: context.ifMatch };
      const problem = outdatedProblem(`${title} ${ids[index]}`, { version }, stated);
      return problem === undefined ? { ...patch, before } : { problem };
    });
    const sound = checked.filter((one) => "before" in one);
    const planned = zip(sound, await plan(sound, references));
    const plans = new Map(planned.map(([{ path }, one]) => [path, one]));
    return checked.flatMap((one) => ("problem" in one ? one : (plans.get(one.path) ?? [])));
  };
  return storeEach(context.db, patches, planAll, context);
}

const repeats = ({ field, value }: RecordName, path: string): Problem =>
  invalidAt([{ path: `${path}.${field}`, message: `is in this call twice (${value})` }]);

const unknownRecord = (title: string, { field, value, words }: RecordName, path: string): Problem => {
  const message = `names no ${title} (${value})`;
  const error: FieldError = { path: `${path}.${field}`, message, code: "unknown_reference" };
  return notFound(`There is no ${words}`, [error]);
};
