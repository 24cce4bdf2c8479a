/** The rules for taking goods out of bins for an order. */

import { type FieldError, invalidAt, type Problem } from "../common/problem.ts";
import { jsonBytes } from "../common/strings.ts";
import { nextVersion } from "../common/versioned.ts";
import { maxOrderBytes, type Order, type OrderPick, pickKeyOf } from "../orders/order.ts";
import { isAllowed, unpickedUnits } from "../orders/order-status.ts";
import { type OrderDecision, reject, rejectByStatus } from "../orders/order-transitions.ts";
import { mergeLayers } from "../stock/bins/layers.ts";
import { stockKeyText } from "../stock/stock.ts";

/** Maximum picks plus serials of one call. With the order and its history, they fit one transaction. */
export const maxPicksAndSerials = 90;

/** Why the user may not pick the order; undefined if the user may. */
export function rejectPick(before: Order, userName: string): { readonly problem: Problem } | undefined {
  const { status, picker } = before;
  if (!isAllowed("pick", status)) return rejectByStatus(before, "pick");
  if (picker === userName) return undefined;
  if (picker === null) return reject(before, "has no picker; claim it before you pick it");
  return reject(before, `is picked by ${picker}; only its own picker can pick it`);
}

/**
 * Notes goods that the order's picker took for a Processing order: at most what was ordered, and from each
 * center at most what is reserved there. An error names the pick by its position (`picks.0.quantity`).
 */
export function pick(
  before: Order,
  { userName, picks }: { readonly userName: string; readonly picks: readonly OrderPick[] },
  at: string,
): OrderDecision {
  const rejected = rejectPick(before, userName);
  if (rejected !== undefined) return rejected;
  const errors = unwantedPicks(before, picks);
  if (errors.length > 0) return { problem: invalidAt(errors) };
  const serials = picks.flatMap(({ serials }) => serials).length;
  if (mergePicks(picks).length + serials > maxPicksAndSerials) {
    const message = `must come to at most ${maxPicksAndSerials} places, counting serials; pick the rest in another call`;
    return { problem: invalidAt([{ path: "picks", message }]) };
  }
  const after = nextVersion(before, { picks: mergePicks([...before.picks, ...picks]) }, at);
  if (jsonBytes(after) > maxOrderBytes) {
    return reject(before, `can't be picked from more places: it would take more than ${maxOrderBytes} bytes`);
  }
  return { after };
}

/** What is wrong with these picks of an order. Each is checked as if those before it had been made. */
function unwantedPicks(before: Order, picks: readonly OrderPick[]): readonly FieldError[] {
  const open = new Map(unpickedUnits(before));
  return picks.flatMap((pick, position) => {
    const { product_id, sku, location, quantity } = pick;
    const path = `picks.${position}`;
    const left = open.get(stockKeyText(pick));
    if (left === undefined) {
      if (!before.items.some((item) => item.product_id === product_id))
        return [{ path: `${path}.sku`, message: `is not in the order (${sku})` }];
      const message = `is in another distribution center than the order's ${sku} (${location})`;
      return [{ path: `${path}.location`, message }];
    }
    if (quantity > left) {
      const needed = `${sku} from the center of ${location} (${Math.max(0, left)})`;
      return [{ path: `${path}.quantity`, message: `is more than the order still needs of ${needed}` }];
    }
    open.set(stockKeyText(pick), left - quantity);
    return [];
  });
}

/** Merges picks of the same product and bin into one. */
function mergePicks(picks: readonly OrderPick[]): OrderPick[] {
  const merged = new Map<string, OrderPick>();
  for (const latest of picks) {
    const key = pickKeyOf(latest);
    const earlier = merged.get(key);
    merged.set(key, {
      ...latest,
      quantity: latest.quantity + (earlier?.quantity ?? 0),
      layers: mergeLayers([...(earlier?.layers ?? []), ...latest.layers]),
      serials: [...(earlier?.serials ?? []), ...latest.serials],
    });
  }
  return [...merged.values()];
}
