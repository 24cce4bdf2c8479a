import { afterAll, beforeAll, expect, test } from "vitest";
import { at, numberAt } from "../../support/client.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf } from "../../support/records.ts";

/** What a transaction takes in DynamoDB, within which others on the same items conflict with it. */
const transactionMilliseconds = 12;

let service: OwnService;
beforeAll(async () => {
  service = await startService({ instancesPerFunction: 20 });
  service.runtime.raiseConflicts(true);
  service.runtime.addLatency(transactionMilliseconds);
});
afterAll(() => service.runtime.stop());

const total = async () =>
  numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records");

test("200 orders created by 20 concurrent clients are all stored, ids unique, totals and reservations exact", async () => {
  const before = await total();
  const reservedBefore = (await expectBalanced(service, "DEMO-TEE")).reserved;
  const ids: number[] = [];
  const client = async () => {
    for (let call = 0; call < 10; call += 1) {
      const answer = await service.oms.post("/orders", {
        data: [orderOf([{ sku: "DEMO-TEE", quantity: 2 }])],
      });
      ids.push(numberAt(answer.body, "data.0.order_id"));
    }
  };
  const mark = service.runtime.mark();
  await Promise.all(Array.from({ length: 20 }, client));
  const transactions = service.runtime
    .calls(mark)
    .filter(({ operation }) => operation === "TransactWriteItems");
  const conflicts = transactions.filter(({ error }) => error !== undefined).length;
  process.stdout.write(`${conflicts} conflicts for ${ids.length} orders of one product\n`);

  expect(conflicts).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(200);
  expect(await total()).toBe(before + 200);
  expect((await expectBalanced(service, "DEMO-TEE")).reserved).toBe(reservedBefore + 400);
});

test("orders cancelled by two clients at once release their stock once", async () => {
  const before = (await expectBalanced(service, "DEMO-CAP")).reserved;
  const data = Array.from({ length: 10 }, () => orderOf([{ sku: "DEMO-CAP", quantity: 3 }]));
  const created = await service.oms.post("/orders", { data });
  const order_ids = data.map((_, position) => numberAt(created.body, `data.${position}.order_id`));
  const answers = await Promise.all(
    [1, 2, 3].map(() => service.oms.post("/orders/cancel-bulk", { order_ids })),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(at(answers[2]?.body, "data.9.status")).toBe("Cancelled");
  expect((await expectBalanced(service, "DEMO-CAP")).reserved).toBe(before);
});

test("a hundred orders of one call are stored in few transactions, in the order of the call", async () => {
  const data = Array.from({ length: 100 }, () => orderOf([{ sku: "DEMO-TEE", quantity: 1 }]));
  const mark = service.runtime.mark();
  const created = await service.oms.post("/orders", { data });
  const summary = service.runtime.summary(mark);

  const numbers = data.map((_, position) => at(created.body, `data.${position}.order_number`));
  expect(numbers).toEqual(data.map(({ order_number }) => order_number));
  expect(summary.longestChain).toBeLessThanOrEqual(12);
  await expectBalanced(service, "DEMO-TEE");
});
