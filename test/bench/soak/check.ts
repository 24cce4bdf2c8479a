/**
 * Whether the totals are exact: what lies in the tables is what the applied jobs, in the order of their ids,
 * come to.
 */

import type { Order } from "../../../shared/orders/order.ts";
import { changedIn } from "../../../shared/orders/order-history.ts";
import { readChanges } from "../../../shared/orders/storage/order-history-repository.ts";
import { orders as repository, type StoredOrder } from "../../../shared/orders/storage/order-repository.ts";
import { weighing } from "../../../shared/picking/weighing.ts";
import { binsOf } from "../../../shared/stock/bins/bin-repository.ts";
import { type Movement, movement } from "../../../shared/stock/movements/movement.ts";
import { type Correction, correction, quantityAfter } from "../../../shared/stock/recount/recount.ts";
import { stockOf } from "../../../shared/stock/stock-levels.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import type { JobRecord } from "../../support/store/job-records.ts";
import { itemsOf } from "../../support/store/scan.ts";
import { type SetUp, sideBySide } from "./set-up.ts";

export const soakedKinds = ["recount", "weight", "revert"] as const;

/** All jobs of each kind, by id. */
export type Jobs = Readonly<Record<(typeof soakedKinds)[number], readonly JobRecord[]>>;

/**
 * Why a job may fail, by its kind; whatever else is said is a defect. Every shipment is reverted once, so
 * none fails; nor does a correction that was accepted, since nobody takes goods out of bins.
 */
const reasons: Readonly<Record<keyof Jobs, RegExp>> = {
  recount: /^$/,
  weight: /^superseded by weight \d+, a later one$|is Pending; only a Processing or Shipped order/,
  revert: /^$/,
};

/** Everything that is not as it should be, in words; nothing where the totals are exact. */
export async function differences(db: Database, jobs: Jobs, made: SetUp): Promise<readonly string[]> {
  const found = soakedKinds.flatMap((kind) => unexplained(kind, jobs[kind]));
  const stored = [...(await repository.findAll(db, anyOwner, [...made.toRevert, ...made.others])).values()];
  const orders = stored.map(({ record }) => record);
  const corrections = applied(jobs.recount).map(({ job_id, payload }) => ({
    id: job_id,
    ...correction.parse(payload),
  }));
  const movements = await allMovements(db);
  for (const productId of made.productIds.values()) {
    const own = corrections.filter(({ product_id }) => product_id === productId);
    found.push(...(await inBins(db, productId, own, orders)));
    const moved = movements.filter(({ product_id }) => product_id === productId);
    found.push(...(await inStock(db, productId, own, moved, orders)));
  }
  await sideBySide(stored, async (order) => {
    found.push(...(await onOrder(db, order, jobs)));
  });
  return found;
}

const allMovements = async (db: Database): Promise<readonly Movement[]> =>
  (await itemsOf(db, "inventory"))
    .filter(({ pk }) => String(pk).startsWith("movement#"))
    .map((item) => movement.parse(item));

const applied = (jobs: readonly JobRecord[]) => jobs.filter(({ status }) => status === "applied");

const unexplained = (kind: keyof Jobs, jobs: readonly JobRecord[]): readonly string[] =>
  jobs
    .filter(
      ({ status, reason }) =>
        status === "queued" || (status === "failed" && !reasons[kind].test(reason ?? "")),
    )
    .map(({ job_id, status, reason }) => `${kind} ${job_id} is ${status} (${reason})`);

/** `what: 3 instead of 4`, where they differ. */
const unlike = (what: string, is: unknown, expected: unknown): readonly string[] =>
  JSON.stringify(is) === JSON.stringify(expected)
    ? []
    : [`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(expected)}`];

type Applied = Correction & { readonly id: number };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** What orders hold of a product. */
const picksOf = (orders: readonly Order[], productId: number) =>
  orders.flatMap(({ picks }) => picks).filter(({ product_id }) => product_id === productId);

async function inBins(
  db: Database,
  productId: number,
  corrections: readonly Applied[],
  orders: readonly Order[],
): Promise<readonly string[]> {
  const expected = new Map<string, number>();
  const change = ({ location, bin }: Pick<Applied, "location" | "bin">, by: (before: number) => number) =>
    expected.set(`${location}/${bin}`, by(expected.get(`${location}/${bin}`) ?? 0));
  for (const one of corrections) change(one, (before) => quantityAfter(before, one.change));
  for (const pick of picksOf(orders, productId)) change(pick, (before) => before - pick.quantity);
  const bins = await binsOf(db, productId);
  return [
    ...unlike(`bins of product ${productId}`, bins.length, expected.size),
    ...bins.flatMap(({ location, bin, quantity }) =>
      unlike(`${location}/${bin}`, quantity, expected.get(`${location}/${bin}`)),
    ),
  ];
}

async function inStock(
  db: Database,
  productId: number,
  corrections: readonly Applied[],
  movements: readonly Movement[],
  orders: readonly Order[],
): Promise<readonly string[]> {
  const levels = await stockOf(db, productId);
  const onHand = sum(levels.map(({ on_hand }) => on_hand));
  const binned = sum((await binsOf(db, productId)).map(({ quantity }) => quantity));
  const held = sum(picksOf(orders, productId).map(({ quantity }) => quantity));
  const moved = movements.filter(({ reason }) => reason === "recount");
  const ids = moved.map(({ reference }) => reference.correction_id ?? 0);
  const known = new Map(corrections.map((one) => [one.id, one]));
  const changes = corrections.filter(({ difference }) => difference !== 0);
  const what = `product ${productId}:`;
  return [
    ...unlike(`${what} on hand`, onHand, binned + held),
    ...unlike(`${what} on hand by movements`, sum(movements.map(({ on_hand }) => on_hand)), onHand),
    ...unlike(
      `${what} reserved by movements`,
      sum(movements.map(({ reserved }) => reserved)),
      sum(levels.map(({ reserved }) => reserved)),
    ),
    ...unlike(`${what} corrections that moved stock twice`, ids.length - new Set(ids).size, 0),
    ...unlike(
      `${what} movements of what was not applied`,
      ids.filter((id) => !known.has(id)),
      [],
    ),
    ...changes.flatMap(({ id, difference }) =>
      unlike(`correction ${id}`, moved[ids.indexOf(id)]?.on_hand, difference),
    ),
  ];
}

async function onOrder(db: Database, stored: StoredOrder, jobs: Jobs): Promise<readonly string[]> {
  const { record: order } = stored;
  const { order_id, status, picker, picks, weight, weighed_by } = order;
  const about = (kind: keyof Jobs) =>
    applied(jobs[kind]).filter(({ payload }) => payload["order_id"] === order_id);
  const [weights, reverts] = [about("weight"), about("revert")];
  const last = weights.at(-1);
  const history = await readChanges(db, stored);
  const times = (field: string) => history.filter((entry) => changedIn(entry).includes(field)).length;
  const what = `order ${order_id}:`;
  return [
    ...unlike(`${what} weight`, weight, last === undefined ? null : weighing.parse(last.payload).weight),
    ...unlike(`${what} weighed by`, weighed_by, last?.job_id),
    ...unlike(`${what} weighings`, times("weight_updated_at"), weights.length),
    // Once when it was claimed, and once for its revert.
    ...unlike(`${what} changes of status`, times("status"), 1 + reverts.length),
    ...unlike(
      `${what} state`,
      { status, picker, picks: picks.length === 0 },
      reverts.length > 0
        ? { status: "Pending", picker: null, picks: true }
        : { status: "Processing", picker: "manager", picks: times("picks") === 0 },
    ),
  ];
}
