/** The differences between orders in each state and the one that the examples of the fields make. */
export const made = "2026-01-31T09:30:00.000Z";
export const done = "2026-01-31T09:30:02.000Z";

/** Who an order goes to. */
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
  sub_status: null,
  tracking_number: null,
  carrier: null,
  kits: [],
  weight: null,
  weight_updated_at: null,
  shipped_at: null,
  cancelled_at: null,
};

/** A record after its first change. */
export const changed = { updated_at: done, version: 2 };

export const cancelled = { status: "Cancelled", status_id: 10, cancelled_at: done, ...changed };

export const processing = { status: "Processing", status_id: 4, ...changed };

export const tracked = { tracking_number: "1Z999AA10123456784", carrier: "UPS" };

/** An order that is picked. */
export const handled = {
  order_id: 1001,
  order_number: "DEMO-2",
  nbtybarcode: "NB0000001001",
  status: "Processing",
};
