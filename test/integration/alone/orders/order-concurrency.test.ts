import { describe, expect, test } from "vitest";
import { expectEachBalanced } from "../../../support/business/ledger.ts";
import { type Lines, newProducts, pendingOrder } from "../../../support/business/world.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { type Answer, listAt, numberAt, patient } from "../../../support/http/client.ts";
import { operations } from "../../../support/http/random.ts";
import { orderOf, synsetOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

/** What a transaction takes in DynamoDB, within which others on the same items conflict with it. */
const transactionMilliseconds = 12;

const clients = operations(4, 20);

const started = await ownService({ instancesPerFunction: clients });
const service = { ...started, oms: patient(started.oms) };
service.runtime.raiseConflicts(true);
service.runtime.addLatency(transactionMilliseconds);

const total = async () =>
  numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records");

/** What is reserved of each product, after the ledger of each was found to add up. */
const reserved = async (skus: readonly string[]) =>
  (await expectEachBalanced(service, skus)).map(({ reserved }) => reserved);

/** How many orders each client creates, one after another. */
const each = operations(4, 10);

test(`${clients * each} orders created by ${clients} concurrent clients are all stored, ids unique, totals and reservations exact`, async () => {
  const before = await total();
  const [reservedBefore = 0] = await reserved(["DEMO-TEE"]);
  const ids: number[] = [];
  const create = async () => {
    const answer = await service.oms.post("/orders", {
      data: [orderOf([{ sku: "DEMO-TEE", quantity: 2 }])],
    });
    ids.push(numberAt(answer.body, "data.0.order_id"));
  };
  const mark = service.runtime.mark();
  // The clients wait for each other after each call, so that they meet again in the next one.
  for (let call = 0; call < each; call += 1) await timesAtOnce(service, clients, create);
  const transactions = service.runtime
    .calls(mark)
    .filter(({ operation }) => operation === "TransactWriteItems");
  const conflicts = transactions.filter(({ error }) => error !== undefined).length;
  process.stdout.write(`${conflicts} conflicts for ${ids.length} orders of one product\n`);

  expect(conflicts).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(clients * each);
  expect(await total()).toBe(before + clients * each);
  expect(await reserved(["DEMO-TEE"])).toEqual([reservedBefore + 2 * clients * each]);
});

/** A new kit of so many products of its own, one of each. */
async function newKitOf(count: number): Promise<{ readonly kit: string; readonly skus: readonly string[] }> {
  const skus = (await newProducts(service, count)).map(({ sku }) => sku);
  const sent = synsetOf(skus.map((sku) => ({ sku, quantity: 1 })));
  expect((await service.oms.post("/inventory/synsets", { data: [sent] })).status).toBe(200);
  return { kit: sent.synset, skus };
}

describe("a kit of 5 components ordered twenty times", () => {
  // A movement for each line would make 100, beside a count for each component: more than the hundred of a
  // transaction.
  const [components, times] = [5, 20];
  const inLines = (kit: string, count: number) =>
    Array.from({ length: count }, () => ({ sku: kit, quantity: 1 }));
  const transactionsSince = (mark: number) =>
    service.runtime.calls(mark).filter(({ operation }) => operation === "TransactWriteItems").length;

  test.each<[string, (kit: string) => NonNullable<Lines>]>([
    ["in one line", (kit) => [{ sku: kit, quantity: times }]],
    ["in twenty lines", (kit) => inLines(kit, times)],
  ])("%s is stored in one transaction", async (_case, linesOf) => {
    const { kit, skus } = await newKitOf(components);
    const lines = linesOf(kit);
    const mark = service.runtime.mark();

    const answer = await service.oms.post("/orders", { data: [orderOf(lines)] });

    expect(answer.status).toBe(200);
    expect(transactionsSince(mark)).toBe(1);
    expect(listAt(answer.body, "data.0.items")).toHaveLength(components * lines.length);
    expect(await reserved(skus)).toEqual(skus.map(() => times));
  });

  test("is replaced and cancelled in one transaction each", async () => {
    const { kit, skus } = await newKitOf(components);
    const order_id = await pendingOrder(service, inLines(kit, times));
    const transactionsOf = async (call: () => Promise<Answer>) => {
      const mark = service.runtime.mark();
      expect((await call()).status).toBe(200);
      return transactionsSince(mark);
    };
    const data = [{ ...orderOf(inLines(kit, times - 1)), order_id, order_number: undefined }];

    const counts = [
      await transactionsOf(() => service.oms.put("/orders", { data })),
      await transactionsOf(() => service.oms.post("/orders/cancel", { order_id })),
    ];

    expect(counts).toEqual([1, 1]);
    expect(await reserved(skus)).toEqual(skus.map(() => 0));
  });
});

test("a hundred orders of a kit take at most twelve round trips, one after another", async () => {
  const { kit, skus } = await newKitOf(3);
  const data = Array.from({ length: 100 }, () => orderOf([{ sku: kit, quantity: 2 }]));
  const mark = service.runtime.mark();

  const answer = await service.oms.post("/orders", { data });

  const { criticalPath } = service.runtime.summary(mark);
  expect(answer.status).toBe(200);
  expect(criticalPath).toBeLessThanOrEqual(12);
  expect(await reserved(skus)).toEqual([200, 200, 200]);
});

test("a hundred orders of as many products are stored side by side", async () => {
  const products = await newProducts(service, 100);
  const data = products.map(({ sku }) => orderOf([{ sku, quantity: 1 }]));
  const mark = service.runtime.mark();

  const answer = await service.oms.post("/orders", { data });

  const { criticalPath } = service.runtime.summary(mark);
  expect(answer.status).toBe(200);
  // A block of ids may have to be leased, which takes three.
  expect(criticalPath).toBeLessThanOrEqual(7);
});
