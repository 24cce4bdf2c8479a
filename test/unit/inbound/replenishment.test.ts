import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  announced,
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
import {
  accepted,
  createdAt,
  inboundLineOf,
  later,
  linesOf,
  problemOf,
  replenishmentOf,
} from "../samples.ts";

const centers = { MAIN: 1, EAST: 2 };
const center = (code: "MAIN" | "EAST") => ({ distribution_center_id: centers[code], code });

/** Products `P1` to `P99`, and two centers. */
const references: ReplenishmentReferences = {
  product: (sku) => (/^P\d\d?$/.test(sku) ? { product_id: Number(sku.slice(1)), sku } : undefined),
  accepted,
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
  center: center(code),
  units,
});

describe("a new replenishment", () => {
  test("is Pending at the default center, without an eta, in its first version", () => {
    const [terms] = resolveReplenishments([{ items: [sent(1, 3)] }], references);
    if (terms === undefined) throw new Error("it was not resolved");

    expect(announced(terms, { account_id: 100, replenishment_id: 5, at: createdAt })).toEqual({
      account_id: 100,
      replenishment_id: 5,
      reference: null,
      status: "Pending",
      distribution_center: "MAIN",
      distribution_center_id: 1,
      eta: null,
      items: [lineOf(1, 3)],
      created_at: createdAt,
      updated_at: createdAt,
      version: 1,
    });
  });

  test("is refused with everything that is wrong in any of a call", () => {
    const inputs = [
      { items: [sent(1, 1), { sku: "NONE", quantity: 1 }], distribution_center: "WEST" },
      { items: [sent(1, 1)] },
    ];

    expect(linesOf(problemOf(() => resolveReplenishments(inputs, references)))).toEqual([
      "data.0.items.1.sku is not a known SKU (NONE)",
      "data.0.distribution_center is not a registered distribution center (WEST); registered are EAST, MAIN",
    ]);
  });

  test("needs a center if the warehouse has no default one", () => {
    const homeless = { ...references, center: () => undefined };

    const problem = problemOf(() => resolveReplenishments([{ items: [sent(1, 1)] }], homeless));

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
  test.each<[string, Omit<ReplenishmentPatch, "replenishment_id">, Partial<Replenishment>]>([
    ["eta", { eta: "2026-05-06" }, { eta: "2026-05-06" }],
    ["center", { distribution_center: "EAST" }, { distribution_center: "EAST", distribution_center_id: 2 }],
    ["lines", { items: [sent(2, 9)] }, { items: [lineOf(2, 9)] }],
    ["eta, none, by null", { eta: null }, { eta: null }],
  ])("has another %s and all else as it was", (_case, patch, changed) => {
    const before = replenishmentOf({ items: [lineOf(1, 3)], eta: "2026-01-01" });

    expect(revised(before, patch)).toEqual({
      ...before,
      ...changed,
      updated_at: later,
      version: before.version + 1,
    });
  });

  test.each<[string, Partial<Replenishment>]>([
    ["Pending", { items: [lineOf(1, 3, 2), lineOf(2, 1)] }],
    ["Received", { items: [lineOf(1, 3, 3)], status: "Received" }],
  ])("is the very %s one as it was where nothing, or what it has, is sent", (_status, fields) => {
    const before = replenishmentOf({ eta: "2026-01-01", ...fields });
    const { items, distribution_center } = before;

    expect(revised(before, {})).toBe(before);
    expect(revised(before, { items, distribution_center, eta: "2026-01-01" })).toBe(before);
  });

  test("is Received if its new lines are exactly what was put away", () => {
    const before = replenishmentOf({ items: [lineOf(1, 3, 2)] });

    expect(revised(before, { items: [sent(1, 2)] })).toMatchObject({
      status: "Received",
      items: [lineOf(1, 2, 2)],
    });
  });

  test("goes to the default center if null clears its own", () => {
    const before = replenishmentOf({ distribution_center: "EAST", distribution_center_id: 2 });

    expect(revised(before, { distribution_center: null })).toMatchObject({
      distribution_center: "MAIN",
      distribution_center_id: 1,
    });
  });

  test("may name the center it goes to if something was put away", () => {
    const before = replenishmentOf({ items: [lineOf(1, 3, 2)] });

    expect(revised(before, { distribution_center: "MAIN" }).distribution_center).toBe("MAIN");
  });

  test.each<
    [string, Partial<Replenishment>, Omit<ReplenishmentPatch, "replenishment_id">, readonly string[]]
  >([
    [
      "Received already",
      { status: "Received", items: [lineOf(1, 2, 2)] },
      { eta: "2026-01-01", distribution_center: "WEST" },
      ["data.0.replenishment_id is Received and can't be changed (3001)"],
    ],
    [
      "to go elsewhere once something was put away",
      { items: [lineOf(1, 3), lineOf(2, 2, 1)] },
      { distribution_center: "EAST" },
      ["data.0.distribution_center can't be another than MAIN, where goods were put away already"],
    ],
    [
      "to announce less than was put away",
      { items: [lineOf(1, 3, 2), lineOf(2, 2, 1)] },
      { items: [sent(1, 1)] },
      [
        "data.0.items announce less of P1 (1) than was put away already (2)",
        "data.0.items announce less of P2 (0) than was put away already (1)",
      ],
    ],
    [
      "to refer to what is not there",
      { items: [lineOf(1, 3)] },
      { items: [{ sku: "NONE", quantity: 1 }], distribution_center: "WEST" },
      [
        "data.0.items.0.sku is not a known SKU (NONE)",
        "data.0.distribution_center is not a registered distribution center (WEST); registered are EAST, MAIN",
      ],
    ],
  ])("can't be %s", (_case, before, patch, lines) => {
    expect(rejection(replenishmentOf(before), patch)).toEqual(lines);
  });
});

describe("what a replenishment changes of incoming stock", () => {
  test("is everything that remains of a new one, one entry per product", () => {
    const after = replenishmentOf({ items: [lineOf(1, 3), lineOf(2, 1), lineOf(1, 4)] });

    expect(incomingChanges(undefined, after)).toEqual([change(1, 7), change(2, 1)]);
  });

  test("is only the difference of a changed one", () => {
    const before = replenishmentOf({ items: [lineOf(1, 3), lineOf(2, 5, 2), lineOf(3, 1)] });
    const after = replenishmentOf({ items: [lineOf(2, 4, 2), lineOf(3, 1), lineOf(4, 6)] });

    expect(incomingChanges(before, after)).toEqual([change(1, -3), change(2, -1), change(4, 6)]);
  });

  test("moves from one center to the other if its center changes", () => {
    const before = replenishmentOf({ items: [lineOf(1, 3)] });
    const after = revised(before, { distribution_center: "EAST", items: [sent(1, 5)] });

    expect(incomingChanges(before, after)).toEqual([change(1, -3), change(1, 5, "EAST")]);
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
          for (const {
            product_id,
            center: { code: to },
            units,
          } of incomingChanges(before, after)) {
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
