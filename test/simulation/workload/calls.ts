/** The calls that clients make, each of an endpoint's Lambda handler, and what their answers show. */
import * as z from "zod";
import { endpoint as listEvents } from "../../../functions/oms/events/list-events.ts";
import { endpoint as createAliases } from "../../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as patchAliases } from "../../../functions/oms/inventory/aliases/patch-aliases.ts";
import { endpoint as createHolds } from "../../../functions/oms/inventory/holds/create-holds.ts";
import { endpoint as deleteHold } from "../../../functions/oms/inventory/holds/delete-hold.ts";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as getProduct } from "../../../functions/oms/inventory/products/get-product.ts";
import { endpoint as listProducts } from "../../../functions/oms/inventory/products/list-products.ts";
import { endpoint as patchProducts } from "../../../functions/oms/inventory/products/patch-products.ts";
import { endpoint as createReplenishments } from "../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as getReplenishment } from "../../../functions/oms/inventory/replenishments/get-replenishment.ts";
import { endpoint as patchReplenishments } from "../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { endpoint as createReturns } from "../../../functions/oms/inventory/returns/create-returns.ts";
import { endpoint as listStock } from "../../../functions/oms/inventory/stock/list-stock.ts";
import { endpoint as createSynsets } from "../../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as patchSynsets } from "../../../functions/oms/inventory/synsets/patch-synsets.ts";
import { endpoint as cancelOrder } from "../../../functions/oms/orders/cancel-order.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as getOrder } from "../../../functions/oms/orders/get-order.ts";
import { endpoint as listOrders } from "../../../functions/oms/orders/list-orders.ts";
import { endpoint as setSubStatus } from "../../../functions/oms/orders/set-sub-status.ts";
import { endpoint as updateOrders } from "../../../functions/oms/orders/update-orders.ts";
import { endpoint as createWebhook } from "../../../functions/oms/webhooks/create-webhook.ts";
import { endpoint as patchWebhook } from "../../../functions/oms/webhooks/patch-webhook.ts";
import { endpoint as putAway } from "../../../functions/v2/pro/put-away-move.ts";
import { endpoint as recount } from "../../../functions/wms/recount.ts";
import { endpoint as revertShipments } from "../../../functions/wms/revert-shipments.ts";
import { endpoint as updateWeight } from "../../../functions/wms/update-weight.ts";
import type { Authenticator, Callers } from "../../../shared/auth/callers.ts";
import type { BodySchema, Endpoint, RequestSchema } from "../../../shared/http/endpoint.ts";
import { lambdaFor } from "../../../shared/http/lambda.ts";
import type { Area } from "../../../shared/runtime/contract.ts";
import { context, eventOf } from "../../unit/samples.ts";
import type { World } from "../world/world.ts";

/** What a client was answered. */
export interface Answered {
  readonly status: number;
  readonly body: string;
}

export interface Sent {
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
}

type Call = (
  sent: Sent,
  headers: Readonly<Record<string, string>>,
  world: World,
) => Promise<Answered | undefined>;

/** A record as an answer shows it, with the fields whose history is checked. */
export interface Shown {
  /** `order 1003` */
  readonly record: string;
  readonly version: number;
  readonly fields: Fields;
}

export type Fields = Readonly<Record<string, string | null>>;

/** A client's call of an endpoint's Lambda handler. Undefined if the function dies. */
function callOf<A extends Area, I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  caller: Callers[A],
  actor: string,
): Call {
  const known: Authenticator<A> = async () => ({ caller, scope: "write", actor });
  const title = `${endpoint.method} ${endpoint.path.split("/").at(-1) ?? ""}`;
  return async ({ body, query, path }, headers, world) => {
    const event = eventOf({
      routeKey: `${endpoint.method} ${endpoint.path}`,
      headers: { "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
      ...(query && {
        queryStringParameters: query,
        rawQueryString: new URLSearchParams(query).toString(),
      }),
      ...(path && { pathParameters: path }),
    });
    const ending = await world.function(title, async (db) =>
      lambdaFor<A, I, O>(endpoint, known, async () => db)(event, context),
    );
    if (ending.kind !== "returned") return undefined;
    return { status: ending.value.statusCode ?? 200, body: ending.value.body ?? "" };
  };
}

const account = { account_id: 100 };
const user = { user_name: "manager", user_id: 1, activated: true, wms: true, session_generation: 0 };
const asAccount = "account:100";
export const asManager = "user:manager";

const version = z.int();

const order = z
  .object({
    order_id: z.int(),
    version,
    order_number: z.string(),
    order_reference: z.nullable(z.string()),
    sub_status: z.nullable(z.string()),
  })
  .transform(
    ({ order_id, version: shown, order_number: number, order_reference: reference, sub_status }): Shown => ({
      record: `order ${order_id}`,
      version: shown,
      fields: { number, reference, sub_status },
    }),
  );

const product = z.object({ product_id: z.int(), version, description: z.string() }).transform(
  ({ product_id, version: shown, description }): Shown => ({
    record: `product ${product_id}`,
    version: shown,
    fields: { description },
  }),
);

const alias = z
  .object({ alias_id: z.int(), version, sku: z.string(), distribution_center: z.nullable(z.string()) })
  .transform(
    ({ alias_id, version: shown, sku, distribution_center }): Shown => ({
      record: `alias ${alias_id}`,
      version: shown,
      fields: { sku, distribution_center },
    }),
  );

const synset = z
  .object({ synset_id: z.int(), version, items: z.array(z.object({ sku: z.string(), quantity: z.int() })) })
  .transform(
    ({ synset_id, version: shown, items }): Shown => ({
      record: `synset ${synset_id}`,
      version: shown,
      fields: { items: items.map(({ sku, quantity }) => `${quantity} ${sku}`).join() },
    }),
  );

const replenishment = z
  .object({ replenishment_id: z.int(), version, reference: z.nullable(z.string()) })
  .transform(
    ({ replenishment_id, version: shown, reference }): Shown => ({
      record: `replenishment ${replenishment_id}`,
      version: shown,
      fields: { reference },
    }),
  );

const webhook = z.object({ webhook_id: z.int(), version, description: z.nullable(z.string()) }).transform(
  ({ webhook_id, version: shown, description }): Shown => ({
    record: `webhook ${webhook_id}`,
    version: shown,
    fields: { description },
  }),
);

type Shows = z.ZodType<Shown>;

const one = (shown: Shows) => {
  const body = z.object({ data: shown }).transform(({ data }) => [data]);
  return (text: string): readonly Shown[] => body.parse(JSON.parse(text));
};

const many = (shown: Shows) => {
  const body = z.object({ data: z.array(shown) });
  return (text: string): readonly Shown[] => body.parse(JSON.parse(text)).data;
};

/** A call that clients make. */
export interface Operation {
  readonly call: Call;
  /** The records that a success shows as they are. */
  readonly shows?: (body: string) => readonly Shown[];
  /** Whether it only reads, and so takes no `Idempotency-Key`. */
  readonly reads?: true;
  /** Whether only the first call is answered so: a secret is shown once, a hold is gone. */
  readonly answersOnce?: true;
}

export const operations = {
  createOrders: { call: callOf(createOrders, account, asAccount), shows: many(order) },
  tryOrders: { call: callOf(createOrders, account, asAccount), reads: true },
  createHolds: { call: callOf(createHolds, account, asAccount) },
  deleteHold: { call: callOf(deleteHold, account, asAccount), answersOnce: true },
  updateOrders: { call: callOf(updateOrders, account, asAccount), shows: many(order) },
  cancelOrder: { call: callOf(cancelOrder, account, asAccount), shows: one(order) },
  setSubStatus: { call: callOf(setSubStatus, account, asAccount), shows: one(order) },
  getOrder: { call: callOf(getOrder, account, asAccount), shows: one(order), reads: true },
  listOrders: { call: callOf(listOrders, account, asAccount), reads: true },
  listEvents: { call: callOf(listEvents, account, asAccount), reads: true },
  patchProducts: { call: callOf(patchProducts, account, asAccount), shows: many(product) },
  createProducts: { call: callOf(createProducts, account, asAccount) },
  getProduct: { call: callOf(getProduct, account, asAccount), shows: one(product), reads: true },
  listProducts: { call: callOf(listProducts, account, asAccount), reads: true },
  listStock: { call: callOf(listStock, account, asAccount), reads: true },
  createAliases: { call: callOf(createAliases, account, asAccount), shows: many(alias) },
  patchAliases: { call: callOf(patchAliases, account, asAccount), shows: many(alias) },
  createSynsets: { call: callOf(createSynsets, account, asAccount), shows: many(synset) },
  patchSynsets: { call: callOf(patchSynsets, account, asAccount), shows: many(synset) },
  createReplenishments: {
    call: callOf(createReplenishments, account, asAccount),
    shows: many(replenishment),
  },
  patchReplenishments: {
    call: callOf(patchReplenishments, account, asAccount),
    shows: many(replenishment),
  },
  getReplenishment: {
    call: callOf(getReplenishment, account, asAccount),
    shows: one(replenishment),
    reads: true,
  },
  createReturns: { call: callOf(createReturns, account, asAccount) },
  putAway: { call: callOf(putAway, account, asAccount) },
  createWebhook: {
    call: callOf(createWebhook, account, asAccount),
    shows: one(webhook),
    answersOnce: true,
  },
  patchWebhook: { call: callOf(patchWebhook, account, asAccount), shows: one(webhook) },
  recount: { call: callOf(recount, { user }, asManager) },
  revertShipments: { call: callOf(revertShipments, { user }, asManager) },
  updateWeight: { call: callOf(updateWeight, { user }, asManager) },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;
export const operationOf = (name: OperationName): Operation => operations[name];
