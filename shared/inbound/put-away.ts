/** Puts announced goods into bins: the goods of replenishments and returns. */

import type { Center } from "../catalog/products/product-references.ts";
import { type FieldError, invalidAt } from "../common/problem.ts";
import type { Bin } from "../registries/registry-repository.ts";
import type { AccountContext } from "../runtime/context.ts";
import { binContent, binContentLookup, changeBin, goodsIn } from "../stock/bins/bin-repository.ts";
import { withAdded } from "../stock/bins/layers.ts";
import {
  type BinName,
  namedBin,
  namedBinLookup,
  notTooMixed,
  unknownBins,
} from "../stock/bins/named-bins.ts";
import { changeIncoming } from "../stock/incoming-stock.ts";
import type { Cause } from "../stock/movements/movement.ts";
import { moveStock } from "../stock/open-stock.ts";
import { stockLookup } from "../stock/stock-repository.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { getItems, parsed } from "../store/dynamodb/reads.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import { type PlannedWrites, withEffects } from "../store/dynamodb/writes.ts";
import { storeOnce } from "../store/idempotency.ts";
import { getRecord, type Repository, type Stored } from "../store/lists/repository.ts";
import { type InboundRecord, remainingOf, withLines, withPutAway } from "./inbound.ts";
import { replenishments, returns } from "./inbound-repository.ts";
import type { OrderReturn } from "./returns/return.ts";
import { returnedSerials } from "./returns/returned-serials.ts";

/** The record whose goods are put away. */
export type PutAwayTarget = { readonly replenishment_id: number } | { readonly return_id: number };

/** At least one unit of a product to put into a bin, and what is known of the units. */
export interface PutAwayMove extends BinName {
  readonly sku: string;
  readonly quantity: number;
  readonly lot?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expires_on?: string | undefined;
  /** The serials of a return's units, one each, if their product has serials. They can be picked again. */
  readonly serials?: readonly string[] | undefined;
}

/** The account's replenishment or return. @throws Problem `not_found` */
export const loadPutAway = async (context: AccountContext, target: PutAwayTarget): Promise<InboundRecord> =>
  (await findInbound(context, target)).record;

/**
 * Puts goods into a bin. One transaction changes the bin, stock with its movement, incoming stock and the
 * record. The bin keeps the day, the lot and the expiry of the goods. Goods of a return may go to any center.
 * Goods of a replenishment may go to its own distribution center only.
 * @throws Problem `not_found` if the account has no such record; `invalid`, with nothing changed, if
 * the product is not in the record, more is put away than remains, or the bin is unknown, not for these goods
 * or too mixed
 * @returns what `answer` makes of the record as it is then
 */
export const putAway = <A extends object>(
  context: AccountContext,
  target: PutAwayTarget,
  move: PutAwayMove,
  answer: (after: InboundRecord) => A,
): Promise<A> =>
  untilFresh(context.db, async () => {
    const { db, account_id, actor, now } = context;
    const [inbound, bin] = await Promise.all([findInbound(context, target), findNamedBin(db, move)]);
    const { product_id, bin: shelf } = await checkMove(db, inbound, bin, move);
    const { sku, quantity, lot = null, expires_on = null } = move;
    const lookups = {
      bin: binContentLookup(product_id, shelf.location, shelf.bin),
      stock: stockLookup(product_id, shelf.distribution_center_id),
    };
    const [find, freed] = await Promise.all([
      getItems(db, [lookups.bin, lookups.stock]),
      returnedSerials(db, inbound.from, { product_id, sku, quantity, serials: move.serials }),
    ]);
    const content = parsed(binContent, find(lookups.bin));
    const layer = { received_on: now.slice(0, 10), lot, expires_on, quantity };
    const filled = notTooMixed(withAdded(goodsIn(content), quantity, [layer]), "bin");
    const goods = { account_id, product_id, sku, ...shelf };
    const cause: Cause = { reason: "put_away", reference: target, by: actor, at: now };
    const { after, writes } = inbound.putAway(product_id, quantity, now);
    const stored = withEffects(writes, [
      ...freed,
      ...changeBin(goods, content, filled, now),
      ...moveStock(goods, quantity, cause, find(lookups.stock) !== undefined),
    ]);
    return storeOnce(context, stored, answer(after));
  });

/** A replenishment or a return, with everything that its put-away needs. */
interface Inbound {
  /** `replenishment 1000` */
  readonly name: string;
  readonly record: InboundRecord;
  /** The return that brings the goods; undefined for a replenishment. */
  readonly from?: OrderReturn;
  /** The only center that may receive the goods; undefined if any center may. */
  readonly center?: Center;
  /** The record after units of a product were put away, and the writes other than those of bin and stock. */
  readonly putAway: (
    productId: number,
    units: number,
    at: string,
  ) => { readonly after: InboundRecord; readonly writes: PlannedWrites };
}

/** @throws Problem `not_found` */
async function findInbound(context: AccountContext, target: PutAwayTarget): Promise<Inbound> {
  if ("return_id" in target) {
    const found = await getRecord(context, returns, String(target.return_id));
    return { ...inboundOf(returns, found, target.return_id), from: found.record };
  }
  const id = target.replenishment_id;
  const found = await getRecord(context, replenishments, String(id));
  const { distribution_center_id, distribution_center: code } = found.record;
  const inbound = inboundOf(replenishments, found, id);
  return {
    ...inbound,
    center: { distribution_center_id, code },
    putAway: (productId, units, at) => {
      const { after, writes } = inbound.putAway(productId, units, at);
      const incoming = changeIncoming(productId, distribution_center_id, -units, at);
      return { after, writes: withEffects(writes, [incoming]) };
    },
  };
}

const inboundOf = <T extends InboundRecord>(
  repository: Repository<T>,
  found: Stored<T>,
  id: number,
): Inbound => ({
  name: `${repository.name} ${id}`,
  record: found.record,
  putAway: (productId, units, at) => {
    const after = withLines(found.record, withPutAway(found.record.items, productId, units), at);
    return { after, writes: repository.save(found, after) };
  },
});

const findNamedBin = async (db: Database, name: BinName): Promise<Bin | undefined> =>
  namedBin(await getItems(db, [namedBinLookup(name)]), name);

/** The product and the bin that a move names. @throws Problem `invalid` if the move may not be made */
async function checkMove(
  db: Database,
  { name, record, center }: Inbound,
  bin: Bin | undefined,
  move: PutAwayMove,
): Promise<{ readonly product_id: number; readonly bin: Bin }> {
  const { sku, quantity, location } = move;
  const errors: FieldError[] = [];
  const lines = record.items.filter((line) => line.sku === sku);
  const [line] = lines;
  const remaining = lines.reduce((sum, each) => sum + remainingOf(each), 0);
  if (line === undefined) errors.push({ path: "sku", message: `is not in ${name} (${sku})` });
  else if (quantity > remaining)
    errors.push({ path: "quantity", message: `is more than remains of ${sku} in ${name} (${remaining})` });
  if (bin === undefined) {
    throw invalidAt([...errors, ...(await unknownBins(db, [{ name: move, path: "" }])).values()]);
  }
  if (center !== undefined && bin.distribution_center_id !== center.distribution_center_id) {
    const message = `is in ${bin.distribution_center} (${location}); ${name} goes to ${center.code}`;
    errors.push({ path: "location", message });
  }
  if (errors.length > 0 || line === undefined) throw invalidAt(errors);
  return { product_id: line.product_id, bin };
}
