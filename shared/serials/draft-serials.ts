import { randomUUID } from "node:crypto";
import { findSkus } from "../catalog/name-repository.ts";
import type { Placed } from "../common/placed.ts";
import type { AccountContext } from "../runtime/context.ts";
import { getItems, parsed } from "../store/dynamodb/reads.ts";
import { resolveSerials, type SerialsInput } from "./serial.ts";
import { madeAfter } from "./serial-batch.ts";
import {
  callIdAttribute,
  latestBatches,
  type SerialsDraft,
  serialLookup,
  serialMarkLookup,
  storedSerial,
} from "./serial-repository.ts";

/**
 * The serials that the call is to store, record by record, and the products that must be marked first. Two
 * round trips.
 * @throws Problem `invalid` if a SKU is unknown, or a serial exists or is repeated
 */
export async function draftSerials(
  { db, account_id, now, idempotency }: AccountContext,
  inputs: readonly Placed<SerialsInput>[],
): Promise<{ readonly drafts: readonly SerialsDraft[]; readonly unmarked: readonly number[] }> {
  const skus = inputs.map(({ value }) => value.sku);
  const products = await findSkus(db, account_id, skus);
  const productId = (sku: string) => products.get(sku)?.product_id;
  const asked = inputs.flatMap(({ value: { sku, serials } }) => {
    const id = productId(sku);
    return id === undefined ? [] : serials.map((serial) => serialLookup(id, serial));
  });
  const productIds = [...new Set([...products.values()].map(({ product_id }) => product_id))];
  const [find, latest] = await Promise.all([
    getItems(db, [...asked, ...productIds.map(serialMarkLookup)]),
    latestBatches(db, productIds),
  ]);
  const { callId = randomUUID() } = idempotency;
  const existing = (id: number, serial: string) => parsed(storedSerial, find(serialLookup(id, serial)));
  const isTaken = (id: number, serial: string) => {
    const known = existing(id, serial);
    return known !== undefined && known[callIdAttribute] !== callId;
  };
  const drafts = resolveSerials(inputs, { productId, isTaken }).map((resolved) => {
    const {
      product_id,
      serials: [first = ""],
    } = resolved;
    const stored = existing(product_id, first);
    const created_at = stored?.created_at ?? madeAfter(now, [latest.get(product_id) ?? ""]);
    return { ...resolved, created_at, callId, isStored: stored !== undefined };
  });
  if (drafts.some(({ isStored }) => isStored)) idempotency.noteStored();
  return { drafts, unmarked: productIds.filter((id) => find(serialMarkLookup(id)) === undefined) };
}
