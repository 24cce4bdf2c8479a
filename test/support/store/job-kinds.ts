/** The kinds of jobs as tests ask for them, and how each shows that it took effect exactly once. */

import { expect } from "vitest";
import { barcodeOf, type Order } from "../../../shared/orders/order.ts";
import { changedIn } from "../../../shared/orders/order-history.ts";
import { readChanges } from "../../../shared/orders/storage/order-history-repository.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import { expectBalanceAndMovements, ledgerOf } from "../business/ledger.ts";
import { storedOrders } from "../business/stored.ts";
import {
  claimEach,
  countEach,
  newOrders,
  newProducts,
  pickFrom,
  pickItems,
  shelf,
} from "../business/world.ts";
import { type Answer, listAt, numberAt } from "../http/client.ts";
import { oneByOne } from "../http/one-by-one.ts";
import { recountOf } from "../records/records.ts";
import type { Service } from "../runtime/service.ts";
import { jobsOf } from "./job-records.ts";

/** Jobs that were asked for by one call. */
export interface AskedJobs {
  /** Their ids, in the order of the call. */
  readonly ids: readonly number[];
  /**
   * Asserts that these of them took effect, each exactly once, and the others not at all. All of them without
   * `ids`.
   */
  expectApplied(ids?: readonly number[]): Promise<void>;
}

/** Asks for jobs by one call. */
export type Ask = () => Promise<AskedJobs>;

/** Makes another one of the calls each time. */
export function inTurn(calls: readonly Ask[]): Ask {
  const next = oneByOne(calls);
  return () => next()();
}

export interface Kind {
  readonly kind: string;
  /** The function that applies it, and the one that accepts it. */
  readonly worker: string;
  readonly endpoint: string;
  /**
   * Sets up what so many jobs are about, each something of its own, and that for so many calls at once; the
   * runtime must not pause. Answers how to make each of the calls.
   */
  prepareCalls(service: Service, count: number, calls: number): Promise<readonly Ask[]>;
  /** The same for one call. */
  prepare(service: Service, count: number): Promise<Ask>;
}

type Prepared = Omit<Kind, "prepare">;

const accepted = (answer: Answer): Answer => {
  expect(answer.status).toBe(200);
  return answer;
};

/** Orders in Processing, of two units each: so many of each of these SKUs. */
async function claimedOrders(
  service: Service,
  count: number,
  skus: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const lines = skus.flatMap((sku) => Array.from({ length: count }, () => [{ sku, quantity: 2 }]));
  const ids = await newOrders(service, lines);
  await claimEach(service, ids);
  return skus.map((_, position) => ids.slice(position * count, (position + 1) * count));
}

/** The one job of a kind about each of these orders, in the orders' order. */
async function jobIdsOf({ db }: Service, kind: string, orderIds: readonly number[]): Promise<number[]> {
  const jobs = await jobsOf(db, kind);
  return orderIds.map((id) => {
    const [job, ...others] = jobs.filter(({ payload }) => payload["order_id"] === id);
    if (job === undefined || others.length > 0)
      throw new Error(`not one job of kind ${kind} about order ${id}`);
    return job.job_id;
  });
}

/** How often an order's history tells of a change of this field. */
async function timesChanged({ db }: Service, { order_id }: Order, field: string): Promise<number> {
  const stored = await orders.find(db, anyOwner, order_id);
  if (stored === undefined) throw new Error(`there is no order ${order_id}`);
  const history = await readChanges(db, stored);
  return history.filter((entry) => changedIn(entry).includes(field)).length;
}

/** Changes of one bin, each of another quantity. */
const recount: Prepared = {
  kind: "recount",
  worker: "jobs/apply-recount",
  endpoint: "wms/recount",
  async prepareCalls(service, count, calls) {
    const entries = Array.from({ length: count }, (_, position) => ({ ...shelf, qty: 2 ** position }));
    return (await newProducts(service, calls)).map(({ sku }) => async () => {
      const { body } = accepted(await service.wms.post("/recount", recountOf(sku, entries)));
      const ids = listAt(body, "result").map((entry) => numberAt(entry, "correction_id"));
      const expectApplied: AskedJobs["expectApplied"] = async (applied = ids) => {
        // What the bin will hold is right, too: nothing of a failed correction is left in it.
        const { on_hand, binned, expected, movements } = await expectBalanceAndMovements(service, sku);
        const moved = movements.map(({ reference, on_hand: by }) => [reference.correction_id, by]);
        const sum = applied.reduce((total, id) => total + 2 ** ids.indexOf(id), 0);
        expect({ on_hand, binned, expected }).toEqual({ on_hand: sum, binned: sum, expected: sum });
        expect(moved.toSorted()).toEqual(applied.map((id) => [id, 2 ** ids.indexOf(id)]).toSorted());
      };
      return { ids, expectApplied };
    });
  },
};

/** Weights of orders, each of another one. */
const weight: Prepared = {
  kind: "weight",
  worker: "jobs/apply-weight",
  endpoint: "wms/update-weight",
  async prepareCalls(service, count, calls) {
    const all = await claimedOrders(service, count, Array(calls).fill("DEMO-TEE"));
    return all.map((orders) => async () => {
      const data = orders.map((id, position) => ({ nbtybarcode: barcodeOf(id), weight: position + 0.5 }));
      accepted(await service.wms.post("/orders/UpdateWeight", { data }));
      const ids = await jobIdsOf(service, "weight", orders);
      const expectApplied: AskedJobs["expectApplied"] = async (applied = ids) => {
        for (const [position, order] of (await storedOrders(service, orders)).entries()) {
          const takes = applied.includes(ids[position] ?? 0);
          expect(order.weight).toBe(takes ? position + 0.5 : null);
          expect(await timesChanged(service, order, "weight_updated_at")).toBe(takes ? 1 : 0);
        }
      };
      return { ids, expectApplied };
    });
  },
};

/** Reverts of orders whose goods were picked from one bin. */
const revert: Prepared = {
  kind: "revert",
  worker: "jobs/apply-revert",
  endpoint: "wms/revert-shipments",
  async prepareCalls(service, count, calls) {
    const skus = (await newProducts(service, calls)).map(({ sku }) => sku);
    await countEach(
      service,
      skus.map((sku) => ({ sku, contents: 2 * count })),
    );
    const all = await claimedOrders(service, count, skus);
    for (const [call, sku] of skus.entries())
      for (const id of all[call] ?? []) await pickItems(service, id, pickFrom(sku, 2));
    return skus.map((sku, call) => async () => {
      const orders = all[call] ?? [];
      accepted(await service.wms.post("/shipments/revert/pending", { shipments_list: orders }));
      const ids = await jobIdsOf(service, "revert", orders);
      const expectApplied: AskedJobs["expectApplied"] = async (applied = ids) => {
        for (const [position, order] of (await storedOrders(service, orders)).entries()) {
          const takes = applied.includes(ids[position] ?? 0);
          const { status, picker, picks } = order;
          const back = { status: "Pending", picker: null, picks: 0 };
          const stays = { status: "Processing", picker: "manager", picks: 1 };
          expect({ status, picker, picks: picks.length }).toEqual(takes ? back : stays);
          expect(await timesChanged(service, order, "status")).toBe(takes ? 2 : 1);
        }
        const { on_hand, binned, reserved } = await ledgerOf(service, sku);
        expect({ on_hand, binned, reserved }).toEqual({
          on_hand: 2 * count,
          binned: 2 * applied.length,
          reserved: 2 * count,
        });
      };
      return { ids, expectApplied };
    });
  },
};

export const kinds: readonly Kind[] = [recount, weight, revert].map((kind) => ({
  ...kind,
  prepare: async (service, count) => inTurn(await kind.prepareCalls(service, count, 1)),
}));
