/** Everything that the service stores, made by its own calls: what a release's snapshot is taken of. */
import { randomBytes } from "node:crypto";
import { endpoint as createAliases } from "../../functions/oms/inventory/aliases/create-aliases.ts";
import { endpoint as createProducts } from "../../functions/oms/inventory/products/create-products.ts";
import { endpoint as createSynsets } from "../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as createSerials } from "../../functions/oms/serials/create-serials.ts";
import { endpoint as giveAttributes } from "../../functions/oms/serials/set-serial-attributes.ts";
import type { Runtime } from "../../infra/local/index.ts";
import {
  announceReplenishment,
  announceReturn,
  claimedOrder,
  countStock,
  pendingOrder,
  pickedOrder,
  pickFrom,
  pickItems,
  receiveGoods,
  shippedOrder,
} from "../support/business/world.ts";
import { type Answer, numberAt } from "../support/http/client.ts";
import { failedBefore, login, signIn } from "../support/http/mobile.ts";
import { create } from "../support/records/flows.ts";
import { fullOrderOf, orderOf } from "../support/records/records.ts";
import type { Service } from "../support/runtime/service.ts";
import { runOperator } from "../support/store/operator.ts";

export interface Walked extends Service {
  readonly runtime: Runtime;
}

/** The product that everything happens to. */
const sku = "RELEASE-CRATE";
const lines = (quantity: number) => [{ sku, quantity }];

async function ok(call: Promise<Answer>): Promise<unknown> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`a call of the walk was answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/**
 * Walks through the service, beside the demo data. Nothing is left to be done at its end, but a delivery that
 * waits.
 */
export async function walk(service: Walked): Promise<void> {
  await webhooks(service);
  await catalog(service);
  await orders(service);
  await warehouse(service);
  await people(service);
  await service.runtime.settled();
}

/** A receiver that nobody runs: its deliveries fail and wait. */
async function webhooks({ oms }: Walked): Promise<void> {
  const url = "http://127.0.0.1:9/hooks";
  const body = await ok(oms.post("/webhooks", { data: { url, types: ["order.created"] } }));
  await ok(oms.post(`/webhooks/${numberAt(body, "data.webhook_id")}/rotate`, {}));
}

async function catalog(service: Walked): Promise<void> {
  const { oms } = service;
  const size = { width: 1, length: 2, height: 3, weight: 0.25, cost: 1.5, retail: 3.25 };
  await create(service, createProducts, { sku, description: "A crate", ...size });
  await create(service, createAliases, { sku, alias: "EXT-CRATE", channel_id: 1 });
  await create(service, createSynsets, { synset: "RELEASE-KIT", items: lines(2) });
  await ok(oms.patch("/inventory/products", { data: [{ sku, description: "A larger crate" }] }));
  const product = await ok(oms.get(`/inventory/products/${sku}`));
  const attributes = [{ attribute: "material", value: "wood" }];
  await ok(oms.post(`/attributes/product/${numberAt(product, "data.product_id")}`, { data: attributes }));
  await countStock(service, "DEMO-MUG", 20);
  await countStock(service, sku, { "A1/01": 40, "A1/03": 60 });
  await receiveGoods(service, sku, { quantity: 5, day: "2026-01-05", lot: "L-1", expires_on: "2031-06-30" });
  await announceReplenishment(service, lines(7), { reference: "RELEASE-PO" });
  await create(service, createSerials, { sku, serials: ["S-1", "S-2", "S-3"] });
  const range = { sku, serial_start: "S-1", serial_end: "S-2" };
  await create(service, giveAttributes, { ...range, attributes: [{ attribute: "color", value: "red" }] });
}

async function orders(service: Walked): Promise<void> {
  const { oms } = service;
  await ok(oms.post("/orders", { data: [fullOrderOf(lines(1))] }, { "idempotency-key": "release" }));
  const order = orderOf(lines(2));
  await ok(oms.post("/orders", { data: [order] }));
  // As many changes as leave the order for its history: text that can't be compressed.
  for (let change = 0; change < 20; change += 1) {
    const order_reference = randomBytes(40).toString("hex");
    await ok(oms.put("/orders", { data: [{ ...order, order_reference }] }));
  }
  const cancelled = await pendingOrder(service, lines(1));
  await ok(oms.post("/orders/cancel", { order_id: cancelled }));
  const claimed = await claimedOrder(service, lines(3));
  await pickItems(service, claimed, { ...pickFrom(sku, 1), serials: ["S-1"] });
  const mugs = [{ sku: "DEMO-MUG", quantity: 2 }];
  await pickedOrder(service, mugs);
  const { order_id } = await shippedOrder(service, mugs);
  await announceReturn(service, order_id, [{ sku: "DEMO-MUG", quantity: 1 }]);
  await ok(oms.post("/orders", { data: [orderOf([{ sku: "RELEASE-KIT", quantity: 1 }])] }));
  await ok(oms.post("/inventory/holds", { data: [{ sku, quantity: 1, expires_in: 86_400 }] }));
}

async function warehouse({ wms, accountId, runtime }: Walked): Promise<void> {
  const bins = [{ location: "A2", bin: "02", qty: 6 }];
  await ok(wms.post("/recount", [{ account_id: accountId, skus: [{ sku, bins }] }]));
  await runtime.settled();
}

/** Users who signed in, and one who is about to; an account whose calls are limited. */
async function people(service: Walked): Promise<void> {
  await signIn(service, "manager");
  await login(service, "manager");
  await failedBefore(service, "viewer", 1);
  const { status, stderr } = await runOperator(["accounts", "limit", "101", "50", "100"], service.connect());
  if (status !== 0) throw new Error(stderr);
  await service.with({ AccountID: "101", Key: "demo-oms-key-101" }).get("/apirest/v4/oms/stores");
}
