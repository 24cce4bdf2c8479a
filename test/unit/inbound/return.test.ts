import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReturnInput, type ReturnLine, takeBack } from "../../../shared/inbound/returns/return.ts";
import type { Order, OrderItem, OrderStatus } from "../../../shared/orders/order.ts";
import { itemOf, later, linesOf, sampleOrder } from "../samples.ts";

const item = (sku: string, quantity: number, more: Partial<OrderItem> = {}): OrderItem =>
  itemOf({ sku, ordered_as: sku, product_id: sku.charCodeAt(0), quantity, ...more });

/** Three mugs; two tees as EXT-TEE; two kits of a tee and two mugs each; one tee. */
const order = sampleOrder({
  status: "Shipped",
  items: [
    item("MUG", 3),
    item("TEE", 2, { ordered_as: "EXT-TEE" }),
    item("TEE", 2, { ordered_as: "KIT" }),
    item("MUG", 4, { ordered_as: "KIT" }),
    item("TEE", 1),
  ],
  kits: [{ synset: "KIT", quantity: 2, sold_price: 20 }],
});

const lineOf = (sku: string, quantity: number, reason: string | null = null): ReturnLine => ({
  sku,
  product_id: sku.charCodeAt(0),
  quantity,
  put_away: 0,
  reason,
});

const sent = (sku: string, quantity: number) => ({ sku, quantity });

const decide = (before: Order, items: ReturnInput["items"]) => takeBack(before, items, "data.0", later);

function taken(before: Order, ...items: ReturnInput["items"]) {
  const decision = decide(before, items);
  if ("problem" in decision) throw decision.problem;
  return decision;
}

const rejection = (before: Order, ...items: ReturnInput["items"]) => {
  const decision = decide(before, items);
  if (!("problem" in decision)) throw new Error("it was not refused");
  return linesOf(decision.problem);
};

const returned = ({ items }: Order) => items.map((each) => each.returned);

describe("a return", () => {
  test("has a line for each item that was sent, with its reason, and raises the order's version", () => {
    const { after, lines } = taken(
      order,
      { sku: "MUG", quantity: 1, reason: "broken" },
      { sku: "TEE", quantity: 1 },
      { sku: "MUG", quantity: 2, reason: "" },
    );

    expect(lines).toEqual([lineOf("MUG", 1, "broken"), lineOf("TEE", 1), lineOf("MUG", 2, "")]);
    expect(after).toMatchObject({ status: "Shipped", updated_at: later, version: order.version + 1 });
  });

  test.each([
    ["a product: the lines ordered by its SKU first", sent("TEE", 2), [lineOf("TEE", 2)], [0, 1, 0, 0, 1]],
    ["a product: then its others in order", sent("TEE", 4), [lineOf("TEE", 4)], [0, 2, 1, 0, 1]],
    ["an alias: its product", sent("EXT-TEE", 1), [lineOf("TEE", 1)], [0, 1, 0, 0, 0]],
    ["an alias: also what was ordered otherwise", sent("EXT-TEE", 5), [lineOf("TEE", 5)], [0, 2, 2, 0, 1]],
    ["a kit: its components", sent("KIT", 1), [lineOf("TEE", 1), lineOf("MUG", 2)], [0, 0, 1, 2, 0]],
    ["a kit: as many as there are", sent("KIT", 3), [lineOf("TEE", 3), lineOf("MUG", 6)], [2, 1, 2, 4, 0]],
  ])("of %s", (_case, item, lines, marks) => {
    const decision = taken(order, item);

    expect(decision.lines).toEqual(lines);
    expect(returned(decision.after)).toEqual(marks);
  });

  test.each([
    [
      "stands in several lines of the order has each kit's share",
      [item("TEE", 3, { ordered_as: "KIT" }), item("TEE", 6, { ordered_as: "KIT" })],
      [1, 2],
      2,
      [lineOf("TEE", 6)],
      [3, 3],
    ],
    [
      "has an item's alias as its name, as in orders of release 1.0.0, is of whole units",
      [item("TEE", 1, { ordered_as: "KIT" }), item("MUG", 2, { ordered_as: "KIT" })],
      [2],
      1,
      [lineOf("TEE", 1), lineOf("MUG", 1)],
      [1, 1],
    ],
  ])("of a kit that %s", (_case, items, kits, quantity, lines, marks) => {
    const ordered = kits.map((each) => ({ synset: "KIT", quantity: each, sold_price: null }));
    const decision = taken(sampleOrder({ status: "Shipped", items, kits: ordered }), sent("KIT", quantity));

    expect(decision.lines).toEqual(lines);
    expect(returned(decision.after)).toEqual(marks);
  });

  test.each([
    ["more than was shipped, over several items", [sent("MUG", 4), sent("MUG", 4), sent("MUG", 3)], "MUG", 3],
    ["more kits than there are components left", [sent("MUG", 4), sent("KIT", 2)], "KIT", 1],
  ])("of %s is refused", (_case, items, sku, left) => {
    expect(rejection(order, ...items)).toEqual([
      `data.0.items.1.quantity is more than is left to return of ${sku} in order 1001 (${left})`,
    ]);
  });

  test("by an alias that meant another product when the order was replaced is refused", () => {
    const renamed = sampleOrder({
      status: "Shipped",
      items: [item("TEE", 1, { ordered_as: "GIFT" }), item("MUG", 1, { ordered_as: "GIFT" })],
    });

    expect(rejection(renamed, sent("GIFT", 1))).toEqual([
      "data.0.items.0.sku means several products of order 1001 (GIFT); name one of TEE, MUG",
    ]);
  });

  test("of kits that come to more than 500 lines is refused", () => {
    const components = Array.from({ length: 100 }, (_, n) =>
      itemOf({ sku: `C${n}`, product_id: n + 1, quantity: 6, ordered_as: "KIT" }),
    );
    const kits = [{ synset: "KIT", quantity: 6, sold_price: null }];
    const large = sampleOrder({ status: "Shipped", items: components, kits });
    const six = Array.from({ length: 6 }, () => ({ sku: "KIT", quantity: 1 }));

    expect(taken(large, ...six.slice(1)).lines).toHaveLength(500);
    expect(rejection(large, ...six)).toEqual([
      "data.0.items must come to at most 500 lines, counting the components of kits",
    ]);
  });

  test("of lines that could not be stored any more once they are put away is refused", () => {
    const large = sampleOrder({ status: "Shipped", items: [item("MUG", 480 * 1_000_000_000)] });
    const lines = Array.from({ length: 480 }, () => ({
      ...sent("MUG", 1_000_000_000),
      reason: "字".repeat(255),
    }));

    expect(rejection(large, ...lines)).toEqual(["data.0.items come to more than 400000 bytes"]);
    expect(taken(large, ...lines.slice(10)).lines).toHaveLength(470);
  });

  test.each<OrderStatus>(["Pending", "Processing", "Cancelled"])("of a %s order is refused", (status) => {
    expect(rejection({ ...order, status }, { sku: "MUG", quantity: 1 })).toEqual([
      `data.0.order_id names an order that is ${status} (1001); only a Shipped order can be returned`,
    ]);
  });

  test("for any items brings back what its lines say, and never more of an item than was shipped", () => {
    const items = fc.array(
      fc.record({
        sku: fc.constantFrom("MUG", "TEE", "EXT-TEE", "KIT"),
        quantity: fc.integer({ min: 1, max: 5 }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    let decided = 0;
    fc.assert(
      fc.property(items, (some) => {
        const decision = decide(order, some);
        if ("problem" in decision) return;

        decided += 1;
        const back = new Map<string, number>();
        for (const { sku, quantity } of decision.lines) back.set(sku, (back.get(sku) ?? 0) + quantity);
        for (const sku of ["MUG", "TEE"]) {
          const marked = decision.after.items.filter((each) => each.sku === sku);
          expect(marked.reduce((sum, each) => sum + each.returned, 0)).toBe(back.get(sku) ?? 0);
        }
        for (const each of decision.after.items) expect(each.returned).toBeLessThanOrEqual(each.quantity);
      }),
    );
    expect(decided).toBeGreaterThan(0);
  });
});
