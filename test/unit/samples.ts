/** Valid records to start from; a test states only what it is about. */
import type { Alias } from "../../shared/catalog/aliases/alias.ts";
import type { Product, ProductInput } from "../../shared/catalog/products/product.ts";
import { Problem } from "../../shared/common/problem.ts";
import type { HttpEvent } from "../../shared/http/http-handler.ts";
import type { InboundLine } from "../../shared/inbound/inbound.ts";
import type { Replenishment } from "../../shared/inbound/replenishments/replenishment.ts";
import type { Order, OrderItem, OrderPick, OrderTerms } from "../../shared/orders/order.ts";
import type { OrderInput } from "../../shared/orders/order-input.ts";
import type { OrderDecision } from "../../shared/orders/order-transitions.ts";
import type { Registered, Registry } from "../../shared/registries/registry.ts";
import type { Layer } from "../../shared/stock/bins/goods.ts";
import { type Hold, newHoldId } from "../../shared/stock/holds/hold.ts";

export const createdAt = "2026-01-31T08:00:00.000Z";
export const later = "2026-02-01T09:30:00.000Z";

/** What a test's registries hold. A store's id stands before its name. */
export const registered: Registered = {
  has: (registry, value) =>
    entries[registry].some((entry) => entry === value || entry.startsWith(`${value} (`)),
  accepted: (registry) => entries[registry],
};

const entries: Readonly<Record<Registry, readonly string[]>> = {
  shipping_method: ["EXPRESS", "GROUND"],
  store_id: ["1 (Demo Web Store)", "2 (Demo Marketplace)"],
  store_name: ["Demo Marketplace", "Demo Web Store"],
  supplier: ["Acme Supply"],
  package_type: ["BOX-M", "BOX-S"],
  distribution_center: ["EAST", "MAIN"],
  location: ["A1", "A2", "B1"],
};

export const customerInput = {
  firstname: "Test",
  address1: "1 Test Street",
  city: "Testville",
  state: "TS",
  zip: "00501",
  country: "US",
};

export const orderInputOf = (more: Partial<OrderInput> = {}): OrderInput => ({
  order_number: "A-1",
  shipping_method: "GROUND",
  customer: customerInput,
  items: [{ sku: "TEE", quantity: 2 }],
  ...more,
});

export const layerOf = (more: Partial<Layer> = {}): Layer => ({
  received_on: "2026-01-01",
  lot: null,
  expires_on: null,
  quantity: 1,
  ...more,
});

export const itemOf = (more: Partial<OrderItem> = {}): OrderItem => ({
  sku: "TEE",
  ordered_as: "TEE",
  product_id: 1,
  distribution_center_id: 1,
  quantity: 2,
  sold_price: null,
  returned: 0,
  ...more,
});

export const pickOf = (more: Partial<OrderPick> = {}): OrderPick => ({
  product_id: 1,
  sku: "TEE",
  bin_id: 1,
  location: "A1",
  bin: "01",
  distribution_center_id: 1,
  quantity: 1,
  layers: [],
  serials: [],
  by: "manager",
  at: createdAt,
  ...more,
});

export const termsOf = (more: Partial<OrderTerms> = {}): OrderTerms => ({
  order_number: "A-1",
  order_reference: null,
  shipping_method: "GROUND",
  order_type_id: 1,
  store: null,
  warehouse_id: 1,
  customer: { ...customerInput, lastname: null, email: null, phone: null },
  items: [itemOf()],
  kits: [],
  ...more,
});

export const sampleOrder = (more: Partial<Order> = {}): Order => ({
  ...termsOf(),
  account_id: 100,
  order_id: 1001,
  order_api: "rt-x",
  status: "Pending",
  sub_status: null,
  weight: null,
  weight_updated_at: null,
  tracking_number: null,
  carrier: null,
  shipped_at: null,
  cancelled_at: null,
  picker: null,
  picks: [],
  created_by: "account:100",
  created_at: createdAt,
  updated_at: createdAt,
  version: 7,
  ...more,
});

const shirt = {
  sku: "TEE",
  description: "A shirt",
  width: 10,
  length: 12.5,
  height: 1,
  weight: 0.4,
  cost: 4.2,
  retail: 19.99,
};

export const productInputOf = (more: Partial<ProductInput> = {}): ProductInput => ({ ...shirt, ...more });

export const sampleProduct = (more: Partial<Product> = {}): Product => ({
  ...shirt,
  upc: null,
  harmonization_code: null,
  supplier: null,
  distribution_center: null,
  package_type: null,
  pick_style: null,
  one_time_product: "No",
  case_qty: null,
  category: null,
  model: null,
  manufacturer: null,
  client_option1: null,
  client_option2: null,
  client_option3: null,
  image_url: null,
  account_id: 100,
  product_id: 2001,
  created_at: createdAt,
  updated_at: createdAt,
  version: 3,
  ...more,
});

export const inboundLineOf = (more: Partial<InboundLine> = {}): InboundLine => ({
  sku: "TEE",
  product_id: 1,
  quantity: 2,
  put_away: 0,
  ...more,
});

export const replenishmentOf = (more: Partial<Replenishment> = {}): Replenishment => ({
  account_id: 100,
  replenishment_id: 3001,
  reference: null,
  status: "Pending",
  distribution_center: "MAIN",
  distribution_center_id: 1,
  eta: null,
  items: [inboundLineOf()],
  created_at: createdAt,
  updated_at: createdAt,
  version: 2,
  ...more,
});

export const sampleAlias = (more: Partial<Alias> = {}): Alias => ({
  account_id: 100,
  alias_id: 3001,
  sku: "TEE",
  product_id: 2001,
  alias: "EXT-TEE",
  channel_id: 2,
  distribution_center: "EAST",
  distribution_center_id: 2,
  created_at: createdAt,
  updated_at: createdAt,
  version: 4,
  ...more,
});

/** A hold of a product's units in its center until `check_at`. */
export const holdOf = (check_at: string, more: Partial<Hold> = {}): Hold => ({
  account_id: 100,
  hold_id: newHoldId(check_at),
  sku: "TEE",
  product_id: 1,
  distribution_center: "MAIN",
  quantity: 1,
  reference: null,
  goods: [{ product_id: 1, distribution_center_id: 1, quantity: 1 }],
  created_by: "account:100",
  created_at: createdAt,
  check_at,
  ...more,
});

/** A request as API Gateway hands it over (payload format 2.0). */
export const eventOf = (more: Partial<HttpEvent> = {}): HttpEvent => ({
  version: "2.0",
  routeKey: "POST /x",
  rawPath: "/x",
  rawQueryString: "",
  headers: { "content-type": "application/json" },
  requestContext: {
    accountId: "1",
    apiId: "api",
    domainName: "localhost",
    domainPrefix: "localhost",
    http: { method: "POST", path: "/x", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
    requestId: "request-1",
    routeKey: "POST /x",
    stage: "$default",
    time: "31/Jan/2026:08:00:00 +0000",
    timeEpoch: 0,
  },
  isBase64Encoded: false,
  ...more,
});

/** The problem that `run` raises; anything else it throws is passed on. */
export function problemOf(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("no problem was raised");
}

/** `path message` of each wrong place that a problem names. */
export const linesOf = ({ details }: Problem): readonly string[] =>
  (details.errors ?? []).map(({ path, message }) => `${path} ${message}`);

/** The second argument of a Lambda handler. */
export const context = {
  awsRequestId: "request-1",
  callbackWaitsForEmptyEventLoop: false,
  functionName: "test",
  functionVersion: "1",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:test",
  logGroupName: "/aws/lambda/test",
  logStreamName: "test",
  memoryLimitInMB: "128",
  getRemainingTimeInMillis: () => 29_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

/** The order that a decision leads to. */
export function afterOf(decision: OrderDecision): Order {
  if ("problem" in decision) throw decision.problem;
  return decision.after;
}

/** Why a decision was refused. */
export function rejectionOf(decision: OrderDecision): Problem {
  if ("problem" in decision) return decision.problem;
  throw new Error("the decision was not refused");
}
