import { expect } from "vitest";
import { endpoint as create } from "../../../functions/oms/inventory/returns/create-returns.ts";
import { shippedOrder, stockedProduct } from "../../support/business/world.ts";
import { conforms } from "./conforms.ts";
import { isoTime, type WrongReference } from "./resource.ts";

const unknownOrder = (order_id: number): WrongReference => [
  { order_id },
  "order_id",
  `is not an order of the account (${order_id})`,
];

conforms({
  title: "return",
  create,
  limits: {
    order_id: "required integer 1-9007199254740991",
    items: "required array 1-500",
    "items[].sku": "required string 1-100",
    "items[].quantity": "required integer 1-1000000000",
    "items[].reason": "optional string 0-255",
  },
  prepare: async (account) => {
    const product = await stockedProduct(account, 100);
    const { sku } = product;
    const { order_id } = await shippedOrder(account, [{ sku, quantity: 100 }]);
    return {
      path: "/inventory/returns",
      product,
      record: (more = {}) => ({ order_id, items: [{ sku, quantity: 1 }], ...more }),
      optional: { items: [{ sku, quantity: 1, reason: "too small" }] },
      references: [unknownOrder(order_id)],
      accepted: [
        [
          { items: ["too small", undefined].map((reason, at) => ({ sku, quantity: at + 1, reason })) },
          {
            items: [
              { quantity: 1, reason: "too small" },
              { quantity: 2, remaining: 2, reason: null },
            ],
          },
        ],
        [{ items: [{ sku, quantity: 1, reason: "" }] }, { items: [{ reason: null }] }],
        [{ items: [{ sku, quantity: 1, reason: "x".repeat(255) }] }],
      ],
    };
  },
  answered: ({ order_id }, product) => ({
    return_id: expect.any(Number),
    order_id,
    order_number: expect.any(String),
    status: "Pending",
    items: [
      {
        ...product,
        quantity: 1,
        put_away: 0,
        remaining: 1,
        reason: null,
      },
    ],
    created_at: isoTime,
    updated_at: isoTime,
    version: 1,
    actions: [
      { action: "proPutAwayMove", method: "POST", path: "/apiv2/pro-v1/put-away-move", allowed: true },
    ],
  }),
  id: "return_id",
  read: { by: ["return_id"], missing: (identifier) => `There is no return with return_id ${identifier}` },
  wrongReferences: [999_999_999, Number.MAX_SAFE_INTEGER].map(unknownOrder),
  counted: ["/orders"],
});
