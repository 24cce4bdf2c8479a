/** A customer that passes validation; nobody real. */
export const customer = {
  firstname: "Test",
  address1: "1 Test Street",
  city: "Testville",
  state: "TS",
  zip: "00001",
  country: "US",
};

let count = 0;

/** A name that no other record of this run has. */
export const unique = (prefix: string): string => `${prefix}-${process.pid}-${++count}`;

interface Line {
  readonly sku: string;
  readonly quantity: number;
  readonly sold_price?: number;
  readonly hold_id?: string;
}

/** A valid order record of account 100 for these lines, one mug without. */
export const orderOf = (lines: readonly Line[] = [{ sku: "DEMO-MUG", quantity: 1 }], more: object = {}) => ({
  order_number: unique("ORDER"),
  shipping_method: "GROUND",
  customer,
  items: lines,
  ...more,
});

/** An order record with everything that an order may state. */
export const fullOrderOf = (lines: readonly Line[]) =>
  orderOf(lines, {
    order_number: unique("WEB-2025"),
    order_reference: unique("shop-77-reference"),
    cart: { store_name: "Demo Web Store" },
    customer: {
      firstname: "Grace",
      lastname: "Hopper",
      email: "grace.hopper@example.com",
      phone: "+1 555 0100",
      address1: "2 Sample Street, Apartment 12",
      city: "Springfield",
      state: "IL",
      zip: "62701",
      country: "US",
    },
  });

/** A valid product record. */
export const productOf = (more: object = {}) => ({
  sku: unique("SKU"),
  description: "A thing",
  width: 1,
  length: 2,
  height: 3,
  weight: 0.25,
  cost: 1.5,
  retail: 3.25,
  ...more,
});

/** A valid alias record of account 100. */
export const aliasOf = (more: object = {}) => ({
  sku: "DEMO-TEE",
  alias: unique("ALIAS"),
  channel_id: 2,
  ...more,
});

interface BinChange {
  readonly location: string;
  readonly bin: string;
  readonly qty?: number;
  readonly qty_in_bin?: number;
  readonly expected_quantity?: number;
}

/** A recount call of one record and one SKU. */
export const recountOf = (sku: string, bins: readonly BinChange[], more: object = {}) => [
  { account_id: 100, skus: [{ sku, bins }], ...more },
];

/** An order as every answer but that of GET /orders/{order} shows it: without what became of it. */
export function withoutHistory(order: unknown): unknown {
  if (typeof order !== "object" || order === null) return order;
  return Object.fromEntries(Object.entries(order).filter(([name]) => name !== "history"));
}

/** A valid synset record: a kit of these components, one tee and two mugs without. */
export const synsetOf = (
  items: readonly { readonly sku: string; readonly quantity: number }[] = [
    { sku: "DEMO-TEE", quantity: 1 },
    { sku: "DEMO-MUG", quantity: 2 },
  ],
  more: object = {},
) => ({ synset: unique("KIT"), items, ...more });
