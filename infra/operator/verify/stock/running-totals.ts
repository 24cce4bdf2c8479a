/**
 * Compares the running totals that movements carry with the movements.
 *
 * The first pass reads each partition, a product's week, in the order of its movements. Within a week, totals
 * are compared with the movements before them. Across weeks, only two numbers for each product are kept: the
 * sum x of its movements, and the sum of (earlier + week)² - earlier² over its weeks. The second is x² if
 * each week begins where the one before it ends. What differs is only suspected, and its movements are read.
 */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { stockList } from "../../../../shared/catalog/products/product-lists.ts";
import { movementPartition } from "../../../../shared/stock/movements/movement-repository.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import {
  addTotals,
  type CenterTotals,
  maxWithoutTotals,
  movementWithTotals,
  noTotals,
  ofMovement,
  type RunningTotals,
} from "../../../../shared/stock/past/running-totals.ts";
import { totalProduct } from "../../../../shared/stock/past/total-movements.ts";
import { stockItemsOf } from "../../../../shared/stock/stock-levels.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { type Key, keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import { queryPages, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { comparison, type FirstPass } from "../comparator.ts";
import type { Verification } from "../finding.ts";
import { type Inspection, nothingWrong, type Suspect } from "../inspection.ts";
import { idInPartition } from "../reading.ts";
import type { Scope } from "../scope.ts";

/** A week while it is read. Totals of earlier weeks are unknown until a movement carries some. */
interface Week {
  readonly productId: number;
  readonly totals: CenterTotals;
  readonly earlier: CenterTotals | undefined;
}

/** Two sums of a product, modulo 2³². */
interface Sums {
  moved: number;
  squares: number;
}

interface WrongTotals extends Key {
  readonly carried: RunningTotals;
  readonly expected: RunningTotals;
}

const { table } = stockList;

const pageSize = 1_000;

/** Weeks that are open at once: some more than the segments of the table that are read concurrently. */
const maxOpen = 64;

/** Totals follow their movements within seconds. */
const settledMs = 300_000;

export function runningTotalsCheck(
  verification: Verification,
  { hasProduct }: Pick<Scope, "hasProduct">,
): FirstPass<Suspect> {
  const open = new Map<string, Week>();
  const sums = new Map<number, Sums>();
  const suspects = new Set<number>();
  /** Products with a short week without totals: the first one carries none. */
  const short = new Set<number>();
  /** Products with other weeks without totals, such as those of release 1.0. */
  const untotalled = new Set<number>();
  /** Products with a movement that can't be read, which is reported with their stock. */
  const unreadable = new Set<number>();
  const close = ({ productId, totals, earlier: carried }: Week): void => {
    const earlier = carried ?? {};
    if (carried === undefined) {
      if (short.has(productId) || countIn(totals) > maxWithoutTotals) return void untotalled.add(productId);
      short.add(productId);
    }
    const before = numberOf(earlier);
    const after = numberOf(addTotals(totals, earlier));
    const { moved, squares } = sums.get(productId) ?? { moved: 0, squares: 0 };
    sums.set(productId, {
      moved: (moved + numberOf(totals)) | 0,
      squares: (squares + Math.imul(after, after) - Math.imul(before, before)) | 0,
    });
  };
  const read = (item: RawItem): void => {
    const pk = String(item["pk"]);
    const productId = idInPartition(item);
    const { success, data } = z.safeParse(movementWithTotals, item);
    if (!success) return void unreadable.add(productId);
    const { totals: carried, ...moved } = data;
    const before = open.get(pk) ?? { productId, totals: {}, earlier: undefined };
    const totals = addTotals(before.totals, ofMovement(moved));
    const earlier = before.earlier ?? carried?.earlier;
    if (carried !== undefined && !isDeepStrictEqual(carried, { week: totals, earlier }))
      suspects.add(productId);
    open.delete(pk);
    open.set(pk, { productId, totals, earlier });
    const [oldest] = open;
    if (open.size <= maxOpen || oldest === undefined) return;
    open.delete(oldest[0]);
    close(oldest[1]);
  };
  const found = () => {
    for (const week of open.values()) close(week);
    open.clear();
    for (const [productId, { moved, squares }] of sums)
      if (!untotalled.has(productId) && Math.imul(moved, moved) !== squares) suspects.add(productId);
    return [...suspects]
      .filter((productId) => !unreadable.has(productId))
      .map((productId) => ({
        title: titleOf(productId),
        inspect: () => inspect(verification.db, productId),
      }));
  };
  return comparison({
    ofItems: [
      {
        table,
        kind: "movement",
        isVerified: (item) => hasProduct(idInPartition(item)),
        facts: (item) => {
          read(item);
          return [];
        },
      },
    ],
    found,
  });
}

const titleOf = (productId: number): string => `running totals of product ${productId}`;

const countIn = (totals: CenterTotals): number =>
  Object.values(totals).reduce((sum, { count }) => sum + count, 0);

/** Totals as one number, modulo 2³²: their parts with weights, so that differences do not cancel out. */
const numberOf = (totals: CenterTotals): number =>
  Object.entries(totals).reduce((sum, [center, { count, on_hand, reserved }]) => {
    const units =
      Math.imul(count, 0x9e3779b1) + Math.imul(on_hand, 0x85ebca77) + Math.imul(reserved, 0xc2b2ae3d);
    return (sum + Math.imul(units, 2 * Number(center) + 1)) | 0;
  }, 0);

/**
 * Reads all movements of a product. While its stock changes, totals may follow later: until then, those that
 * count another number of movements are not judged. Readers do not use them.
 */
async function inspect(db: Database, productId: number): Promise<Inspection> {
  const wrong: WrongTotals[] = [];
  let earlier: CenterTotals = {};
  let last = "";
  for (const [week] of weeksOf(await stockItemsOf(db, productId))) {
    let totals: CenterTotals = {};
    for await (const items of queryPages(db, { table, pk: movementPartition(productId, week) }, pageSize))
      for (const item of items) {
        const { totals: carried, ...moved } = z.parse(movementWithTotals, item);
        totals = addTotals(totals, ofMovement(moved));
        last = moved.at;
        const expected = { week: totals, earlier };
        if (carried !== undefined && !isDeepStrictEqual(carried, expected))
          wrong.push({ ...keyIn(item), carried, expected });
      }
    earlier = addTotals(totals, earlier);
  }
  const isSettled = Date.parse(last) < Date.now() - settledMs;
  const judged = wrong.filter((one) => isSettled || hasSameCounts(one));
  if (judged.length === 0) return nothingWrong;
  const difference = {
    record: titleOf(productId),
    what: "movements whose totals are not those of the movements up to them",
    actual: judged.length,
    expected: 0,
  };
  const repair = async () => ((await totalProduct(db, productId)) > 0 ? "repaired" : "unneeded");
  return { state: judged, faults: [{ differences: [difference], repair }] };
}

const hasSameCounts = ({ carried, expected }: WrongTotals): boolean =>
  (["week", "earlier"] as const).every((part) =>
    Object.entries(expected[part]).every(
      ([center, { count }]) => (carried[part][center] ?? noTotals).count === count,
    ),
  );
