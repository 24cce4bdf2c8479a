import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  hasReceived,
  type InboundLine,
  type InboundRecord,
  reapplyPutAway,
  remainingOf,
  shortfalls,
  statusOf,
  unitsByProduct,
  withLines,
  withPutAway,
} from "../../../shared/inbound/inbound.ts";
import {
  presentInbound,
  replenishmentWithActions,
  returnWithActions,
} from "../../../shared/inbound/inbound-view.ts";
import { announcedReturn } from "../../../shared/inbound/returns/return.ts";
import { createdAt, inboundLineOf, later, replenishmentOf, sampleOrder } from "../samples.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const unitsOf = (lines: readonly InboundLine[], productId: number, name: "quantity" | "put_away"): number =>
  unitsByProduct(lines, (line) => line[name]).get(productId) ?? 0;

/** Lines of few products, so that several share one; some units of each lie in bins. */
const lines = fc.array(
  fc
    .record({
      product_id: fc.integer({ min: 1, max: 3 }),
      quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ product_id, quantity, part }) =>
      inboundLineOf({ sku: `P${product_id}`, product_id, quantity, put_away: Math.round(quantity * part) }),
    ),
  { minLength: 1, maxLength: 10 },
);

/** That a product's lines fill in order: one that has begun comes after full ones only. */
function expectInOrder(filled: readonly InboundLine[], productId: number): void {
  const own = filled.filter(({ product_id }) => product_id === productId);
  const firstOpen = own.findIndex((line) => remainingOf(line) > 0);
  const later = firstOpen < 0 ? [] : own.slice(firstOpen + 1);
  expect(later.filter(({ put_away }) => put_away > 0)).toEqual([]);
}

describe("a record's lines", () => {
  const before: InboundRecord = { status: "Pending", items: [], updated_at: createdAt, version: 4 };

  test.each([
    { quantities: [5], stored: [4], status: "Pending" },
    { quantities: [5, 1], stored: [5, 0], status: "Pending" },
    { quantities: [5, 1], stored: [5, 1], status: "Received" },
  ])("$stored of $quantities put away make it $status", ({ quantities, stored, status }) => {
    const own = quantities.map((quantity, n) => inboundLineOf({ quantity, put_away: stored[n] ?? 0 }));

    expect(statusOf(own)).toBe(status);
    expect(withLines(before, own, later)).toEqual({ status, items: own, updated_at: later, version: 5 });
  });
});

describe("putting away", () => {
  test("keeps what else a line says", () => {
    const line = { ...inboundLineOf({ quantity: 3 }), reason: "broken" };

    expect(withPutAway([line], line.product_id, 1)).toEqual([{ ...line, put_away: 1 }]);
  });

  test("of no more than remains puts exactly so much away, for any lines, and takes nothing back", () => {
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (before, id, part) => {
          const remaining = unitsOf(before, id, "quantity") - unitsOf(before, id, "put_away");
          const units = Math.floor(remaining * part);

          const after = withPutAway(before, id, units);

          expect(unitsOf(after, id, "put_away")).toBe(unitsOf(before, id, "put_away") + units);
          after.forEach((line, position) => {
            const was = before[position];
            expect(line).toEqual({ ...was, put_away: line.put_away });
            expect(line.put_away).toBeGreaterThanOrEqual(was?.put_away ?? 0);
            expect(line.put_away).toBeLessThanOrEqual(line.quantity);
            if (line.product_id !== id) expect(line).toEqual(was);
          });
        },
      ),
    );
  });

  test("step by step comes to the same as at once", () => {
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 5 }),
        (before, steps) => {
          const total = sum(steps);
          const all = [inboundLineOf({ product_id: 1, quantity: total + 1 }), ...before];

          const bySteps = steps.reduce((filled, units) => withPutAway(filled, 1, units), all);

          expect(bySteps).toEqual(withPutAway(all, 1, total));
        },
      ),
    );
  });
});

test("of a record of which nothing remains, the actions that it shows say so", () => {
  const status = "Received";
  const replenishment = presentInbound(replenishmentOf({ status }));
  const back = { ...announcedReturn(sampleOrder(), [], { return_id: 1, at: createdAt }), status } as const;

  const shown = [
    ...z.parse(replenishmentWithActions, replenishment).actions,
    ...z.parse(returnWithActions, presentInbound(back)).actions,
  ];

  expect(shown.map(({ action, reason }) => [action, reason])).toEqual([
    ["patchReplenishments", "is Received and can't be changed"],
    ["proPutAwayMove", "is Received; nothing remains to be put away"],
    ["proPutAwayMove", "is Received; nothing remains to be put away"],
  ]);
});

describe("new lines in place of others", () => {
  test("that announce enough keep all that was put away, for any lines, each product's in order", () => {
    fc.assert(
      fc.property(lines, lines, (before, sent) => {
        const after = sent.map((line) => ({ ...line, put_away: 0 }));
        const short = new Set(shortfalls(before, after).map(({ sku }) => sku));

        const filled = reapplyPutAway(before, after);

        for (const id of [1, 2, 3]) {
          const stored = unitsOf(before, id, "put_away");
          const announced = unitsOf(after, id, "quantity");
          expect(short.has(`P${id}`)).toBe(announced < stored);
          expect(unitsOf(filled, id, "put_away")).toBe(Math.min(stored, announced));
          expectInOrder(filled, id);
        }
        expect(filled.map(({ quantity }) => quantity)).toEqual(after.map(({ quantity }) => quantity));
      }),
    );
  });
});

test.each<[readonly number[], readonly number[], boolean]>([
  [[0, 0], [0, 1], true],
  [[2, 0], [1, 2], true],
  [[2, 0], [1, 1], false],
  [[0, 0], [0, 0], false],
])("lines of which %j units and then %j are put away have received goods: %s", (before, after, has) => {
  const [was, is] = [before, after].map((units) => units.map((put_away) => ({ put_away })));

  expect(hasReceived(was ?? [], is ?? [])).toBe(has);
});
