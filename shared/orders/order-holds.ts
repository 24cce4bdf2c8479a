/** The holds that an order's items name: an order takes their units in its own transaction. */
import { type Decision, type FieldError, invalidAt } from "../common/problem.ts";
import { type Hold, partsOfHold } from "../stock/holds/hold.ts";
import { findHolds, reduceHold } from "../stock/holds/hold-repository.ts";
import type { Cause } from "../stock/movements/movement.ts";
import { type StockChange, type StockPart, stockKeyText } from "../stock/stock.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { PlannedWrites, Write } from "../store/dynamodb/writes.ts";
import type { Order, OrderItem } from "./order.ts";
import type { OrderInput } from "./order-input.ts";

/** What an order's client requests for its reservation. */
export type ReservationRequest = Pick<OrderInput, "if_short" | "items">;

/** A new order, or one that replaces `before`, and how it reserves. */
export interface Reserving {
  readonly before?: Order;
  readonly after: Order;
  readonly reservation?: ReservationRequest | undefined;
  /** The writes of the order itself. */
  readonly writes: PlannedWrites;
  readonly cause: Cause;
  /** Where the order is in the request: `data.0`. */
  readonly path: string;
}

type Line = OrderInput["items"][number];

/** Whether a line stands for an item: by its SKU, or by the alias or the kit that it names. */
export const isOfLine = ({ sku, ordered_as }: OrderItem, line: Line): boolean =>
  (line.ordered_as ?? line.sku) === ordered_as && (line.sku === sku || line.sku === ordered_as);

/** The holds that items of these orders name, by their ids. One round trip; none if no item names one. */
export async function readHolds(
  db: Database,
  accountId: number,
  orders: readonly Pick<Reserving, "reservation">[],
): Promise<Map<string, Hold>> {
  const named = orders.flatMap(
    ({ reservation }) => reservation?.items.flatMap(({ hold_id }) => hold_id ?? []) ?? [],
  );
  return new Map(await findHolds(db, accountId, [...new Set(named)]));
}

/** What an order takes from holds: changes of stock, writes of the holds, and the remaining units. */
interface UsedHolds {
  readonly parts: readonly StockPart[];
  readonly writes: readonly Write[];
  readonly left: readonly Hold[];
}

/**
 * The units that an order takes from the holds of its items: at most the item's units, and at most what the
 * order reserves more than before (`changes`). Units that are not taken stay held.
 */
export function useHolds(
  { after, reservation, cause: { by, at }, path }: Reserving,
  changes: readonly StockChange[],
  holds: ReadonlyMap<string, Hold>,
): Decision<UsedHolds> {
  const room = new Map(changes.map((change) => [stockKeyText(change), Math.max(0, change.reserved)]));
  const left = new Map<string, Hold>();
  const parts: StockPart[] = [];
  const errors: FieldError[] = [];
  for (const [position, line] of (reservation?.items ?? []).entries()) {
    if (line.hold_id === undefined) continue;
    const held = left.get(line.hold_id) ?? holds.get(line.hold_id);
    if (held === undefined || !isHeldFor(held, line, after)) {
      const message = `${describeHold(held)} (${line.hold_id})`;
      errors.push({ path: `${path}.items.${position}.hold_id`, message, code: "unknown_reference" });
      continue;
    }
    const rooms = held.goods.map((part) => Math.floor((room.get(stockKeyText(part)) ?? 0) / part.quantity));
    const units = Math.min(held.quantity, line.quantity, ...rooms);
    if (units === 0) continue;
    left.set(held.hold_id, { ...held, quantity: held.quantity - units });
    const taken = partsOfHold(held, -units, { reason: "hold_used", by, at });
    for (const { change } of taken) {
      const key = stockKeyText(change);
      room.set(key, (room.get(key) ?? 0) + change.reserved);
    }
    parts.push(...taken);
  }
  if (errors.length > 0) return { problem: invalidAt(errors) };
  const writes = [...left].flatMap(([id, { quantity }]) => {
    const held = holds.get(id);
    return held === undefined ? [] : [reduceHold(held, quantity)];
  });
  return { parts, writes, left: [...left.values()] };
}

/** Describes a hold, for a line that can't use it. */
function describeHold(held: Hold | undefined): string {
  if (held === undefined) return "names no hold, or one that has ended";
  const { sku, distribution_center } = held;
  return distribution_center === null
    ? `is a hold of ${sku}`
    : `is a hold of ${sku} in ${distribution_center}`;
}

/** Whether a hold is for what a line names: its synset, or its product where the order reserves it. */
function isHeldFor({ sku, product_id, goods }: Hold, line: Line, order: Order): boolean {
  const isKit = order.kits.some(({ synset }) => synset === line.sku);
  if (isKit || product_id === null) return isKit && line.sku === sku;
  const [part] = goods;
  return (
    part !== undefined &&
    order.items.some((item) => isOfLine(item, line) && stockKeyText(item) === stockKeyText(part))
  );
}
