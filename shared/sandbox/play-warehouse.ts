/**
 * The sandbox: simulates the warehouse for one order, by the flows of the warehouse's own calls
 * (docs/decisions.md, Sandbox). The remaining steps are derived from the order, its goods and its returns. So
 * an interrupted call can be continued by another, and a call without remaining steps changes nothing.
 */
import { findAccount } from "../accounts/account-repository.ts";
import { product } from "../catalog/products/product.ts";
import { productLookup } from "../catalog/products/product-repository.ts";
import { clock } from "../common/clock.ts";
import { inBatches } from "../common/concurrency.ts";
import { placed } from "../common/placed.ts";
import { conflict, Problem } from "../common/problem.ts";
import { type InboundLine, remainingOf, unitsByProduct } from "../inbound/inbound.ts";
import { returnsOfOrder } from "../inbound/inbound-repository.ts";
import { putAway } from "../inbound/put-away.ts";
import { announceReturns } from "../inbound/returns/announce-returns.ts";
import { changeOrder } from "../orders/change-orders.ts";
import { getOrder } from "../orders/find-order.ts";
import type { Order, OrderPick } from "../orders/order.ts";
import { isPicked } from "../orders/order-status.ts";
import { ship, weigh } from "../orders/order-transitions.ts";
import type { PickRequest } from "../picking/locate-picks.ts";
import { listPicks } from "../picking/pick-list.ts";
import { maxPicksAndSerials } from "../picking/picking.ts";
import { claimOrder, pickOrder } from "../picking/picking-flows.ts";
import type { AccountContext, Context } from "../runtime/context.ts";
import type { Serial } from "../serials/serial.ts";
import {
  pickableSerials,
  productsWithSerials,
  serialMarkLookup,
  serialsOut,
} from "../serials/serial-repository.ts";
import { noReceipts } from "../store/bulk/bulk.ts";
import { onlyResult } from "../store/bulk/store-rest.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined } from "../store/dynamodb/keys.ts";
import { getItems, parsed } from "../store/dynamodb/reads.ts";

/** How far the warehouse is simulated: each stage includes the ones before it. */
export const stages = ["picked", "shipped", "returned"] as const;

interface Simulation {
  readonly order_id: number;
  readonly to: (typeof stages)[number];
  /** Generated if it is missing. */
  readonly tracking_number?: string | undefined;
}

/** The picker and the carrier of the sandbox. */
const [sandboxPicker, sandboxCarrier] = ["sandbox", "Sandbox"];

/** Milliseconds after which no step begins. A function of 29 s can still complete its last step. */
const playBudgetMs = 15_000;

/** The call, and the time (of `clock`) until which it begins steps. */
type Play = AccountContext & { readonly until: number };

/** @throws Problem `too_many` if the call has no time for another step */
function beginStep({ until }: Play): void {
  if (clock() <= until) return;
  const message = "The order takes more steps than one call; what is done stays done, so send it again";
  throw new Problem("too_many", message, { retryAfterSeconds: 1 });
}

/** The context of a step that is made now, dated after others' changes since the call began. */
const stepNow = <C extends Context>(context: C): C => ({ ...context, now: new Date().toISOString() });

const asItIs = <T>(record: T): T => record;

/**
 * Takes an order to a stage, and returns it as it is then.
 * @throws Problem `forbidden` if the account is no sandbox; `not_found`; `conflict` if the warehouse could
 * not do it, for example because goods are short; `too_many` if it takes longer than one call
 */
export async function playWarehouse(called: AccountContext, simulation: Simulation): Promise<Order> {
  const { db, account_id } = called;
  const context = { ...called, until: clock() + playBudgetMs };
  if ((await findAccount(db, account_id))?.sandbox !== true)
    throw new Problem("forbidden", "The account is no sandbox, so its warehouse is not simulated");
  const { order_id, to, tracking_number } = simulation;
  const read = async () => (await getOrder(context, "order_id", String(order_id))).record;
  try {
    const order = await pickWhole(context, await read());
    if (to === "picked") return order;
    const shipped = await weighAndShip(context, order, tracking_number);
    if (to === "shipped") return shipped;
    await bringBack(context, shipped);
    return await read();
  } catch (error) {
    if (error instanceof Problem && error.kind === "invalid") throw conflict(error.message);
    throw error;
  }
}

/**
 * Claims an order, and picks whatever is not picked yet. Missing goods and serials are noticed before the
 * claim and the first pick, so that the order can still be replaced or cancelled.
 */
async function pickWhole(context: Play, found: Order): Promise<Order> {
  const { order_id } = found;
  let order = found;
  if (order.status === "Shipped") return order;
  if (order.status !== "Cancelled") await openGoods(context.db, order, Number.POSITIVE_INFINITY);
  if (order.status !== "Processing" || order.picker === null)
    order = await claimOrder(stepNow(context), order_id, sandboxPicker);
  while (!isPicked(order)) {
    beginStep(context);
    const picks = await nextPicks(context.db, order);
    if (picks.length === 0)
      throw conflict(`Order ${order_id} has picks of more units than its lines need; revert it first`);
    order = await pickOrder(
      { ...stepNow(context), user_name: order.picker ?? sandboxPicker },
      order_id,
      picks,
      asItIs,
    );
  }
  return order;
}

/**
 * The lines of an order with the bins to take the rest from, and free serials of each product that has
 * serials: as many as are wanted, at most `maxSerials`.
 * @throws Problem `conflict` if goods or serials are short
 */
async function openGoods(db: Database, order: Order, maxSerials: number) {
  const [lines = []] = await listPicks(db, [order]);
  const wanted = unitsByProduct(lines, ({ remaining }) => remaining);
  const find = await getItems(db, [...wanted.keys()].map(serialMarkLookup));
  const serials = new Map<number, string[]>();
  for (const id of await productsWithSerials(db, [...wanted.keys()], find))
    serials.set(id, [...(await pickableSerials(db, id, Math.min(wanted.get(id) ?? 0, maxSerials)))]);
  for (const { product_id, sku, remaining, bins } of lines) {
    const lying = bins.reduce((sum, stop) => sum + stop.quantity, 0);
    if (lying < remaining)
      throw conflict(
        `goods are short: ${lying} of ${sku} in the bins of the order's center, ${remaining} wanted`,
      );
    const free = serials.get(product_id)?.length;
    const units = wanted.get(product_id) ?? 0;
    if (free !== undefined && free < Math.min(units, maxSerials))
      throw conflict(`goods are short: ${free} of ${sku} with serials that can be picked, ${units} wanted`);
  }
  return { lines, serials };
}

/** The next picks of an order, as many as one call takes. @throws as `openGoods` */
async function nextPicks(db: Database, order: Order): Promise<readonly PickRequest[]> {
  const { lines, serials } = await openGoods(db, order, maxPicksAndSerials);
  const picks: PickRequest[] = [];
  let room = maxPicksAndSerials;
  for (const { product_id, sku, bins } of lines) {
    const free = serials.get(product_id);
    for (const { location, bin, quantity } of bins) {
      if (room < 2) return picks;
      const units = free === undefined ? quantity : Math.min(quantity, room - 1);
      picks.push({ sku, location, bin, quantity: units, serials: free?.splice(0, units) });
      room -= free === undefined ? 1 : units + 1;
    }
  }
  return picks;
}

/** Weighs a picked order unless it has a weight, and approves it unless it is Shipped. */
async function weighAndShip(context: AccountContext, order: Order, tracking_number?: string): Promise<Order> {
  const { order_id } = order;
  if (order.status === "Shipped") return order;
  if (order.weight === null) {
    const weight = await weightOf(context.db, order);
    const weighed = async (latest: Order, at: string) =>
      latest.weight === null
        ? weigh(latest, { weight, weighedBy: latest.weighed_by ?? 0 }, at)
        : { after: latest };
    await changeOrder(stepNow(context), order_id, weighed, asItIs);
  }
  const parcel = { tracking_number: tracking_number ?? `SANDBOX-${order_id}`, carrier: sandboxCarrier };
  const shipped = async (latest: Order, at: string) =>
    latest.status === "Shipped" ? { after: latest } : ship(latest, parcel, at);
  return changeOrder(stepNow(context), order_id, shipped, asItIs);
}

/** The weight of an order's goods, in pounds. */
async function weightOf(db: Database, { items }: Order): Promise<number> {
  const find = await getItems(
    db,
    items.map(({ product_id }) => productLookup(product_id)),
  );
  const weights = items.map(
    ({ product_id, quantity }) => (parsed(product, find(productLookup(product_id)))?.weight ?? 0) * quantity,
  );
  return Number(weights.reduce((sum, weight) => sum + weight, 0).toFixed(3));
}

/**
 * Announces a return of the goods of a Shipped order that have not come back, and puts the goods of all its
 * returns into the bins from which they were picked.
 */
async function bringBack(context: Play, order: Order): Promise<void> {
  const { db } = context;
  const { order_id } = order;
  const items = order.items
    .filter(({ quantity, returned }) => returned < quantity)
    .map(({ sku, quantity, returned }) => ({ sku, quantity: quantity - returned }));
  if (items.length > 0)
    onlyResult(await announceReturns({ ...stepNow(context), ...noReceipts }, placed([{ order_id, items }])));
  const found = (await returnsOfOrder(db, order)).map(({ record }) => record);
  const batches = await batchesOut(
    db,
    order,
    found.flatMap((one) => one.items),
  );
  for (const { return_id, items: lines } of found)
    for (const { sku, product_id, ...line } of lines) {
      let left = remainingOf(line);
      for (const batch of batches.filter(({ pick }) => pick.product_id === product_id)) {
        const quantity = Math.min(left, batch.quantity);
        if (quantity === 0) continue;
        beginStep(context);
        const { location, bin } = batch.pick;
        const goods = { sku, quantity, location, bin, serials: batch.serials?.splice(0, quantity) };
        await putAway(stepNow(context), { return_id }, goods, asItIs);
        left -= quantity;
        batch.quantity -= quantity;
      }
    }
}

/** Picked units that one call can put back into the bin from which they were picked. */
interface Batch {
  readonly pick: OrderPick;
  quantity: number;
  /** Undefined for goods without serials. */
  readonly serials: string[] | undefined;
}

const serialKey = ({ product_id, serial }: Pick<Serial, "product_id" | "serial">): string =>
  joined(product_id, serial);

/** The picked units of an order that are not put away again. `lines` are those of all its returns. */
async function batchesOut(
  db: Database,
  { order_id, picks }: Order,
  lines: readonly InboundLine[],
): Promise<readonly Batch[]> {
  const out = new Set((await serialsOut(db, order_id, picks)).map(serialKey));
  const serialsOutOf = ({ product_id, serials }: OrderPick) =>
    serials.filter((text) => out.has(serialKey({ product_id, serial: text })));
  const back = new Map(unitsByProduct(lines, ({ put_away }) => put_away));
  /** Uses up at most `units` of a product's returned units, and returns how many of `units` are not back. */
  const notBack = (productId: number, units: number): number => {
    const counted = Math.min(units, back.get(productId) ?? 0);
    back.set(productId, (back.get(productId) ?? 0) - counted);
    return units - counted;
  };
  for (const pick of picks) notBack(pick.product_id, pick.serials.length - serialsOutOf(pick).length);
  // A pick has units with and without serials if its product was given serials between two calls.
  return picks.flatMap((pick): readonly Batch[] => [
    ...inBatches(serialsOutOf(pick), maxPicksAndSerials).map((serials) => ({
      pick,
      quantity: serials.length,
      serials: [...serials],
    })),
    { pick, quantity: notBack(pick.product_id, pick.quantity - pick.serials.length), serials: undefined },
  ]);
}
