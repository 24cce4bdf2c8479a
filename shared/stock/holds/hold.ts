/**
 * Holds: units that are reserved for a while, without an order (docs/decisions.md, Holds).
 *
 * A hold's units are counted as reserved, and as held beside that, in the stock records of its products. It
 * ends when an order takes its units, by DELETE, or at its time. What ends it removes it in the transaction
 * that takes its units out of the stock, or makes it smaller, so each unit is given back once.
 *
 * After its time a hold counts for no reader (`current-stock.ts`), although the schedule `sweep-jobs`
 * releases it up to a minute later. A call that needs the units releases it first (`supply.ts`).
 */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { name, optionalName, quantity } from "../../common/fields.ts";
import * as primitive from "../../common/primitives.ts";
import type { Cause, MovementReason } from "../movements/movement.ts";
import { type StockLevel, type StockPart, stockKeyText } from "../stock.ts";

/** What a client sends to hold units. A hold of a synset holds its components. */
export const holdInput = z.object({
  sku: name,
  quantity,
  distribution_center: optionalName,
  /** Seconds. */
  expires_in: z.int().check(z.gte(30), z.lte(86_400)),
  reference: optionalName,
});
export type HoldInput = z.output<typeof holdInput>;

export const hold = z.object({
  account_id: primitive.int,
  hold_id: primitive.text,
  sku: primitive.text,
  /** Null for a synset, whose components may be in several centers. The center is then null as well. */
  product_id: primitive.intOrNull,
  distribution_center: primitive.textOrNull,
  quantity: primitive.int,
  reference: primitive.textOrNull,
  /** The goods that one unit holds: a product, or the components of a synset. */
  goods: z.array(
    z.object({
      product_id: primitive.int,
      distribution_center_id: primitive.int,
      quantity: primitive.int,
    }),
  ),
  created_by: primitive.text,
  created_at: primitive.time,
  /** When the hold ends by itself. */
  check_at: primitive.time,
});
export type Hold = z.output<typeof hold>;

/** A hold as clients see it. */
export const holdRecord = z.extend(
  z.pick(hold, {
    hold_id: true,
    sku: true,
    product_id: true,
    distribution_center: true,
    quantity: true,
    reference: true,
  }),
  { expires_at: primitive.time, created_at: primitive.time },
);

export const presentHold = (held: Hold): z.output<typeof holdRecord> => ({
  ...held,
  expires_at: held.check_at,
});

/** The beginning of the ids of holds that end at a time (ISO 8601). It rises with the time. */
export const holdIdsAt = (time: string): string => Date.parse(time).toString(36).padStart(9, "0");

/** A new id: opaque to clients. Ids are in the order in which the holds end. */
export const newHoldId = (endsAt: string): string =>
  `${holdIdsAt(endsAt)}-${randomBytes(9).toString("base64url")}`;

/** The change of stock if a hold has `units` more than before, or fewer if negative. */
export function partsOfHold(
  { hold_id, goods }: Pick<Hold, "hold_id" | "goods">,
  units: number,
  { by, at, reason }: Pick<Cause, "by" | "at"> & { readonly reason: MovementReason },
): readonly StockPart[] {
  const cause: Cause = { reason, reference: { hold_id }, by, at };
  return goods.map(({ product_id, distribution_center_id, quantity: each }) => ({
    change: { product_id, distribution_center_id, on_hand: 0, reserved: each * units },
    held: each * units,
    cause,
  }));
}

/** Units that holds reserve, by stock key. */
export function unitsByStock(holds: readonly Hold[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { goods, quantity: held } of holds)
    for (const part of goods) {
      const key = stockKeyText(part);
      units.set(key, (units.get(key) ?? 0) + part.quantity * held);
    }
  return units;
}

/** The level without units that are no longer held. */
export const withoutHeld = (level: StockLevel, units = 0): StockLevel => ({
  ...level,
  reserved: level.reserved - units,
  held: (level.held ?? 0) - units,
});
