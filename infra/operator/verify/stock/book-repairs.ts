/** Writes that repair stock records, movements and bins. */

import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import {
  insertMovement,
  movementCounted,
  weekCounter,
} from "../../../../shared/stock/movements/movement-repository.ts";
import type { Movement } from "../../../../shared/stock/stock.ts";
import { incomingChanged, stockLookup } from "../../../../shared/stock/stock-repository.ts";
import { type Change, stale, type Write } from "../../../../shared/store/dynamodb/writes.ts";
import type { Figures } from "./balance.ts";
import { type BookedBin, type CenterBooks, repairCounter } from "./stock-books.ts";

/** By how much a stock record and its movements are off, who requests the repair, and when (ISO 8601). */
export interface BookRepair {
  readonly level: Figures;
  readonly moved: Pick<Movement, "on_hand" | "reserved">;
  readonly by: string;
  readonly at: string;
}

/**
 * Adds what is missing to a stock record, its movements and its counts. The difference does not depend on how
 * stock moves meanwhile, so adding it is right at any time. Stale if another repair of the record came in
 * between. An added movement has the reason `repaired`.
 */
export function repairBooks(
  { place, miscounted, repairs }: CenterBooks,
  repair: BookRepair,
): readonly Write[] {
  const { product_id, distribution_center_id } = place;
  const { held, ...units } = repair.level;
  const moves = repair.moved.on_hand !== 0 || repair.moved.reserved !== 0;
  const cause = { reason: "repaired", reference: {}, by: repair.by, at: repair.at } as const;
  const counts = new Map(
    miscounted.map(({ week, actual, expected }) => [weekCounter(week), expected - actual]),
  );
  if (moves)
    for (const [name, one] of Object.entries(movementCounted(cause)))
      counts.set(name, (counts.get(name) ?? 0) + one);
  const change: Change = {
    kind: "change",
    ...stockLookup(product_id, distribution_center_id),
    add: { ...units, ...(held !== 0 && { held }), ...Object.fromEntries(counts), [repairCounter]: 1 },
    ...(repair.level.incoming !== 0 && { set: incomingChanged(repair.at) }),
    when: [
      repairs === undefined
        ? { attribute: repairCounter, is: "absent" }
        : { attribute: repairCounter, equals: repairs },
      { attribute: "pk", is: "present" },
    ],
    rejection: stale,
  };
  const moved = { product_id, distribution_center_id, ...repair.moved };
  return [change, ...(moves ? [insertMovement(moved, cause)] : [])];
}

/** The content of a bin once its pending corrections are applied. */
export const expectedIn = ({ content, waiting }: BookedBin): number =>
  waiting.reduce((sum, { difference }) => sum + difference, content.quantity);

/** Sets what a bin expects. Stale if the bin changed meanwhile. */
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
