/** Corrects what is written down of a product's stock: for the repairs of an operator. */

import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import {
  insertMovement,
  movementCounted,
  weekCounter,
} from "../../../../shared/stock/movements/movement-repository.ts";
import type { Movement, StockUnits } from "../../../../shared/stock/stock.ts";
import { incomingChanged, stockLookup } from "../../../../shared/stock/stock-repository.ts";
import { type Change, stale, type Write } from "../../../../shared/store/dynamodb/writes.ts";
import { type BookedBin, type CenterBooks, repairCounter } from "./stock-books.ts";

/** By how much a stock record and its movements are off, and who has them mended when (ISO 8601). */
export interface BookRepair {
  readonly level: StockUnits;
  readonly moved: Pick<Movement, "on_hand" | "reserved">;
  readonly by: string;
  readonly at: string;
}

/**
 * Adds to a stock record, its movements and its counts what they lack. What they lack stays the same however much stock
 * moves meanwhile, so this is right at any time. Stale where someone else has repaired the record meanwhile. A movement
 * that is added says `repaired`.
 */
export function repairBooks({ place, miscounted, repairs }: CenterBooks, lack: BookRepair): readonly Write[] {
  const { product_id, distribution_center_id } = place;
  const moves = lack.moved.on_hand !== 0 || lack.moved.reserved !== 0;
  const cause = { reason: "repaired", reference: {}, by: lack.by, at: lack.at } as const;
  const counts = new Map(
    miscounted.map(({ week, actual, expected }) => [weekCounter(week), expected - actual]),
  );
  if (moves)
    for (const [name, one] of Object.entries(movementCounted(cause)))
      counts.set(name, (counts.get(name) ?? 0) + one);
  const change: Change = {
    kind: "change",
    ...stockLookup(product_id, distribution_center_id),
    add: { ...lack.level, ...Object.fromEntries(counts), [repairCounter]: 1 },
    ...(lack.level.incoming !== 0 && { set: incomingChanged(lack.at) }),
    when: [
      repairs === undefined
        ? { attribute: repairCounter, is: "absent" }
        : { attribute: repairCounter, equals: repairs },
      { attribute: "pk", is: "present" },
    ],
    rejection: stale,
  };
  const moved = { product_id, distribution_center_id, ...lack.moved };
  return [change, ...(moves ? [insertMovement(moved, cause)] : [])];
}

/** What a bin will hold once its corrections are applied: what it holds, and what they add. */
export const expectedIn = ({ content, waiting }: BookedBin): number =>
  waiting.reduce((sum, { difference }) => sum + difference, content.quantity);

/** Has a bin expect what it ought to. Stale where the bin changed meanwhile. */
export function repairExpected(bin: BookedBin): Change {
  const { product_id, location, bin: name, quantity, expected, accepted } = bin.content;
  return {
    kind: "change",
    ...binContentLookup(product_id, location, name),
    set: { expected: expectedIn(bin) },
    when: [
      { attribute: "quantity", equals: quantity },
      { attribute: "expected", equals: expected },
      accepted === undefined
        ? { attribute: "accepted", is: "absent" }
        : { attribute: "accepted", equals: accepted },
    ],
    rejection: stale,
  };
}
