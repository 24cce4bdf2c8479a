import * as z from "zod/mini";
import { isDeepEqual } from "../common/deep-equal.ts";
import * as primitive from "../common/primitives.ts";
import { type Order, type OrderPick, order, orderItem, orderPick, pickKeyOf } from "./order.ts";

const item = z.omit(orderItem, { product_id: true, distribution_center_id: true });
const picked = z.omit(orderPick, {
  product_id: true,
  distribution_center_id: true,
  layers: true,
  serials: true,
  at: true,
});

const change = <T extends z.ZodMiniType>(value: T) => z.optional(z.object({ from: value, to: value }));

/**
 * Changes of one kind share a schema, as fields do (`primitives.ts`), because creating schemas takes long.
 */
const changedText = change(primitive.text);
const changedTextOrNull = change(primitive.textOrNull);
const changedInt = change(primitive.int);

const { shape } = order;

/** Fields that a history leaves out: internal ones, and the actor and the time, which each entry has. */
type Untracked =
  | "account_id"
  | "order_id"
  | "order_api"
  | "created_by"
  | "created_at"
  | "updated_at"
  | "shipped_at"
  | "cancelled_at"
  | "weighed_by"
  | "reverted_by"
  | "version";

/** How the change of each field is shown. The compiler reports a field of an order that is missing here. */
const changes = {
  order_number: changedText,
  order_reference: changedTextOrNull,
  shipping_method: changedText,
  order_type_id: changedInt,
  store: change(shape.store),
  warehouse_id: changedInt,
  /** Only shows that something changed, never what (docs/decisions.md, Reading orders). */
  customer: z.optional(z.literal(true)),
  items: change(z.array(item)),
  kits: change(shape.kits),
  status: changedTextOrNull,
  sub_status: changedTextOrNull,
  weight: change(shape.weight),
  weight_updated_at: change(primitive.timeOrNull),
  tracking_number: changedTextOrNull,
  carrier: changedTextOrNull,
  picker: changedTextOrNull,
  /** Goods that were taken out of bins (`added`), or put back (`removed`). */
  picks: z.optional(z.object({ added: z.array(picked), removed: z.array(picked) })),
} satisfies Record<Exclude<keyof Order, Untracked>, z.ZodMiniType>;

/** One change of an order: who made it, when, and the old and new values of the fields that changed. */
export const historyEntry = z.object({ at: primitive.time, by: primitive.text, ...changes });
export type HistoryEntry = z.output<typeof historyEntry>;

/** The changes that `by` made when `before` became `after`. */
export function historyOf(before: Order, after: Order, by: string): HistoryEntry {
  const fieldsOf = (order: Order) => new Map<string, unknown>(Object.entries(order));
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)];
  const changed = Object.keys(changes).filter((name) => !isDeepEqual(earlier.get(name), later.get(name)));
  const shown = (name: string): unknown => {
    if (name === "customer") return true;
    if (name === "picks") return picksChanged(before.picks, after.picks);
    return { from: earlier.get(name) ?? null, to: later.get(name) ?? null };
  };
  // Parsing leaves out the inner parts of items and picks.
  return z.parse(historyEntry, {
    at: after.updated_at,
    by,
    ...Object.fromEntries(changed.map((name) => [name, shown(name)])),
  });
}

/** The names of the fields that changed. */
export const changedIn = ({ at: _at, by: _by, ...changed }: HistoryEntry): string[] => Object.keys(changed);

const picksChanged = (before: readonly OrderPick[], after: readonly OrderPick[]) => ({
  added: surplus(after, before),
  removed: surplus(before, after),
});

/** The units that `picks` have beyond `others`, pick by pick. */
const surplus = (picks: readonly OrderPick[], others: readonly OrderPick[]): readonly OrderPick[] =>
  picks.flatMap((pick) => {
    const other = others.find((each) => pickKeyOf(each) === pickKeyOf(pick));
    const quantity = pick.quantity - (other?.quantity ?? 0);
    return quantity > 0 ? [{ ...pick, quantity }] : [];
  });

/** The first entry of every history: the order's creation. */
export const creationEntry = ({ created_at, created_by }: Order): HistoryEntry => ({
  at: created_at,
  by: created_by,
  status: { from: null, to: "Pending" },
});
