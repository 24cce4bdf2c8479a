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
import { withBody } from "../../../shared/http/define-endpoint.ts";
import type { BodySchema, Endpoint, RequestSchema } from "../../../shared/http/endpoint.ts";
import { lambdaFor } from "../../../shared/http/lambda-for.ts";
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
      lambdaFor<A, I, O>(endpoint, known, withBody, async () => db)(event, context),
    );
    if (ending.kind !== "returned") return undefined;
    return { status: ending.value.statusCode ?? 200, body: ending.value.body ?? "" };
  };
}

const user = { user_name: "manager", user_id: 1, activated: true, wms: true, session_generation: 0 };
export const asManager = "user:manager";

const versioned = z.looseObject({ version: z.int() });

/** A record of a kind as answers show it: its id, its version, and the fields whose history is checked. */
const shownAs = (kind: string, fields: z.ZodType<Fields>) =>
  versioned.transform(
    ({ version, ...record }): Shown => ({
      record: `${kind} ${record[`${kind}_id`]}`,
      version,
      fields: fields.parse(record),
    }),
  );

const text = z.nullable(z.string());
const order = shownAs("order", z.object({ order_number: text, order_reference: text, sub_status: text }));
const product = shownAs("product", z.object({ description: text }));
const alias = shownAs("alias", z.object({ sku: text, distribution_center: text }));
const components = z.array(z.object({ sku: z.string(), quantity: z.int() }));
const synset = shownAs(
  "synset",
  z.object({
    items: components.transform((items) => items.map(({ sku, quantity }) => `${quantity} ${sku}`).join()),
  }),
);
const replenishment = shownAs("replenishment", z.object({ reference: text }));
const webhook = shownAs("webhook", z.object({ description: text }));

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

const byAccount = <A extends "oms" | "v2", I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<A, I, O>,
  more: Omit<Operation, "call"> = {},
): Operation => ({ call: callOf(endpoint, { account_id: 100 }, "account:100"), ...more });

const byManager = <I extends RequestSchema, O extends BodySchema>(
  endpoint: Endpoint<"wms", I, O>,
): Operation => ({
  call: callOf(endpoint, { user }, asManager),
});

export const operations = {
  createOrders: byAccount(createOrders, { shows: many(order) }),
  tryOrders: byAccount(createOrders, { reads: true }),
  createHolds: byAccount(createHolds),
  deleteHold: byAccount(deleteHold, { answersOnce: true }),
  updateOrders: byAccount(updateOrders, { shows: many(order) }),
  cancelOrder: byAccount(cancelOrder, { shows: one(order) }),
  setSubStatus: byAccount(setSubStatus, { shows: one(order) }),
  getOrder: byAccount(getOrder, { shows: one(order), reads: true }),
  listOrders: byAccount(listOrders, { reads: true }),
  listEvents: byAccount(listEvents, { reads: true }),
  patchProducts: byAccount(patchProducts, { shows: many(product) }),
  createProducts: byAccount(createProducts),
  getProduct: byAccount(getProduct, { shows: one(product), reads: true }),
  listProducts: byAccount(listProducts, { reads: true }),
  listStock: byAccount(listStock, { reads: true }),
  createAliases: byAccount(createAliases, { shows: many(alias) }),
  patchAliases: byAccount(patchAliases, { shows: many(alias) }),
  createSynsets: byAccount(createSynsets, { shows: many(synset) }),
  patchSynsets: byAccount(patchSynsets, { shows: many(synset) }),
  createReplenishments: byAccount(createReplenishments, { shows: many(replenishment) }),
  patchReplenishments: byAccount(patchReplenishments, { shows: many(replenishment) }),
  getReplenishment: byAccount(getReplenishment, { shows: one(replenishment), reads: true }),
  createReturns: byAccount(createReturns),
  putAway: byAccount(putAway),
  createWebhook: byAccount(createWebhook, { shows: one(webhook), answersOnce: true }),
  patchWebhook: byAccount(patchWebhook, { shows: one(webhook) }),
  recount: byManager(recount),
  revertShipments: byManager(revertShipments),
  updateWeight: byManager(updateWeight),
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;
export const operationOf = (name: OperationName): Operation => operations[name];
