import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  barcodeOf,
  movementReasonOf,
  newOrder,
  order,
  orderedKit,
  orderItem,
  orderPick,
  orderStatuses,
  pickKeyOf,
  statusIds,
  stockEffectOf,
} from "../../../shared/orders/order.ts";
import { historyEntry } from "../../../shared/orders/order-history.ts";
import { createdAt, itemOf, pickOf, sampleOrder, termsOf } from "../samples.ts";

describe("statuses", () => {
  test("have the codes of the interface and the decisions", () => {
    expect(statusIds).toEqual({ Pending: 1, Processing: 4, Shipped: 9, Cancelled: 10 });
  });

  test("are all in the list of statuses", () => {
    expect([...orderStatuses].sort()).toEqual(Object.keys(statusIds).sort());
  });
});

describe("a placed order", () => {
  const identity = { account_id: 100, order_id: 1001, order_api: "rt-x", by: "account:100", at: createdAt };

  test("is Pending, in its first version, with nothing of its later life", () => {
    const after = newOrder(termsOf(), identity);

    expect(after).toEqual(sampleOrder({ version: 1 }));
  });
});

describe("what an order does to stock", () => {
  const items = [itemOf({ quantity: 2 }), itemOf({ product_id: 2, quantity: 3 })];

  test.each([
    ["Pending", [{ reserved: 2 }, { reserved: 3 }], "order_updated"],
    ["Processing", [{ reserved: 2 }, { reserved: 3 }], "order_updated"],
    ["Shipped", [{ on_hand: -2 }, { on_hand: -3 }], "order_shipped"],
    ["Cancelled", [{}, {}], "order_cancelled"],
  ] as const)("depends on its status, whatever is picked: %s", (status, effects, reason) => {
    const changed = sampleOrder({ status, items, picks: [pickOf({ quantity: 2 })] });

    expect(stockEffectOf(changed)).toEqual(
      effects.map((effect, position) => {
        const { product_id, distribution_center_id } = items[position] ?? itemOf();
        return { product_id, distribution_center_id, on_hand: 0, reserved: 0, ...effect };
      }),
    );
    expect(movementReasonOf(changed)).toBe(reason);
  });
});

describe("the place of a pick", () => {
  test("distinguishes product and bin, even if their ids look the same when joined", () => {
    const places = [
      pickOf({ product_id: 1, bin_id: 11 }),
      pickOf({ product_id: 11, bin_id: 1 }),
      pickOf({ product_id: 1, bin_id: 1 }),
    ];

    expect(new Set(places.map(pickKeyOf)).size).toBe(3);
  });

  test("is the same whoever picked how much there", () => {
    expect(pickKeyOf(pickOf({ quantity: 1, by: "ann" }))).toBe(pickKeyOf(pickOf({ quantity: 2 })));
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

describe("fields that every stored order has", () => {
  const requiredIn = ({ shape }: { readonly shape: Readonly<Record<string, z.ZodMiniType>> }) =>
    Object.keys(shape).filter((name) => shape[name] && !z.safeParse(shape[name], undefined).success);

  test.each([
    [
      "an order",
      order,
      "order_number order_reference shipping_method order_type_id store warehouse_id customer items kits account_id order_id order_api status sub_status weight weight_updated_at tracking_number carrier shipped_at cancelled_at picker picks created_by created_at updated_at version",
    ],
    ["a customer", order.shape.customer, "firstname lastname email phone address1 city state zip country"],
    ["an item", orderItem, "sku ordered_as product_id distribution_center_id quantity sold_price returned"],
    ["a kit", orderedKit, "synset quantity sold_price"],
    ["a pick", orderPick, "product_id sku bin_id location bin distribution_center_id quantity by at"],
    ["an entry of the history", historyEntry, "at by"],
  ])(
    "are, of %s, those of the first release: a field that is added later is optional",
    (_record, schema, names) => {
      const advice =
        "Orders that are stored already do not have a new field, and could not be read if it were required. " +
        "Declare it z.optional(...), as docs/developers.md says";

      expect(requiredIn(schema).toSorted(), advice).toEqual(names.split(" ").toSorted());
    },
  );
});
