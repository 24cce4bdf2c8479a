import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placed } from "../../../shared/common/placed.ts";
import {
  type IncomingChange,
  incomingChanges,
  type Replenishment,
  type ReplenishmentPatch,
} from "../../../shared/inbound/replenishments/replenishment.ts";
import {
  type ReplenishmentReferences,
  resolveReplenishments,
  revise,
} from "../../../shared/inbound/replenishments/replenishment-references.ts";
import { inboundLineOf, later, linesOf, problemOf, registered, replenishmentOf } from "../samples.ts";

const centers = { MAIN: 1, EAST: 2 };
const center = (code: "MAIN" | "EAST") => ({ distribution_center_id: centers[code], code });

/** Products `P1` to `P99`, and two centers. */
const references: ReplenishmentReferences = {
  product: (sku) =>
    /^P\d\d?$/.test(sku)
      ? { product_id: Number(sku.slice(1)), sku, distribution_center_id: centers.MAIN }
      : undefined,
  registered,
  center: (sent) => {
    const code = sent ?? "MAIN";
    return code === "MAIN" || code === "EAST" ? center(code) : undefined;
  },
};

const lineOf = (id: number, quantity: number, put_away = 0) =>
  inboundLineOf({ sku: `P${id}`, product_id: id, quantity, put_away });

const sent = (id: number, quantity: number) => ({ sku: `P${id}`, quantity });

const change = (id: number, units: number, code: "MAIN" | "EAST" = "MAIN"): IncomingChange => ({
  product_id: id,
  sku: `P${id}`,
  ...center(code),
  units,
});

describe("a new replenishment", () => {
  test("needs a center if the warehouse has no default one", () => {
    const homeless = { ...references, center: () => undefined };

    const problem = problemOf(() => resolveReplenishments(placed([{ items: [sent(1, 1)] }]), homeless));

    expect(linesOf(problem)).toEqual([
      "data.0.distribution_center is required, as the warehouse has no default",
    ]);
  });
});

const decide = (before: Replenishment, patch: Omit<ReplenishmentPatch, "replenishment_id">) =>
  revise(before, { ...patch, replenishment_id: before.replenishment_id }, references, "data.0", later);

function revised(before: Replenishment, patch: Omit<ReplenishmentPatch, "replenishment_id">): Replenishment {
  const decision = decide(before, patch);
  if ("problem" in decision) throw decision.problem;
  return decision.after;
}

function rejection(before: Replenishment, patch: Omit<ReplenishmentPatch, "replenishment_id">) {
  const decision = decide(before, patch);
  if ("problem" in decision) return linesOf(decision.problem);
  throw new Error("it was not refused");
}

describe("a changed replenishment", () => {
  test.each<[string, Partial<Replenishment>]>([
    ["Pending", { items: [lineOf(1, 3, 2), lineOf(2, 1)] }],
    ["Received", { items: [lineOf(1, 3, 3)], status: "Received" }],
  ])("is the same object if a %s one is sent nothing new", (_status, fields) => {
    // A reference of release 1.0.0, such as a new one may not be.
    const before = replenishmentOf({ eta: "2026-01-01", reference: "PO\u200b", ...fields });
    const { items, distribution_center, reference } = before;

    expect(revised(before, {})).toBe(before);
    expect(revised(before, { items, distribution_center, reference, eta: "2026-01-01" })).toBe(before);
  });

  test("can't announce less than was put away, and each product that it announces less of is named", () => {
    const before = replenishmentOf({ items: [lineOf(1, 3, 2), lineOf(2, 2, 1)] });

    expect(rejection(before, { items: [sent(1, 1)] })).toEqual([
      "data.0.items announce less of P1 (1) than was put away already (2)",
      "data.0.items announce less of P2 (0) than was put away already (1)",
    ]);
  });
});

describe("what a replenishment changes of incoming stock", () => {
  test("is the difference between its old and its new lines", () => {
    const before = replenishmentOf({ items: [lineOf(1, 3), lineOf(2, 5, 2), lineOf(3, 1)] });
    const after = replenishmentOf({ items: [lineOf(2, 4, 2), lineOf(3, 1), lineOf(4, 6)] });

    expect(incomingChanges(before, after)).toEqual([change(1, -3), change(2, -1), change(4, 6)]);
  });

  test("adds up, over any changes, to what remains in the end", () => {
    const patch = fc.record({
      items: fc.array(
        fc.record({
          id: fc.integer({ min: 1, max: 4 }),
          quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      code: fc.constantFrom("MAIN", "EAST"),
    });
    fc.assert(
      fc.property(fc.array(patch, { minLength: 1, maxLength: 6 }), (patches) => {
        const incoming = new Map<string, number>();
        let before: Replenishment | undefined;
        for (const { items, code } of patches) {
          const after = revised(before ?? replenishmentOf({ items: [] }), {
            items: items.map(({ id, quantity }) => sent(id, quantity)),
            distribution_center: code,
          });
          for (const { product_id, code: to, units } of incomingChanges(before, after)) {
            const place = `${product_id}@${to}`;
            incoming.set(place, (incoming.get(place) ?? 0) + units);
          }
          before = after;
        }

        const expected = new Map<string, number>();
        for (const { product_id, quantity } of before?.items ?? []) {
          const place = `${product_id}@${before?.distribution_center}`;
          expected.set(place, (expected.get(place) ?? 0) + quantity);
        }
        expect(new Map([...incoming].filter(([, units]) => units !== 0))).toEqual(expected);
      }),
    );
  });
});
