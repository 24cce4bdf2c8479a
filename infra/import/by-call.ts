/** Stores records by the service's bulk calls, as the API does. */
import * as z from "zod/mini";
import { type FieldError, Problem } from "../../shared/common/problem.ts";
import type { Rejection } from "./columns.ts";

export interface ImportResult {
  readonly created: number;
  readonly updated?: number;
  readonly unchanged: number;
  /** Rows that differ from the stored records, field by field. */
  readonly different?: readonly Rejection[];
  readonly refused: readonly Rejection[];
}

/** A record, and the row in which it begins. */
export interface ReadRecord {
  readonly row: number;
  readonly record: object;
  /** The row of each of its `items`, if they have rows of their own. */
  readonly itemRows?: readonly number[];
}

/** Stores the records of a body. It throws as the call does. */
export type BulkCall = (body: { readonly data: readonly object[] }) => Promise<unknown>;

/**
 * Stores records by a bulk call, which rejects a call as a whole. Records that the rejection names are left
 * out, and the others are sent again. If it names none, for example because the call would write too much,
 * each half of the records is sent.
 * @throws Busy, and every error that is not a Problem
 */
export async function storedByCall(records: readonly ReadRecord[], call: BulkCall): Promise<ImportResult> {
  if (records.length === 0) return nothing;
  try {
    await call({ data: records.map(({ record }) => record) });
    return { ...nothing, created: records.length };
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === "too_many") throw error;
    const { data, errors = [] } = error.details;
    if (data !== undefined) return partly(records, data);
    const refused = rejectionsOf(records, errors);
    if (refused.length > 0) {
      const wrong = new Set(errors.map(({ path }) => positionIn(path)));
      const others = records.filter((_, position) => !wrong.has(position));
      return mergeResults({ ...nothing, refused }, await storedByCall(others, call));
    }
    return storedByHalves(records, call, error);
  }
}

/**
 * Compares records with what is stored. `wrongOf` tells how a record differs from the stored one; undefined
 * if there is none.
 * @returns also the records that exist with other values (`differing`), and how they differ (`different`)
 */
export function compareEach<R extends ReadRecord>(
  records: readonly R[],
  wrongOf: (record: R) => readonly Rejection[] | undefined,
) {
  const [fresh, differing, different]: [ReadRecord[], ReadRecord[], Rejection[]] = [[], [], []];
  for (const one of records) {
    const wrong = wrongOf(one);
    if (wrong === undefined) fresh.push(one);
    else if (wrong.length > 0) differing.push(one);
    different.push(...(wrong ?? []));
  }
  const unchanged = records.length - fresh.length - differing.length;
  return { fresh, unchanged, differing, different };
}

/**
 * Creates new records, and changes those that differ. Without `update`, `change` is a dry run: a record whose
 * change would be refused is refused, so those listed as different are stored with `update`.
 * @throws as `storedByCall`
 */
export async function storeCompared(
  { fresh, unchanged, differing, different }: ReturnType<typeof compareEach>,
  { create, change }: { readonly create: BulkCall; readonly change: BulkCall },
  update: boolean,
): Promise<ImportResult> {
  const created = await storedByCall(fresh, create);
  const changed = await storedByCall(differing, change);
  const wrong = new Set(changed.refused.map(({ row }) => row));
  const refusedRows = new Set(
    differing.flatMap(({ row, itemRows = [] }) =>
      [row, ...itemRows].some((one) => wrong.has(one)) ? row : [],
    ),
  );
  return {
    created: created.created,
    updated: update ? changed.created : 0,
    unchanged,
    different: update ? [] : different.filter(({ row }) => !refusedRows.has(row)),
    refused: [...created.refused, ...changed.refused],
  };
}

const nothing: ImportResult = { created: 0, unchanged: 0, refused: [] };

const mergeResults = (one: ImportResult, other: ImportResult): ImportResult => ({
  created: one.created + other.created,
  unchanged: one.unchanged + other.unchanged,
  refused: [...one.refused, ...other.refused],
});

/** Sends each half of the records of a rejected call; a single record is rejected with the call's message. */
async function storedByHalves(
  records: readonly ReadRecord[],
  call: BulkCall,
  { message }: Problem,
): Promise<ImportResult> {
  if (records.length === 1)
    return { ...nothing, refused: records.map(({ row }) => ({ row, field: "", message })) };
  const middle = Math.ceil(records.length / 2);
  const first = await storedByCall(records.slice(0, middle), call);
  return mergeResults(first, await storedByCall(records.slice(middle), call));
}

/** The position of the record that an error at `data.3.sku` is about. */
const positionIn = (path: string): number => Number(path.split(".")[1]);

/** The rejections of errors. One at `data.3.items.1.sku` is about the row of that item, if it has one. */
function rejectionsOf(records: readonly ReadRecord[], errors: readonly FieldError[]): readonly Rejection[] {
  return errors.flatMap(({ path, message, code }) => {
    const record = records[positionIn(path)];
    if (record === undefined) return [];
    const [, , ...field] = path.split(".");
    const [list, item, ...below] = field;
    const itemRow = list === "items" ? record.itemRows?.[Number(item)] : undefined;
    const [row, names] = itemRow === undefined ? [record.row, field] : [itemRow, below];
    return [{ row, field: names.join("."), message, ...(code && { code }) }];
  });
}

/** A call's answer about each record, if it stores only some. */
const answered = z.object({ success: z.boolean(), message: z.optional(z.string()) });

/** The outcome of a call that stored only some of the records, as `data` tells. */
function partly(records: readonly ReadRecord[], data: readonly unknown[]): ImportResult {
  const refused = records.flatMap(({ row }, position): readonly Rejection[] => {
    const { data: one } = z.safeParse(answered, data[position]);
    return one?.success === true ? [] : [{ row, field: "", message: one?.message ?? "" }];
  });
  return { created: records.length - refused.length, unchanged: 0, refused };
}
