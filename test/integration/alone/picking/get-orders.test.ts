import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { nextVersion } from "../../../../shared/common/versioned.ts";
import { changeOrders } from "../../../../shared/orders/change-orders.ts";
import { barcodeOf, type Order } from "../../../../shared/orders/order.ts";
import { workOf } from "../../../../shared/orders/order-status.ts";
import { ordersToPick } from "../../../../shared/picking/claim-orders.ts";
import { claimOrder, pickOrder } from "../../../../shared/picking/picking-flows.ts";
import { binContentLookup } from "../../../../shared/stock/bins/bin-repository.ts";
import type { Layer } from "../../../../shared/stock/bins/goods.ts";
import { storedOrder, storedOrders } from "../../../support/business/stored.ts";
import {
  asItIs,
  byManager,
  newOrders,
  newProduct,
  pendingOrder,
  pickFrom,
  stockedProduct,
} from "../../../support/business/world.ts";
import { tearOrder } from "../../../support/damages/torn-order.ts";
import { atOnce } from "../../../support/http/at-once.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { type MobileClient, signIn } from "../../../support/http/mobile.ts";
import { orderOf, unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const claimantOf = (name: string) => ({ ...byManager(service.db), picker: name });

const service = await ownService();
const picker = await signIn(service);
// The demo's orders are nobody's in these tests.
await ordersToPick(claimantOf("somebody-else"), 50);

/** Orders that the tests placed and that may still wait, or be the picker's. */
const open: { readonly order_id: number; readonly account_id: number }[] = [];

/** Notes that the next test must not find these orders. */
const noteOpen = (orderIds: readonly number[], account_id = service.accountId): void =>
  void open.push(...orderIds.map((order_id) => ({ order_id, account_id })));

/**
 * Begins with a picker who has nothing to pick, and with no order that waits: all of them become somebody
 * else's.
 */
async function begin(): Promise<void> {
  const decide = (before: Order, at: string) => ({
    after: workOf(before) === undefined ? before : nextVersion(before, elsewhere, at),
  });
  for (const [account_id, left] of Map.groupBy(open.splice(0), (order) => order.account_id))
    await changeOrders(
      { ...byManager(service.db), account_id },
      left.map(({ order_id }) => ({ order_id, path: "order_id", decide })),
    );
}

const elsewhere = { status: "Processing", picker: "somebody-else" } as const;

const getOrders = (by: MobileClient, body?: unknown) => by.post("/mobile-v1/pp-getOrders-1", body);

async function idsFor(by: MobileClient, body?: unknown): Promise<readonly number[]> {
  const answer = await getOrders(by, body);
  expect(answer.status).toBe(200);
  return listAt(answer.body, "data").map((order) => numberAt(order, "order_id"));
}

/** New orders of one line each. */
async function place(...lines: readonly { readonly sku: string; readonly quantity: number }[]) {
  const ids = await newOrders(
    service,
    lines.map((line) => [line]),
  );
  noteOpen(ids);
  return ids;
}

const mugs = (count: number) =>
  place(...Array.from({ length: count }, () => ({ sku: "DEMO-MUG", quantity: 1 })));

/** A new order that is the picker's. */
async function claimedOf(sku: string, quantity: number): Promise<number> {
  const [orderId = 0] = await place({ sku, quantity });
  await claimOrder(byManager(service.db), orderId, picker.user_name);
  return orderId;
}

const pickerOf = async (orderId: number) => (await storedOrder(service, orderId)).picker;

/** `A1/01 3` of each bin of a line; with its lot and expiry where it has them. */
async function binsFor(by: MobileClient, ...orderIds: readonly number[]): Promise<unknown> {
  const { body } = await getOrders(by, { limit: orderIds.length });
  const orders = listAt(body, "data");
  expect(orders.map((order) => at(order, "order_id"))).toEqual(orderIds);
  const bins = orders.map(binsOf);
  return bins.length === 1 ? bins[0] : bins;
}

const binsOf = (order: unknown): readonly string[] =>
  listAt(order, "items.0.bins").map((bin) =>
    ["location", "bin", "quantity", "lot", "expires_on"]
      .map((name) => at(bin, name))
      .filter((value) => value !== null)
      .join(" "),
  );

async function setLayers(sku: string, bin: string, layers: readonly Layer[]): Promise<void> {
  const product = await service.oms.get(`/inventory/products/${sku}`);
  const { table, key } = binContentLookup(numberAt(product.body, "data.product_id"), "A1", bin);
  await service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName(table),
      Key: key,
      UpdateExpression: "SET layers = :layers",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":layers": layers },
    }),
  );
}

describe("a picker's orders", () => {
  beforeEach(begin);

  test("are the oldest Pending ones, ten without a limit, which become Processing and the picker's", async () => {
    const placed = await mugs(12);

    const ids = await idsFor(picker);

    expect(ids).toEqual(placed.slice(0, 10));
    expect(await storedOrder(service, placed[9] ?? 0)).toMatchObject({
      status: "Processing",
      picker: picker.user_name,
    });
    expect(await storedOrder(service, placed[10] ?? 0)).toMatchObject({
      status: "Pending",
      picker: null,
    });
  });

  test("leave out an order that can't be read, waiting or the picker's own, and go on to the next", async () => {
    const [own = 0, first = 0, torn = 0, ...others] = await mugs(5);
    await claimOrder(byManager(service.db), own, picker.user_name);
    await tearOrder(service.db, own);
    await tearOrder(service.db, torn);

    expect(await idsFor(picker, { limit: 3 })).toEqual([first, ...others]);
    expect(await pickerOf(others[1] ?? 0)).toBe(picker.user_name);
  });

  test("say what to take, and where", async () => {
    const { sku } = await stockedProduct(service, { "A1/01": 3, "A2/02": 8 });
    const order = orderOf([{ sku, quantity: 9 }]);
    const answer = await service.oms.post("/orders", { data: [order] });
    const orderId = numberAt(answer.body, "data.0.order_id");
    noteOpen([orderId]);

    const { body } = await getOrders(picker, { limit: 1 });

    const product = await service.oms.get(`/inventory/products/${sku}`);
    expect(body).toEqual({
      data: [
        {
          order_id: orderId,
          order_number: order.order_number,
          account_id: 100,
          nbtybarcode: barcodeOf(orderId),
          status: "Processing",
          shipping_method: "GROUND",
          items: [
            {
              sku,
              product_id: numberAt(product.body, "data.product_id"),
              ordered_as: sku,
              quantity: 9,
              picked: 0,
              remaining: 9,
              bins: [
                {
                  location: "A2",
                  bin: "02",
                  bin_id: expect.any(Number),
                  quantity: 8,
                  lot: null,
                  expires_on: null,
                },
                {
                  location: "A1",
                  bin: "01",
                  bin_id: expect.any(Number),
                  quantity: 1,
                  lot: null,
                  expires_on: null,
                },
              ],
            },
          ],
        },
      ],
    });
  });

  test("begin with the open ones that the picker has already, until the limit is reached", async () => {
    const placed = await mugs(5);
    const first = await idsFor(picker, { limit: 2 });

    const again = await idsFor(picker, { limit: 2 });
    const more = await idsFor(picker, { limit: 4 });

    expect(first).toEqual(placed.slice(0, 2));
    expect(again).toEqual(first);
    expect(more).toEqual(placed.slice(0, 4));
    expect(await pickerOf(placed[4] ?? 0)).toBeNull();
  });

  test("are released ones before Pending ones, be these older", async () => {
    const placed = await mugs(3);
    const [, , released = 0] = placed;
    await claimOrder(byManager(service.db), released, null);

    const ids = await idsFor(picker, { limit: 2 });

    expect(ids).toEqual([released, placed[0]]);
    expect(await pickerOf(released)).toBe(picker.user_name);
  });

  test("are not those that are picked completely, nor another picker's, nor cancelled ones", async () => {
    const { sku } = await stockedProduct(service, { "A1/01": 5 });
    const done = await claimedOf(sku, 1);
    const [others = 0, cancelled = 0, waiting = 0] = await mugs(3);
    await pickOrder(
      { ...byManager(service.db), user_name: picker.user_name },
      done,
      [pickFrom(sku, 1, "A1/01")],
      asItIs,
    );
    await claimOrder(byManager(service.db), others, "somebody-else");
    await service.oms.post("/orders/cancel", { order_id: cancelled });

    const ids = await idsFor(picker);

    expect(ids).toEqual([waiting]);
  });

  test("wait for pickers again once they are reverted", async () => {
    const [orderId = 0] = await mugs(1);
    await claimOrder(byManager(service.db), orderId, "somebody-else");
    await service.wms.post("/shipments/revert/pending", { shipments_list: [orderId] });
    await service.runtime.settled();

    expect(await idsFor(picker)).toEqual([orderId]);
  });

  test("come from all accounts, even if the limit is null", async () => {
    const second = { db: service.db, accountId: 101 };
    const { sku } = await newProduct(second);
    const order_id = await pendingOrder(second, [{ sku, quantity: 1 }]);
    noteOpen([order_id], second.accountId);

    const answer = await getOrders(picker, { limit: null });

    expect(at(answer.body, "data.0")).toMatchObject({
      order_id,
      account_id: 101,
      items: [{ remaining: 1, bins: [] }],
    });
  });

  test("are an empty list if no order waits, even without a body", async () => {
    expect(await idsFor(picker)).toEqual([]);
    expect(await idsFor(picker, {})).toEqual([]);
  });

  test("are the same for a call that is sent again with its key", async () => {
    await mugs(2);
    const headers = { "Idempotency-Key": unique("key") };

    const first = await picker.post("/mobile-v1/pp-getOrders-1", { limit: 1 }, headers);
    const again = await picker.post("/mobile-v1/pp-getOrders-1", { limit: 1 }, headers);

    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("the bins to pick from", () => {
  beforeEach(begin);

  test("are in the order of the product's pick style, as it is now", async () => {
    const bins = { "A1/01": 3, "A1/02": 9, "B1/01": 1 };
    const { sku } = await stockedProduct(service, bins, { pick_style: "BIN_ASC" });
    const orderId = await claimedOf(sku, 11);

    const ascending = await binsFor(picker, orderId);
    await service.oms.patch("/inventory/products", { data: [{ sku, pick_style: "SAVE_SPACE" }] });
    const saving = await binsFor(picker, orderId);

    expect(ascending).toEqual(["A1 01 3", "A1 02 8"]);
    expect(saving).toEqual(["B1 01 1", "A1 01 3", "A1 02 7"]);
  });

  test("name the lot and expiry to take, if known", async () => {
    const bins = { "A1/01": 5, "A1/02": 4 };
    const { sku } = await stockedProduct(service, bins, { pick_style: "FEFO" });
    const layer = { received_on: "2026-01-01", quantity: 2 };
    await setLayers(sku, "01", [
      { ...layer, lot: "L1", expires_on: "2026-09-01" },
      { ...layer, lot: "L2", expires_on: "2026-05-01" },
    ]);
    await setLayers(sku, "02", [{ ...layer, lot: "L3", expires_on: "2026-07-01" }]);
    const orderId = await claimedOf(sku, 8);

    expect(await binsFor(picker, orderId)).toEqual([
      "A1 01 2 L2 2026-05-01",
      "A1 02 2 L3 2026-07-01",
      "A1 01 2 L1 2026-09-01",
      "A1 01 1",
      "A1 02 1",
    ]);
  });
});

describe("several pickers at once", () => {
  beforeEach(begin);

  test("claim each order once, in 9 calls, and leave none", async () => {
    const pickers = [picker, await signIn(service), await signIn(service)];
    const placed = await mugs(12);

    const calls = Array.from({ length: 9 }, (_, call) => pickers[call % 3] ?? picker);
    const answers = await atOnce(
      service,
      calls.map((by) => async () => [by.user_name, await idsFor(by, { limit: 4 })] as const),
    );

    const owners = new Map<number, Set<unknown>>();
    for (const [name, ids] of answers) {
      for (const id of Array.isArray(ids) ? ids : []) owners.set(id, (owners.get(id) ?? new Set()).add(name));
    }
    expect([...owners.keys()].toSorted((left, right) => left - right)).toEqual(placed);
    for (const { order_id, picker } of await storedOrders(service, placed))
      expect(owners.get(order_id)).toEqual(new Set([picker]));
  });

  test("never share an order if there are more pickers than orders", async () => {
    const placed = await mugs(2);
    const names = Array.from({ length: 4 }, () => unique("picker"));

    const taken = await Promise.all(names.map(async (name) => await ordersToPick(claimantOf(name), 2)));

    const ids = taken.flat().map(({ order_id }) => order_id);
    expect(ids.toSorted((left, right) => left - right)).toEqual(placed);
  });
});

describe("a claim", () => {
  beforeEach(begin);

  test("whose transaction collides with another's, or whose answer is lost, is the picker's once", async () => {
    const placed = await mugs(2);
    const troubled = troubledDatabase(service);
    troubled.add("conflict", { times: 2 });
    troubled.add("lose-response");
    const name = unique("picker");

    const orders = await ordersToPick({ ...claimantOf(name), db: troubled.db }, 5);

    expect(orders.map(({ order_id }) => order_id)).toEqual(placed);
    expect(orders.map(({ version }) => version)).toEqual([2, 2]);
  });

  test("that fails takes nothing, and leaves the orders to the next call", async () => {
    const placed = await mugs(2);
    const troubled = troubledDatabase(service);
    troubled.add("error", { times: 10 });
    const name = unique("picker");

    await expect(ordersToPick({ ...claimantOf(name), db: troubled.db }, 5)).rejects.toThrow("error");
    expect(await pickerOf(placed[0] ?? 0)).toBeNull();
    const orders = await ordersToPick(claimantOf(name), 5);

    expect(orders.map(({ order_id }) => order_id)).toEqual(placed);
  });
});
