import { expect, test } from "vitest";
import type { FaultRule } from "../../../../infra/local/index.ts";
import { ordersToPick } from "../../../../shared/picking/claim-orders.ts";
import { Busy, withBudget } from "../../../../shared/store/dynamodb/retry.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import { goodsOf } from "../../../support/business/stockpile.ts";
import { byManager, claim, pendingOrder } from "../../../support/business/world.ts";
import { type Answer, at, numberAt } from "../../../support/http/client.ts";
import { aliasOf, orderOf, productOf, synsetOf, unique } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();

/** A call, and the trouble that its function meets without end. */
interface Case {
  readonly trouble: FaultRule;
  readonly send: (headers: Record<string, string>) => Promise<Answer>;
  /** How many records there are; a call that succeeds adds one. Undefined for a call that reads. */
  readonly total?: () => Promise<number>;
}

const totalOf = (path: string) => async () =>
  numberAt((await service.oms.get(`${path}?per_page=1`)).body, "metadata.total_records");

const creating = (path: string, record: object, trouble: FaultRule): Case => ({
  trouble,
  send: (headers) => service.oms.post(path, { data: [record] }, headers),
  total: totalOf(path),
});

/** All at once, since each waits for seconds. */
const casesOf = (sku: string): readonly Case[] => [
  creating("/orders", orderOf([{ sku, quantity: 2 }]), {
    effect: "conflict",
    operation: "TransactWriteItems",
    function: "oms/orders/create-orders",
  }),
  creating("/inventory/products", productOf(), {
    effect: "throttle",
    operation: "TransactWriteItems",
    function: "oms/inventory/products/create-products",
  }),
  creating("/inventory/aliases", aliasOf({ sku }), {
    effect: "throttle",
    operation: "BatchGetItem",
    function: "oms/inventory/aliases/create-aliases",
  }),
  creating("/inventory/synsets", synsetOf([{ sku, quantity: 2 }]), {
    effect: "throttle",
    operation: "UpdateItem",
    table: "TABLE_TALLIES",
    function: "oms/inventory/synsets/create-synsets",
  }),
  {
    trouble: { effect: "throttle", operation: "Query", function: "oms/inventory/stock/list-movements" },
    send: (headers) => service.oms.get(`/inventory/stock/${sku}/movements`, headers),
  },
];

test("a call whose conflicts or throttling do not end is 429 and stores nothing, and its key can be used at once", async () => {
  const { sku } = await goodsOf(service, 5);
  const cases = casesOf(sku).map((one) => ({ ...one, key: { "Idempotency-Key": unique("busy") } }));
  const totals = () => Promise.all(cases.map(({ total }) => total?.()));
  const before = await totals();
  const faults = cases.map(({ trouble }) => service.runtime.faults.add({ ...trouble, times: 1000 }));

  const refused = await Promise.all(cases.map(({ send, key }) => send(key)));
  const meanwhile = await totals();
  service.runtime.faults.clear();
  const retried = await Promise.all(cases.map(({ send, key }) => send(key)));

  expect(refused.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
    cases.map(() => [429, "1"]),
  );
  expect(new Set(refused.map(({ body }) => at(body, "response.message")))).toEqual(
    new Set(["The service is too busy for this call just now; send it again"]),
  );
  for (const { hits } of faults) expect(hits).toBeGreaterThan(4);
  expect(meanwhile).toEqual(before);
  expect(retried.map(({ status, headers }) => [status, headers.get("idempotent-replayed")])).toEqual(
    cases.map(() => [200, null]),
  );
  expect(await totals()).toEqual(before.map((count) => (count === undefined ? undefined : count + 1)));
  expect((await expectBalanceAndMovements(service, sku)).reserved).toBe(2);
});

test("throttling that ends is waited for, longer than the client of the database does by itself", async () => {
  const order = orderOf();
  const fault = service.runtime.faults.add({
    effect: "throttle",
    operation: "TransactWriteItems",
    function: "oms/orders/create-orders",
    times: 6,
  });

  const created = await service.oms.post("/orders", { data: [order] });

  expect([created.status, fault.hits]).toEqual([200, 6]);
});

test("a picker who has orders gets those if the service is too busy to claim more", async () => {
  const { db, add } = troubledDatabase(service);
  const [own] = [await pendingOrder(service, undefined), await pendingOrder(service, undefined)];
  await claim(service, own);
  add("conflict", { times: 1000 });
  const ordersOf = (picker: string) => withBudget(() => ordersToPick({ ...byManager(db), picker }, 50), 100);

  const orders = await ordersOf("manager");
  const none = ordersOf(unique("picker"));

  expect(orders.map(({ order_id }) => order_id)).toContain(own);
  await expect(none).rejects.toThrow(Busy);
});
