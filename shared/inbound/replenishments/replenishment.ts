import * as z from "zod/mini";
import type { Center } from "../../catalog/products/product-references.ts";
import { anyText, clearable, day, expectedVersion, id, name, quantity } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import { nextVersion, patchedValue } from "../../common/versioned.ts";
import { type StockKey, stockKeyText } from "../../stock/stock.ts";
import {
  type InboundLine,
  type InboundStatus,
  inboundLine,
  inboundStatus,
  maxLines,
  reapplyPutAway,
  remainingOf,
  statusOf,
} from "../inbound.ts";

/** What a client sends to announce goods: which goods come, to which center, and when. */
export const replenishmentInput = z.object({
  /** For example, the number of a purchase order. Several replenishments may have the same. */
  reference: clearable(name),
  items: z.array(z.object({ sku: name, quantity })).check(z.minLength(1), z.maxLength(maxLines)),
  distribution_center: clearable(anyText()),
  /** The day on which the goods are expected, `YYYY-MM-DD`. */
  eta: clearable(day),
});
export type ReplenishmentInput = z.output<typeof replenishmentInput>;

/** What a client sends to change one: the `replenishment_id` that finds it, and the fields to change. */
export const replenishmentPatch = z.extend(z.partial(replenishmentInput), {
  replenishment_id: id,
  version: expectedVersion,
});
export type ReplenishmentPatch = z.output<typeof replenishmentPatch>;

/** Goods announced to a distribution center, where they are put away over time. */
export const replenishment = z.object({
  account_id: primitive.int,
  replenishment_id: primitive.int,
  reference: primitive.textOrNull,
  status: inboundStatus,
  distribution_center: primitive.text,
  distribution_center_id: primitive.int,
  eta: primitive.dayOrNull,
  items: z.array(inboundLine),
  ...primitive.versionFields,
});
export type Replenishment = z.output<typeof replenishment>;

/** The part of a replenishment that a client decides, with its references found. */
export interface ReplenishmentTerms {
  readonly reference: string | null;
  readonly items: readonly InboundLine[];
  readonly center: Center;
  readonly eta: string | null;
}

const centerFields = ({ distribution_center_id, code }: Center) => ({
  distribution_center_id,
  distribution_center: code,
});

/** Why a replenishment of this status can't be changed; undefined if it can. */
export const reasonOnceReceived = (status: InboundStatus): string | undefined =>
  status === "Received" ? "is Received and can't be changed" : undefined;

export const newReplenishment = (
  { reference, items, center, eta }: ReplenishmentTerms,
  { account_id, replenishment_id, at }: { account_id: number; replenishment_id: number; at: string },
): Replenishment => ({
  account_id,
  replenishment_id,
  reference,
  status: "Pending",
  ...centerFields(center),
  eta,
  items: [...items],
  ...primitive.firstVersion(at),
});

/** The replenishment with the sent terms. All others stay as they are; null clears `eta`. */
export function amendReplenishment(
  before: Replenishment,
  { reference, items: lines, center, eta }: Partial<ReplenishmentTerms>,
  at: string,
): Replenishment {
  const items = lines === undefined ? before.items : reapplyPutAway(before.items, lines);
  const terms = {
    items,
    status: statusOf(items),
    reference: patchedValue(before.reference, reference, null),
    ...(center === undefined ? {} : centerFields(center)),
    eta: patchedValue(before.eta, eta, null),
  };
  return nextVersion(before, terms, at);
}

/** A change of a product's units on their way to a distribution center; negative if there are fewer. */
export interface IncomingChange extends StockKey {
  readonly sku: string;
  /** The center's code. */
  readonly code: string;
  readonly units: number;
}

/** How incoming stock changes if `after` replaces `before`: one entry for each product and center. */
export function incomingChanges(
  before: Replenishment | undefined,
  after: Replenishment,
): readonly IncomingChange[] {
  const changes = new Map<string, IncomingChange>();
  const add = ({ distribution_center_id, distribution_center: code, items }: Replenishment, sign: 1 | -1) => {
    for (const { product_id, sku, ...line } of items) {
      const stock = { product_id, distribution_center_id };
      const key = stockKeyText(stock);
      const units = (changes.get(key)?.units ?? 0) + sign * remainingOf(line);
      changes.set(key, { ...stock, sku, code, units });
    }
  };
  if (before !== undefined) add(before, -1);
  add(after, 1);
  return [...changes.values()].filter(({ units }) => units !== 0);
}
