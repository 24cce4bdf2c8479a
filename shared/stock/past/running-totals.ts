/**
 * Running totals: they make the stock of a past moment cheap to read, however many movements there are.
 *
 * The first movement of a product's week carries totals, and then every ninth: the number and the units of
 * the week's movements up to it (`week`), and those of all earlier weeks (`earlier`), by center. The totals
 * up to a moment are those of the last such movement before it and the few movements after that one. A
 * product's first week has nothing earlier, so the ninth movement is the first that carries totals.
 *
 * The totals are derived: `total-movements.ts` adds them after movements are stored, and corrects them if one
 * is stored behind later ones. So they may lack some. The stock records count all movements, week by week.
 * A reader reads these records first, then the totals of the moment's week, and both must count as many
 * (`compared-totals.ts`). Movements are only added, as weeks carry no totals while old movements are dropped
 * (`infra/operator/history/drop-movements.ts`). So there are three cases:
 *
 * - The totals count fewer: they lack movements. The week's movements are added up instead.
 * - They count more: the stock has changed since its records were read, and all begins again.
 * - They count as many: they count the same ones, unless one was stored since the records were read and
 *   stands for one that the totals lack. It is dated by the start of its call. So if the week's last movement
 *   is new, the records are read again, and must still count as many.
 *
 * If the totals of the earlier weeks do not count as many as the records, the week before is read in the same
 * way, and so on. For example, with one center, whose stock record counts 2 movements of week 7 and 3 of 8:
 *
 *   week 7   Mon +10   Tue -2
 *   week 8   Mon  -1, with totals { week: 1 movement, -1; earlier: 2 movements, +8 }   Tue -3   Wed +4
 *
 * For the stock after Tuesday's movement, week 8 is read from Wednesday's backwards to Monday's: 3 movements,
 * as many as are counted. Those up to Tuesday come to -4. The 2 earlier ones are as many as are counted, too,
 * so week 7 is not read: 8 - 4 = 4 units.
 */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { queryPages, queryRange, type RawItem } from "../../store/dynamodb/reads.ts";
import { Busy } from "../../store/dynamodb/retry.ts";
import { type Movement, movement } from "../movements/movement.ts";
import { movementPartition, table } from "../movements/movement-repository.ts";

/** The number of movements, and the sums of their units. */
const totals = z.object({ count: primitive.int, on_hand: primitive.int, reserved: primitive.int });
export type Totals = z.output<typeof totals>;

const byCenter = z.record(primitive.text, totals);

/** By the id of the distribution center. A center without movements may be absent. */
export type CenterTotals = Readonly<Record<string, Totals>>;

export const totalsAttribute = "totals";

const runningTotals = z.object({ week: byCenter, earlier: byCenter });
export type RunningTotals = z.output<typeof runningTotals>;

/** A movement and the totals that it carries, if any. */
export const movementWithTotals = z.extend(movement, { [totalsAttribute]: z.optional(runningTotals) });

/** At most this many movements follow one with totals or begin a product's first week; rarely a few more. */
export const maxWithoutTotals = 8;

/** Movements that are read first: those up to one with totals, and a few that were stored late. */
const nearby = maxWithoutTotals + 2;

const pageSize = 1000;

/**
 * Movements that are read one by one if none carries totals. Only release 1.0.0 can have left this many,
 * until `operator history total` has run.
 */
const maxUntotalled = 20_000;

export const noTotals: Totals = { count: 0, on_hand: 0, reserved: 0 };

const sum = (left: Totals, right: Totals): Totals => ({
  count: left.count + right.count,
  on_hand: left.on_hand + right.on_hand,
  reserved: left.reserved + right.reserved,
});

export const addTotals = (left: CenterTotals, right: CenterTotals): CenterTotals => ({
  ...left,
  ...Object.fromEntries(
    Object.entries(right).map(([center, more]) => [center, sum(left[center] ?? noTotals, more)] as const),
  ),
});

export const ofMovement = ({ distribution_center_id, on_hand, reserved }: Movement): CenterTotals => ({
  [distribution_center_id]: { count: 1, on_hand, reserved },
});

/** A week of a product, whose movements share a partition. */
export interface ProductWeek {
  readonly product_id: number;
  readonly week: number;
}

const partitionOf = ({ product_id, week }: ProductWeek) =>
  ({ table, pk: movementPartition(product_id, week) }) as const;

/** The totals of a week up to some movement. */
export interface WeekTotals {
  readonly week: CenterTotals;
  /** The totals of all earlier weeks, as the week's movements carry them; may be out of date. */
  readonly earlier: CenterTotals | undefined;
  /** The sort key of the last movement; undefined if there is none. */
  readonly last: string | undefined;
  /** The number of movements after the last one that carries totals. */
  readonly withoutTotals: number;
  /** Each movement by its sort key, if all of them were read. Usually a week has few. */
  readonly all?: readonly (readonly [key: string, CenterTotals])[] | undefined;
}

/** Sorts after every movement. */
const afterAll = "~";

/** Sorts after the movements of a time (ISO 8601), and before those of later times. */
export const afterTime = (at: string): string => `${at}#~`;

/** Which movements of a week to total. */
export interface Extent {
  /** The sort key before which they lie; all of the week by default. */
  readonly end?: string | undefined;
  /** Whether to add up every movement, because totals may be missing some. */
  readonly ignoresTotals?: boolean;
}

/**
 * The totals of a product's week. It takes one read unit if a movement near `end` carries totals.
 * @throws Busy if too many movements carry none
 */
export const readWeek = (
  db: Database,
  of: ProductWeek,
  { end = afterAll, ignoresTotals = false }: Extent = {},
): Promise<WeekTotals> => sumUp(newestFirst(db, of, end), of, ignoresTotals);

/** The totals of these movements, newest first. @throws as `readWeek` */
async function sumUp(
  movements: AsyncIterable<RawItem> | Iterable<RawItem>,
  { product_id }: ProductWeek,
  ignoresTotals = false,
): Promise<WeekTotals> {
  let week: CenterTotals = {};
  let last: string | undefined;
  let withoutTotals = 0;
  const all: (readonly [string, CenterTotals])[] = [];
  for await (const item of movements) {
    last ??= String(item["sk"]);
    const { totals, ...moved } = z.parse(movementWithTotals, item);
    all.push([String(item["sk"]), ofMovement(moved)]);
    if (totals !== undefined && !ignoresTotals) {
      const isFirst = isDeepStrictEqual(totals.week, ofMovement(moved));
      const read = { last, withoutTotals, all: isFirst ? all : undefined };
      return { week: addTotals(totals.week, week), earlier: totals.earlier, ...read };
    }
    week = addTotals(week, ofMovement(moved));
    withoutTotals += 1;
    if (withoutTotals > maxUntotalled)
      throw new Busy(new Error(`product ${product_id} has too many movements without running totals`));
  }
  return { week, earlier: undefined, last, withoutTotals, all };
}

/** The movements of a week in pages, oldest first. */
export const movementPages = (
  db: Database,
  of: ProductWeek,
  from = "0",
): AsyncGenerator<readonly RawItem[], void> =>
  queryPages(db, { ...partitionOf(of), between: [from, afterAll] }, pageSize);

/** The movements up to a sort key, newest first. */
const upTo = (of: ProductWeek, to: string) =>
  ({ ...partitionOf(of), between: ["0", to], direction: "desc" }) as const;

const isBefore =
  (end: string) =>
  (item: RawItem): boolean =>
    String(item["sk"]) < end;

/** The movements before `end`: first a few, which usually suffice, then long pages. */
async function* newestFirst(db: Database, of: ProductWeek, end: string): AsyncGenerator<RawItem, void> {
  const near = await queryRange(db, { ...upTo(of, end), limit: nearby });
  yield* near.filter(isBefore(end));
  const furthest = near.at(-1);
  if (furthest === undefined || near.length < nearby) return;
  const to = String(furthest["sk"]);
  for await (const items of queryPages(db, upTo(of, to), pageSize)) yield* items.filter(isBefore(to));
}

/** What to total again: the movements from one sort key on. */
export interface TotalledRange {
  readonly from: string;
  /** The estimated number of movements in it. They are read together with the few before them. */
  readonly expected: number;
  /** After this sort key, no movement needs a correction once one carries the right totals. */
  readonly settledAfter: string;
}

export const wholeWeek: TotalledRange = { from: "0", expected: 0, settledAfter: afterAll };

/**
 * The totals before a range, and its movements in pages, oldest first. Usually one query of the week's newest
 * movements returns both.
 */
export async function readRange(db: Database, of: ProductWeek, { from, expected }: TotalledRange) {
  const limit = nearby + expected;
  const newest = await queryRange(db, { ...upTo(of, afterAll), limit });
  const before = newest.filter(isBefore(from));
  if (newest.length < limit || before.some((item) => item[totalsAttribute] !== undefined)) {
    const inRange = newest.slice(0, newest.length - before.length).toReversed();
    return { base: await sumUp(before, of), pages: [inRange] };
  }
  return { base: await sumUp(newestFirst(db, of, from), of), pages: movementPages(db, of, from) };
}

/** Totals up to some movement of a week, and how many movements ago one carried totals. */
type Before = Pick<WeekTotals, "week" | "withoutTotals">;

/** The state before a week's first movement, which carries totals if there are earlier weeks. */
export const beforeWeek = (earlier: CenterTotals): Before => ({
  week: {},
  withoutTotals: Object.keys(earlier).length === 0 ? 0 : maxWithoutTotals,
});

/**
 * Adds up the movements of a week, oldest first. Returns the totals that a movement should carry; undefined
 * if it needs none and has none.
 */
export function totalsToCarry(
  before: Before,
): (moved: Movement, carries: boolean) => CenterTotals | undefined {
  let { week, withoutTotals } = before;
  return (moved, carries) => {
    week = addTotals(week, ofMovement(moved));
    withoutTotals += 1;
    if (!carries && withoutTotals <= maxWithoutTotals) return undefined;
    withoutTotals = 0;
    return week;
  };
}
