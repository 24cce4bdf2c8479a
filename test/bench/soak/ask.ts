/** The calls of the soak: corrections, weights and reverts, mixed. */
import { barcodeOf } from "../../../shared/orders/order.ts";
import { pick, whole } from "../../support/http/random.ts";
import { inCalls, type SetUp, type SoakBin, type SoakSize } from "./set-up.ts";

/** A call that has so many jobs accepted. */
export interface SoakCall {
  readonly path: string;
  readonly body: unknown;
  readonly jobs: number;
}

/** Share of corrections that are counts, where there may be counts. */
const counts = 0.2;

export function callsFor(
  { places, toRevert, others }: SetUp,
  { corrections, weights }: SoakSize,
  random: () => number,
): readonly SoakCall[] {
  const entries = Array.from({ length: corrections }, () => entryIn(pick(random, places), random));
  const orders = [...toRevert, ...others];
  const calls = [
    ...inCalls(entries).map((skus) => call("/recount", [{ account_id: 100, skus }], skus.length)),
    ...weighings(orders, weights, random).map((data) => call("/orders/UpdateWeight", { data }, data.length)),
    ...inCalls(toRevert).map((list) =>
      call("/shipments/revert/pending", { shipments_list: list }, list.length),
    ),
  ];
  return shuffled(calls, random);
}

const call = (path: string, body: unknown, jobs: number): SoakCall => ({ path, body, jobs });

/**
 * What a bin holds stays so high that a call is never refused: one call takes less than 30 units out of a
 * bin.
 */
function entryIn({ sku, location, bin, picked }: SoakBin, random: () => number) {
  const change =
    !picked && random() < counts ? { qty_in_bin: whole(random, 30, 60) } : { qty: whole(random, -5, 6) };
  return { sku, bins: [{ location, bin, ...change }] };
}

/** Weights of orders chosen by chance; an order is weighed several times, but once a call. */
function weighings(orders: readonly number[], weights: number, random: () => number) {
  const most = Math.min(100, orders.length);
  const calls: { readonly nbtybarcode: string; readonly weight: number }[][] = [];
  for (let left = weights; left > 0; left -= most) {
    calls.push(
      shuffled(orders, random)
        .slice(0, Math.min(most, left))
        .map((id) => ({ nbtybarcode: barcodeOf(id), weight: whole(random, 1, 9999) / 100 })),
    );
  }
  return calls;
}

/** The elements in another order, by chance. */
export const shuffled = <T>(elements: readonly T[], random: () => number): readonly T[] =>
  elements
    .map((element) => ({ element, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ element }) => element);
