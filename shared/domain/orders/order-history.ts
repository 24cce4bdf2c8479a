import * as z from "zod/mini";
import { type Order, type OrderPick, order, orderItem, orderPick, pickPlaceOf } from "./order.ts";

const item = z.omit(orderItem, { product_id: true, distribution_center_id: true });
const picked = z.omit(orderPick, {
  product_id: true,
  distribution_center_id: true,
  layers: true,
  serials: true,
  at: true,
});

const change = <T extends z.ZodMiniType>(value: T) => z.optional(z.object({ from: value, to: value }));

/** One change of an order: who made it, when, and the old and new values. Fields that stayed the same are left out. */
export const historyEntry = z.object({
  at: z.string(),
  by: z.string(),
  /** The names of the fields that changed. A history doesn't repeat a customer's data. */
  changed: z.array(z.string()),
  status: change(z.nullable(z.string())),
  sub_status: change(z.nullable(z.string())),
  items: change(z.array(item)),
  /** Goods that were taken out of bins (`added`), or put back (`removed`). */
  picks: z.optional(z.object({ added: z.array(picked), removed: z.array(picked) })),
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** Fields that a history leaves out, because they change every time or are internal (the jobs that came last). */
const silent = new Set(["version", "updated_at", "weighed_by", "reverted_by"]);

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** What `by` changed when `before` became `after`. */
export function historyOf(before: Order, after: Order, by: string): HistoryEntry {
  // Parsing puts the fields of both into the schema's order, so that equal values have equal texts.
  const earlier = new Map<string, unknown>(Object.entries(z.parse(order, before)));
  const changed = Object.entries(z.parse(order, after))
    .filter(([name, value]) => !silent.has(name) && !same(value, earlier.get(name)))
    .map(([name]) => name);
  const has = (name: keyof Order) => changed.includes(name);
  return z.parse(historyEntry, {
    at: after.updated_at,
    by,
    changed,
    ...(has("status") ? { status: { from: before.status, to: after.status } } : {}),
    ...(has("sub_status") ? { sub_status: { from: before.sub_status, to: after.sub_status } } : {}),
    ...(has("items") ? { items: { from: before.items, to: after.items } } : {}),
    ...(has("picks") ? { picks: picksChanged(before.picks, after.picks) } : {}),
  });
}

const picksChanged = (before: readonly OrderPick[], after: readonly OrderPick[]) => ({
  added: surplus(after, before),
  removed: surplus(before, after),
});

/** The units that `picks` hold beyond `others`, place by place. */
const surplus = (picks: readonly OrderPick[], others: readonly OrderPick[]): readonly OrderPick[] =>
  picks.flatMap((one) => {
    const other = others.find((pick) => pickPlaceOf(pick) === pickPlaceOf(one));
    const quantity = one.quantity - (other?.quantity ?? 0);
    return quantity > 0 ? [{ ...one, quantity }] : [];
  });

/** The first entry of every history: the order's creation. */
export const creationEntry = ({ created_at, created_by }: Order): HistoryEntry => ({
  at: created_at,
  by: created_by,
  changed: ["status"],
  status: { from: null, to: "Pending" },
});
