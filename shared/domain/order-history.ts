import * as z from "zod/mini";
import { type Order, orderItem, orderPick } from "./order.ts";

const item = z.omit(orderItem, { product_id: true, distribution_center_id: true });
const picked = z.omit(orderPick, { product_id: true, distribution_center_id: true, at: true });

const change = <T extends z.ZodMiniType>(value: T) => z.optional(z.object({ from: value, to: value }));

/** One change of an order: who made it, when, and what was before. What stayed as it was is not among it. */
export const historyEntry = z.object({
  at: z.string(),
  by: z.string(),
  /** Names of the fields that changed. A customer's data are not repeated. */
  changed: z.array(z.string()),
  status: change(z.nullable(z.string())),
  sub_status: change(z.nullable(z.string())),
  items: change(z.array(item)),
  /** Goods taken out of bins, or put back into them. */
  picks: z.optional(z.object({ added: z.array(picked), removed: z.array(picked) })),
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** Every change is later and higher than the one before, and `weighed_by` and `reverted_by` are no client's: no news. */
const silent = new Set(["version", "updated_at", "weighed_by", "reverted_by"]);

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** What `by` changed when `before` became `after`. */
export function historyOf(before: Order, after: Order, by: string): HistoryEntry {
  const earlier = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after)
    .filter(([name, value]) => !silent.has(name) && !same(value, earlier.get(name)))
    .map(([name]) => name);
  const had = (name: keyof Order) => changed.includes(name);
  return z.parse(historyEntry, {
    at: after.updated_at,
    by,
    changed,
    ...(had("status") ? { status: { from: before.status, to: after.status } } : {}),
    ...(had("sub_status") ? { sub_status: { from: before.sub_status, to: after.sub_status } } : {}),
    ...(had("items") ? { items: { from: before.items, to: after.items } } : {}),
    ...(had("picks") ? { picks: picksChanged(before, after) } : {}),
  });
}

/** Picks are only ever appended, or all undone. */
const picksChanged = ({ picks: before }: Order, { picks: after }: Order) =>
  after.length > before.length
    ? { added: after.slice(before.length), removed: [] }
    : { added: after, removed: before };

/** How every history begins. */
export const beginning = ({ created_at, created_by }: Order): HistoryEntry => ({
  at: created_at,
  by: created_by,
  changed: ["status"],
  status: { from: null, to: "Pending" },
});
