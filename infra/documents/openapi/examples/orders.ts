/** Orders as answers and events show them, in their states. */
export const made = "2026-01-31T09:30:00.000Z";
export const done = "2026-01-31T09:30:02.000Z";

/** Who an order goes to, in calls and in answers. */
export const customer = {
  firstname: "Grace",
  lastname: "Hopper",
  email: "grace@example.com",
  phone: "+1 555 0100",
  address1: "2 Sample Street",
  city: "Springfield",
  state: "IL",
  zip: "62701",
  country: "US",
};

/** An order as it is after its creation. */
export const order = {
  order_id: 1000,
  order_number: "DEMO-1",
  order_reference: "my-shop-77",
  order_api: "ord_1000",
  nbtybarcode: "NB0000001000",
  status: "Pending",
  status_id: 1,
  sub_status: null,
  order_type_id: 1,
  warehouse_id: 1,
  shipping_method: "GROUND",
  tracking_number: null,
  carrier: null,
  cart: { id: 1, store_name: "Demo Web Store" },
  customer,
  items: [
    {
      sku: "DEMO-TEE",
      ordered_as: "DEMO-TEE",
      product_id: 1000,
      quantity: 2,
      sold_price: 19.95,
      returned: 0,
    },
  ],
  kits: [],
  weight: null,
  weight_updated_at: null,
  created_at: made,
  updated_at: made,
  version: 1,
  shipped_at: null,
  cancelled_at: null,
};

export const cancelled = {
  ...order,
  status: "Cancelled",
  status_id: 10,
  updated_at: done,
  version: 2,
  cancelled_at: done,
};

export const processing = { ...order, status: "Processing", status_id: 4, updated_at: done, version: 2 };

export const shipped = {
  ...processing,
  version: 5,
  status: "Shipped",
  status_id: 9,
  tracking_number: "1Z999AA10123456784",
  carrier: "UPS",
  shipped_at: done,
};

/** An order that is picked. */
export const handled = {
  order_id: 1001,
  order_number: "DEMO-2",
  account_id: 100,
  nbtybarcode: "NB0000001001",
  status: "Processing",
  shipping_method: "GROUND",
};
export const line = { sku: "DEMO-MUG", product_id: 1001, ordered_as: "DEMO-MUG", quantity: 1 };

export const shipment = {
  ...handled,
  picker: "manager",
  tracking_number: null,
  carrier: null,
  items: [{ ...line, picked: 1, remaining: 0 }],
  picks: [{ sku: "DEMO-MUG", location: "A2", bin: "01", quantity: 1, by: "user:manager", at: done }],
};
