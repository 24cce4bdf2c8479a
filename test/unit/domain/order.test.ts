import { describe, expect, test } from "vitest";
import {
  barcodeOf,
  type Order,
  type OrderStatus,
  orderStatuses,
  placed,
  promised,
  statusIds,
} from "../../../shared/domain/order.ts";
import { annotate, cancel, claim, type Decision, edit, ship } from "../../../shared/domain/order-changes.ts";
import { Problem } from "../../../shared/domain/problem.ts";
import { createdAt, itemOf, later, orderOf, termsOf } from "../samples.ts";

function afterOf(decision: Decision): Order {
  if ("problem" in decision) throw decision.problem;
  return decision.after;
}

function refusalOf(decision: Decision): Problem {
  if ("problem" in decision) return decision.problem;
  throw new Error("the decision was not refused");
}

interface Transition {
  readonly act: (before: Order) => Decision;
  /** What the order becomes, by the status it has; "refused" otherwise. */
  readonly from: Readonly<Record<OrderStatus, OrderStatus | "refused">>;
}

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
  annotate: {
    act: (before) => annotate(before, "on hold", later),
    from: { Pending: "Pending", Processing: "Processing", Shipped: "Shipped", Cancelled: "refused" },
  },
  claim: {
    act: (before) => claim(before, "manager", later),
    from: { Pending: "Processing", Processing: "refused", Shipped: "refused", Cancelled: "refused" },
  },
  ship: {
    act: (before) => ship(before, "TRACK-1", later),
    from: { Pending: "refused", Processing: "Shipped", Shipped: "refused", Cancelled: "refused" },
  },
};

const cases = Object.entries(transitions).flatMap(([name, { act, from }]) =>
  orderStatuses.map((status) => ({ name, status, act, becomes: from[status] })),
);
const allowed = cases.filter(({ becomes }) => becomes !== "refused");
const refused = cases.filter(({ becomes }) => becomes === "refused");
/** All that change something: a second cancel does not. */
const changing = allowed.filter(({ name, status }) => !(name === "cancel" && status === "Cancelled"));

describe("statuses", () => {
  test("have the codes of the interface and the decisions", () => {
    expect(statusIds).toEqual({ Pending: 1, Processing: 4, Shipped: 9, Cancelled: 10 });
  });

  test("are all in the list of statuses", () => {
    expect([...orderStatuses].sort()).toEqual(Object.keys(statusIds).sort());
  });
});

describe("transitions", () => {
  test.each(allowed)("$name makes a $status order $becomes", ({ act, status, becomes }) => {
    const before = orderOf({ status });

    const after = afterOf(act(before));

    expect(after.status).toBe(becomes);
  });

  test.each(refused)("$name is refused for a $status order, which it names", ({ act, status }) => {
    const before = orderOf({ status });

    const problem = refusalOf(act(before));

    expect(problem).toBeInstanceOf(Problem);
    expect(problem.kind).toBe("invalid");
    expect(problem.message).toContain(`Order ${before.order_id} is ${status}`);
  });

  test.each(changing)(
    "$name of a $status order raises its version and updates its time",
    ({ act, status }) => {
      const before = orderOf({ status });

      const after = afterOf(act(before));

      expect(after).toMatchObject({ version: before.version + 1, updated_at: later, created_at: createdAt });
    },
  );

  test.each(cases)("$name leaves the $status order that it was given untouched", ({ act, status }) => {
    const before = orderOf({ status });
    const copy = structuredClone(before);

    act(before);

    expect(before).toEqual(copy);
  });
});

describe("edit", () => {
  test("replaces what the client decides and keeps everything else", () => {
    const before = orderOf({ sub_status: "on hold", weight: 2.5, weight_updated_at: createdAt });

    const after = afterOf(edit(before, newTerms, later));

    expect(after).toEqual({ ...before, ...newTerms, updated_at: later, version: before.version + 1 });
  });
});

describe("cancel", () => {
  test("changes nothing but the status", () => {
    const before = orderOf({ sub_status: "on hold" });

    const after = afterOf(cancel(before, later));

    expect(after).toEqual({
      ...before,
      status: "Cancelled",
      updated_at: later,
      version: before.version + 1,
    });
  });

  test("of an order that is Cancelled already answers that very order, so nothing is written", () => {
    const before = orderOf({ status: "Cancelled" });

    const after = afterOf(cancel(before, later));

    expect(after).toBe(before);
  });

  test("a second time changes nothing that the first did", () => {
    const once = afterOf(cancel(orderOf(), later));

    const twice = afterOf(cancel(once, "2026-03-01T00:00:00.000Z"));

    expect(twice).toBe(once);
  });
});

describe("annotate", () => {
  test("sets the sub-status and nothing else", () => {
    const before = orderOf({ status: "Shipped", sub_status: "old", tracking_number: "TRACK-1" });

    const after = afterOf(annotate(before, "delivered", later));

    expect(after).toEqual({
      ...before,
      sub_status: "delivered",
      updated_at: later,
      version: before.version + 1,
    });
  });
});

describe("claim", () => {
  test("makes the order the picker's and keeps its sub-status", () => {
    const before = orderOf({ sub_status: "rush" });

    const after = afterOf(claim(before, "manager", later));

    expect(after).toEqual({
      ...before,
      status: "Processing",
      picker: "manager",
      updated_at: later,
      version: before.version + 1,
    });
  });
});

describe("ship", () => {
  test.each(["TRACK-1", null])("keeps the picker and notes the tracking number %s", (trackingNumber) => {
    const before = orderOf({ status: "Processing", picker: "manager" });

    const after = afterOf(ship(before, trackingNumber, later));

    expect(after).toEqual({
      ...before,
      status: "Shipped",
      tracking_number: trackingNumber,
      updated_at: later,
      version: before.version + 1,
    });
  });
});

describe("a placed order", () => {
  const identity = { account_id: 100, order_id: 1001, order_api: "rt-x", at: createdAt };

  test("is Pending, in its first version, with nothing of its later life", () => {
    const after = placed(termsOf(), identity);

    expect(after).toEqual(orderOf({ version: 1 }));
  });

  test("has the terms that were agreed", () => {
    const store = { id: 2, name: "Demo Marketplace" };

    const after = placed(termsOf({ store, order_reference: "PO-7" }), identity);

    expect(after).toMatchObject({ store, order_reference: "PO-7" });
  });
});

describe("what an order reserves", () => {
  const items = [itemOf(), itemOf({ product_id: 2, quantity: 3 })];

  test.each(["Pending", "Processing"] as const)("is its items while it is %s", (status) => {
    expect(promised(orderOf({ status, items }))).toEqual(items);
  });

  test.each(["Shipped", "Cancelled"] as const)("is nothing once it is %s", (status) => {
    expect(promised(orderOf({ status, items }))).toEqual([]);
  });
});

describe("the barcode", () => {
  test.each([
    [1, "NB0000000001"],
    [1001, "NB0000001001"],
    [9_999_999_999, "NB9999999999"],
  ])("of order %i is %s", (orderId, barcode) => {
    expect(barcodeOf(orderId)).toBe(barcode);
  });
});
