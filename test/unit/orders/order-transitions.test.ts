import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { Problem } from "../../../shared/common/problem.ts";
import { type Order, type OrderPick, type OrderStatus, orderStatuses } from "../../../shared/orders/order.ts";
import { changedIn, historyOf } from "../../../shared/orders/order-history.ts";
import { isPicked, unpickedUnits } from "../../../shared/orders/order-status.ts";
import {
  cancel,
  claim,
  edit,
  erase,
  type OrderDecision,
  revert,
  setSubStatus,
  ship,
  weigh,
} from "../../../shared/orders/order-transitions.ts";
import { orderWithActions, presentOrder } from "../../../shared/orders/order-view.ts";
import { pick } from "../../../shared/picking/picking.ts";
import { type StockKey, stockKeyText } from "../../../shared/stock/stock.ts";
import { afterOf, createdAt, itemOf, later, pickOf, rejectionOf, sampleOrder, termsOf } from "../samples.ts";

const outcomeOf = (decision: OrderDecision): Order | string =>
  "problem" in decision ? decision.problem.message : decision.after;

/** The next version of an order, which differs from the one before by this. */
const next = (before: Order, changed: Partial<Order>): Order => ({
  ...before,
  ...changed,
  updated_at: later,
  version: before.version + 1,
});

interface Transition {
  readonly act: (before: Order) => OrderDecision;
  /** What the order becomes, by the status it has; "refused" otherwise. */
  readonly from: Readonly<Record<OrderStatus, OrderStatus | "refused">>;
}

/** Picks of all that an order holds. */
const everythingOf = ({ items }: Order): OrderPick[] =>
  items.map(({ product_id, sku, distribution_center_id, quantity }) =>
    pickOf({ product_id, sku, distribution_center_id, quantity }),
  );

/** The actions of an order that clients see, by the transitions that they call. */
const shownActions = { edit: "updateOrders", cancel: "cancelOrder", setSubStatus: "setSubStatus" } as const;

const newTerms = termsOf({ order_number: "A-2", items: [itemOf({ product_id: 9, quantity: 5 })] });

const transitions: Readonly<Record<string, Transition>> = {
  edit: {
    act: (before) => edit(before, newTerms, later),
    from: { Pending: "Pending", Processing: "refused", Shipped: "refused", Cancelled: "refused" },
  },
  cancel: {
    act: (before) => cancel(before, later),
    from: { Pending: "Cancelled", Processing: "refused", Shipped: "refused", Cancelled: "Cancelled" },
  },
  setSubStatus: {
    act: (before) => setSubStatus(before, "on hold", later),
    from: { Pending: "Pending", Processing: "Processing", Shipped: "Shipped", Cancelled: "refused" },
  },
  claim: {
    act: (before) => claim(before, "manager", later),
    from: { Pending: "Processing", Processing: "Processing", Shipped: "refused", Cancelled: "refused" },
  },
  release: {
    act: (before) => claim(before, null, later),
    from: { Pending: "Processing", Processing: "refused", Shipped: "refused", Cancelled: "refused" },
  },
  pick: {
    act: (before) =>
      pick({ ...before, picker: "manager" }, { userName: "manager", picks: [pickOf()] }, later),
    from: { Pending: "refused", Processing: "Processing", Shipped: "refused", Cancelled: "refused" },
  },
  ship: {
    act: (before) => ship({ ...before, picks: everythingOf(before) }, { tracking_number: "TRACK-1" }, later),
    from: { Pending: "refused", Processing: "Shipped", Shipped: "refused", Cancelled: "refused" },
  },
  revert: {
    act: (before) => revert(before, { revertedBy: 7, last: null }, later),
    from: { Pending: "refused", Processing: "Pending", Shipped: "refused", Cancelled: "refused" },
  },
};

const cases = Object.entries(transitions).flatMap(([name, { act, from }]) =>
  orderStatuses.map((status) => ({ name, status, act, becomes: from[status] })),
);
const allowed = cases.filter(({ becomes }) => becomes !== "refused");
const refused = cases.filter(({ becomes }) => becomes === "refused");

const productIds = fc.integer({ min: 1, max: 3 });
const centerIds = fc.integer({ min: 1, max: 2 });
const quantities = fc.integer({ min: 1, max: 4 });

const itemLists = fc.array(
  fc
    .record({ product_id: productIds, distribution_center_id: centerIds, quantity: quantities })
    .map((item) => itemOf(item)),
  { minLength: 1, maxLength: 6 },
);

/** Calls of a few picks each, out of two bins of each center; some ask for too much. */
const pickLists = fc.array(
  fc.array(
    fc
      .record({ product_id: productIds, bin_id: fc.integer({ min: 1, max: 4 }), quantity: quantities })
      .map((picked) => pickOf({ ...picked, distribution_center_id: picked.bin_id > 2 ? 2 : 1 })),
    { minLength: 1, maxLength: 3 },
  ),
  { maxLength: 8 },
);

const unitsOf = (lines: readonly (StockKey & { quantity: number })[], stock: StockKey): number =>
  lines
    .filter((line) => stockKeyText(line) === stockKeyText(stock))
    .reduce((sum, { quantity }) => sum + quantity, 0);

describe("transitions", () => {
  test.each(allowed)("$name makes a $status order $becomes", ({ act, status, becomes }) => {
    const before = sampleOrder({ status });

    const after = afterOf(act(before));

    expect(after.status).toBe(becomes);
  });

  test.each(refused)("$name is refused for a $status order, which it names", ({ act, status }) => {
    const before = sampleOrder({ status });

    const problem = rejectionOf(act(before));

    expect(problem).toBeInstanceOf(Problem);
    expect(problem.kind).toBe("invalid");
    expect(problem.message).toContain(`Order ${before.order_id} is ${status}`);
  });
});

describe("the time of a change", () => {
  const timesOf = ({ updated_at, cancelled_at, weight_updated_at, customer }: Order) =>
    [updated_at, cancelled_at, weight_updated_at, customer.erased_at].filter((time) => time);

  test.each<[string, Partial<Order>, (before: Order) => OrderDecision]>([
    ["a cancellation", {}, (before) => cancel(before, createdAt)],
    ["a weight", { status: "Shipped" }, (before) => weigh(before, { weight: 2.5, weighedBy: 9 }, createdAt)],
    ["an erasure", { status: "Shipped" }, (before) => erase(before, createdAt)],
  ])("of %s is never before that of the change before it, whatever the clock says", (_, more, act) => {
    const before = sampleOrder({ ...more, updated_at: later });

    expect(timesOf(afterOf(act(before)))).toEqual([later, later]);
  });
});

describe("a transition changes nothing but what it is about:", () => {
  test.each<[string, Partial<Order>, (before: Order) => OrderDecision, Partial<Order>]>([
    [
      "edit replaces what the client decides",
      { sub_status: "on hold", weight: 2.5, weight_updated_at: createdAt },
      (before) => edit(before, newTerms, later),
      newTerms,
    ],
    [
      "cancel notes when",
      { sub_status: "on hold" },
      (before) => cancel(before, later),
      { status: "Cancelled", cancelled_at: later },
    ],
    [
      "setSubStatus sets the sub-status",
      { status: "Shipped", sub_status: "old", tracking_number: "TRACK-1" },
      (before) => setSubStatus(before, "delivered", later),
      { sub_status: "delivered" },
    ],
    [
      "claim makes the order the picker's",
      { sub_status: "rush" },
      (before) => claim(before, "manager", later),
      { status: "Processing", picker: "manager" },
    ],
    [
      "claim of a released order makes it the picker's, with what was picked of it",
      { status: "Processing", picker: null, picks: [pickOf()] },
      (before) => claim(before, "manager", later),
      { picker: "manager" },
    ],
  ])("%s", (_rule, fields, act, changed) => {
    const before = sampleOrder(fields);

    expect(afterOf(act(before))).toEqual(next(before, changed));
  });

  test.each(orderStatuses)("edit with what a %s order has already answers that very order", (status) => {
    const before = sampleOrder({ status });

    expect(afterOf(edit(before, structuredClone(termsOf()), later))).toBe(before);
  });
});

describe("claim", () => {
  test("of an order that is the picker's already changes nothing", () => {
    const before = sampleOrder({ status: "Processing", picker: "manager" });

    expect(afterOf(claim(before, "manager", later))).toBe(before);
  });

  test.each(["other", null])("of another picker's order by %s is refused", (picker) => {
    const before = sampleOrder({ status: "Processing", picker: "manager" });

    expect(rejectionOf(claim(before, picker, later)).message).toBe(
      "Order 1001 is Processing; only a Pending order can be claimed",
    );
  });
});

describe("what is still to be picked", () => {
  test("is for each product and center its items less its picks, whatever is picked in whatever steps", () => {
    fc.assert(
      fc.property(itemLists, pickLists, (items, steps) => {
        const before = sampleOrder({ status: "Processing", picker: "manager", items });

        const after = steps.reduce((order, step) => {
          const decision = pick(order, { userName: "manager", picks: step }, later);
          return "after" in decision ? decision.after : order;
        }, before);

        const open = unpickedUnits(after);
        for (const item of items) {
          const left = open.get(stockKeyText(item)) ?? 0;
          expect(left).toBe(unitsOf(items, item) - unitsOf(after.picks, item));
          expect(left).toBeGreaterThanOrEqual(0);
        }
        expect(isPicked(after)).toBe([...open.values()].every((left) => left === 0));
      }),
    );
  });
});

describe("ship", () => {
  test.each([
    [{ tracking_number: "TRACK-1" }, { tracking_number: "TRACK-1", carrier: null }],
    [{ carrier: "Parcel Post" }, { tracking_number: null, carrier: "Parcel Post" }],
    [{}, { tracking_number: null, carrier: null }],
  ])("keeps the picker, and notes when and what is known of the parcel (%j)", (dispatch, noted) => {
    const picks = [pickOf({ quantity: 2 })];
    const before = sampleOrder({ status: "Processing", picker: "manager", picks });

    const after = afterOf(ship(before, dispatch, later));

    expect(after).toEqual(next(before, { status: "Shipped", ...noted, shipped_at: later }));
  });

  test.each([
    { rule: "nothing is picked", picks: [] },
    {
      rule: "a product lacks a unit",
      picks: [pickOf({ quantity: 1 }), pickOf({ product_id: 2, quantity: 1 })],
    },
    { rule: "a product lacks altogether", picks: [pickOf({ quantity: 2 })] },
  ])("is rejected if $rule", ({ picks }) => {
    const items = [itemOf({ quantity: 2 }), itemOf({ product_id: 2, quantity: 1 })];

    const problem = rejectionOf(ship(sampleOrder({ status: "Processing", items, picks }), {}, later));

    expect(problem.message).toBe("Order 1001 is not picked completely; it can't be shipped");
  });
});

describe("reverting an order", () => {
  const picked = sampleOrder({
    status: "Processing",
    picker: "manager",
    picks: [pickOf()],
    sub_status: "rush",
  });

  test("makes it Pending, without a picker and with nothing picked, and records the job", () => {
    const after = outcomeOf(revert(picked, { revertedBy: 7, last: null }, later));

    expect(after).toEqual(next(picked, { status: "Pending", picker: null, picks: [], reverted_by: 7 }));
  });

  test.each([
    { reverted_by: 4, last: null },
    { reverted_by: 6, last: 4 },
  ])("that revert $reverted_by has sent away since the job saw $last is refused", ({ reverted_by, last }) => {
    const before = { ...picked, reverted_by };

    expect(outcomeOf(revert(before, { revertedBy: 7, last }, later))).toBe(
      `Order ${before.order_id} left Processing meanwhile: revert ${reverted_by} was applied`,
    );
  });

  test("that was reverted before the job was accepted makes it Pending again", () => {
    const after = outcomeOf(revert({ ...picked, reverted_by: 4 }, { revertedBy: 7, last: 4 }, later));

    expect(after).toMatchObject({ status: "Pending", reverted_by: 7 });
  });
});

describe("weighing an order", () => {
  test.each(["Processing", "Shipped"] as const)(
    "that is %s sets its weight and when, and nothing else",
    (status) => {
      const before = sampleOrder({ status });

      const after = outcomeOf(weigh(before, { weight: 2.5, weighedBy: 9 }, later));

      expect(after).toEqual(next(before, { weight: 2.5, weight_updated_at: later, weighed_by: 9 }));
    },
  );

  test.each(["Pending", "Cancelled"] as const)("that is %s is refused", (status) => {
    const before = sampleOrder({ status });

    expect(outcomeOf(weigh(before, { weight: 2.5, weighedBy: 9 }, later))).toBe(
      `Order ${before.order_id} is ${status}; only a Processing or Shipped order can be weighed`,
    );
  });

  test.each([
    { by: 8, weighedBy: 9, weight: 2.5 },
    { by: 9, weighedBy: 9, weight: 2.5 },
    { by: 10, weighedBy: 9, weight: "superseded by weight 10, a later one" },
  ])("by job $weighedBy after job $by comes to $weight", ({ by, weighedBy, weight }) => {
    const before = sampleOrder({ status: "Shipped", weight: 1, weighed_by: by });

    const outcome = outcomeOf(weigh(before, { weight: 2.5, weighedBy }, later));

    expect(typeof outcome === "string" ? outcome : outcome.weight).toBe(weight);
  });
});

test("the history tells of a weight and of a revert, and not which jobs they were", () => {
  const before = sampleOrder({ status: "Processing", picker: "manager", picks: [pickOf()] });
  const weighed = outcomeOf(weigh(before, { weight: 2.5, weighedBy: 9 }, later));
  const reverted = outcomeOf(revert(before, { revertedBy: 7, last: null }, later));
  if (typeof weighed === "string" || typeof reverted === "string") throw new Error("refused");

  const named = (after: Order) => changedIn(historyOf(before, after, "user:manager"));
  expect(named(weighed)).toEqual(["weight", "weight_updated_at"]);
  expect(named(reverted)).toEqual(["status", "picker", "picks"]);
});

describe.each(orderStatuses)("the actions that a %s order shows", (status) => {
  const before = sampleOrder({ status, picks: status === "Pending" ? [] : everythingOf(sampleOrder()) });
  const { actions } = z.parse(orderWithActions, presentOrder(before));
  const shown = (name: string) => actions.find(({ action }) => action === name);

  test.each(Object.entries(shownActions))("say of %s what it would do", (name, action) => {
    const decision = transitions[name]?.act(before);
    if (decision === undefined) throw new Error(`${name} is no transition`);

    const changes = "after" in decision && decision.after !== before;
    expect(shown(action)?.allowed).toBe(changes);
    if ("problem" in decision) expect(decision.problem.details.why).toBe(shown(action)?.reason);
    if (!changes) expect(shown(action)?.reason).toMatch(new RegExp(`^is ${status}; `));
  });

  test("allow a return as long as shipped goods are left", () => {
    const gone = sampleOrder({
      status,
      items: before.items.map((item) => ({ ...item, returned: item.quantity })),
    });
    const ofGone = z.parse(orderWithActions, presentOrder(gone)).actions;

    expect(shown("createReturns")?.allowed).toBe(status === "Shipped");
    expect(ofGone.find(({ action }) => action === "createReturns")?.allowed).toBe(false);
  });
});
