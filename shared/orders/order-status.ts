/** What an order's status allows, the work that it needs from the warehouse, and how much of it is left. */
import { stockKeyText } from "../stock/stock.ts";
import type { Order, OrderStatus } from "./order.ts";

/**
 * The statuses that allow an action, with the action's participle for error messages, or a text in place of
 * "only a Pending order can be edited".
 */
const actions = {
  edit: { allowedIn: ["Pending"], participle: "edited" },
  cancel: { allowedIn: ["Pending"], participle: "cancelled" },
  claim: { allowedIn: ["Pending"], participle: "claimed" },
  pick: { allowedIn: ["Processing"], participle: "picked" },
  ship: { allowedIn: ["Processing"], participle: "shipped" },
  revert: { allowedIn: ["Processing"], participle: "reverted to Pending" },
  weigh: { allowedIn: ["Processing", "Shipped"], participle: "weighed" },
  return: { allowedIn: ["Shipped"], participle: "returned" },
  setSubStatus: {
    allowedIn: ["Pending", "Processing", "Shipped"],
    otherwise: "its sub_status cannot change",
  },
  erase: {
    allowedIn: ["Shipped", "Cancelled"],
    otherwise: "its customer is needed until it is Shipped or Cancelled",
  },
} as const satisfies Record<
  string,
  { allowedIn: readonly OrderStatus[] } & ({ participle: string } | { otherwise: string })
>;

export type OrderAction = keyof typeof actions;

export const isAllowed = (action: OrderAction, status: OrderStatus): boolean =>
  actions[action].allowedIn.some((allowed) => allowed === status);

/** "only a Pending order can be edited" */
export function onlyIn(action: OrderAction): string {
  const rule = actions[action];
  if ("otherwise" in rule) return rule.otherwise;
  return `only a ${rule.allowedIn.join(" or ")} order can be ${rule.participle}`;
}

/** "is Shipped; only a Pending order can be edited" */
export const wrongStatus = ({ status }: Pick<Order, "status">, action: OrderAction): string =>
  `is ${status}; ${onlyIn(action)}`;

/** Why the status of an order does not allow an action; undefined if it does. */
export const reasonNotAllowed = (order: Pick<Order, "status">, action: OrderAction): string | undefined =>
  isAllowed(action, order.status) ? undefined : wrongStatus(order, action);

/**
 * The units still to be picked for an order, of each product in each center, by `stockKeyText`. In orders of
 * release 1.0.0, picks can exceed a center's lines. The number is then negative and the order counts as not
 * picked, because shipping deducts the quantities of the lines.
 */
export function unpickedUnits({ items, picks }: Order): ReadonlyMap<string, number> {
  const open = new Map<string, number>();
  const add = (key: string, units: number) => open.set(key, (open.get(key) ?? 0) + units);
  for (const item of items) add(stockKeyText(item), item.quantity);
  for (const pick of picks) add(stockKeyText(pick), -pick.quantity);
  return open;
}

export const isPicked = (order: Order): boolean =>
  [...unpickedUnits(order).values()].every((left) => left === 0);

/**
 * `pending` and `released` orders wait for a picker, `picking` orders are with their picker, and `picked`
 * orders wait for quality control.
 */
export type Work =
  | { readonly stage: "pending" }
  | { readonly stage: "released" }
  | { readonly stage: "picking"; readonly picker: string }
  | { readonly stage: "picked" };

/** The work that an order needs; undefined if it is done. */
export function workOf(order: Order): Work | undefined {
  switch (order.status) {
    case "Pending":
      return { stage: "pending" };
    case "Processing":
      if (isPicked(order)) return { stage: "picked" };
      return order.picker === null ? { stage: "released" } : { stage: "picking", picker: order.picker };
    case "Shipped":
    case "Cancelled":
      return undefined;
  }
}

/** Whether the order is picked completely, and not shipped yet. */
export const awaitsQualityControl = (order: Order): boolean => workOf(order)?.stage === "picked";

export function isBeingPickedBy(order: Order, picker: string): boolean {
  const work = workOf(order);
  return work?.stage === "picking" && work.picker === picker;
}
