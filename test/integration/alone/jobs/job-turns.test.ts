import { describe, expect, test } from "vitest";
import { rebuildList } from "../../../../infra/operator/list-repair/rebuild.ts";
import { writeMessage } from "../../../../shared/jobs/message.ts";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { binContents } from "../../../../shared/stock/bins/bin-repository.ts";
import { acceptRecount } from "../../../../shared/stock/recount/accept-recount.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { expectBalanceAndMovements, expectEachBalanced } from "../../../support/business/ledger.ts";
import { binsHold, storedOrder } from "../../../support/business/stored.ts";
import {
  byManager,
  claim,
  claimedOrder,
  countEach,
  newProducts,
  pickFrom,
  pickItems,
  productsAhead,
  shelf,
  shipOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { type Answer, at, numberAt } from "../../../support/http/client.ts";
import { oneByOne } from "../../../support/http/one-by-one.ts";
import { operations } from "../../../support/http/random.ts";
import { recountOf } from "../../../support/records/records.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { type JobRecord, jobsAbout, jobsOf } from "../../../support/store/job-records.ts";
import { sendMessages, takeMessages } from "../../../support/store/jobs.ts";

const service = await ownService();
const nextProduct = await productsAhead(service, 8);
const five = await newProducts(service, 4);
const counts = five.map(({ sku }) => ({ sku, contents: 5 }));
await countEach(service, counts);
/** Each with 5 units on the `shelf`. */
const nextStocked = oneByOne(five);

const correction = async (id: number) => at((await service.wms.get(`/recount/${id}`)).body, "data");

const revert = (shipments_list: readonly number[]): Promise<Answer> =>
  service.wms.post("/shipments/revert/pending", { shipments_list });

const revertsOf = (orderId: number) => jobsAbout(service.db, "revert", orderId);

describe("of two messages that overtake each other", () => {
  /** Has two calls accepted, and delivers the message of the later one first, all of it, then the other. */
  async function overtake(kind: string, ask: () => Promise<void>): Promise<readonly JobRecord[]> {
    await service.runtime.pause();
    await ask();
    const [earlier = "", later = ""] = await takeMessages(service.runtime, kind);
    service.runtime.resume();
    for (const message of [later, earlier]) {
      await sendMessages(service.runtime, kind, [message]);
      await service.runtime.settled();
    }
    return (await jobsOf(service.db, kind)).slice(-2);
  }

  /** Products that were counted, and what was told of them last. */
  const left: { readonly sku: string; readonly on_hand: number | undefined }[] = [];

  test.each([
    { first: { qty_in_bin: 10 }, second: { qty_in_bin: 25 }, told: [10, 25] },
    { first: { qty_in_bin: 10 }, second: { qty: 3 }, told: [10, 13] },
    { first: { qty: 3 }, second: { qty_in_bin: 10 }, told: [3, 10] },
    { first: { qty: 3 }, second: { qty: 4 }, told: [3, 7] },
    // The second one takes what the first brings.
    { first: { qty: 10 }, second: { qty: -4 }, told: [10, 6] },
    { first: { qty_in_bin: 40 }, second: { qty_in_bin: 3 }, told: [40, 3] },
  ])(
    "$first and $second of a bin, both applied, come to what was told: $told",
    async ({ first, second, told }) => {
      const { sku } = nextProduct();
      const answers: unknown[] = [];
      const [earlier, later] = await overtake("recount", async () => {
        for (const change of [first, second]) {
          const { body } = await service.wms.post("/recount", recountOf(sku, [{ ...shelf, ...change }]));
          answers.push(at(body, "result.0.new_quantity"));
        }
      });

      expect(answers).toEqual(told);
      for (const job of [earlier, later]) expect(job).toMatchObject({ status: "applied", reason: null });
      expect(await binsHold(service, sku)).toEqual([`A1/03: ${told[1]}`]);
      left.push({ sku, on_hand: told[1] });
    },
  );

  test("all counted goods are on hand then, and the books of their products agree", async () => {
    const balances = await expectEachBalanced(
      service,
      left.map(({ sku }) => sku),
    );

    expect(balances.map(({ on_hand }) => on_hand)).toEqual(left.map(({ on_hand }) => on_hand));
  });

  test("the later weight stays, and the earlier one is superseded", async () => {
    const id = await claimedOrder(service, undefined);
    const [earlier, later] = await overtake("weight", async () => {
      for (const weight of [5, 6]) {
        const data = [{ nbtybarcode: barcodeOf(id), weight }];
        expect((await service.wms.post("/orders/UpdateWeight", { data })).status).toBe(200);
      }
    });

    expect(earlier).toMatchObject({
      status: "failed",
      reason: `superseded by weight ${later?.job_id}, a later one`,
    });
    expect(later).toMatchObject({ status: "applied" });
    expect((await storedOrder(service, id)).weight).toBe(6);
    expect(at(await service.oms.get(`/orders/${id}`), "body.data.weight")).toBe(6);
  });
});

describe("a recount", () => {
  test("that counts goods of which some are picked before it is applied corrects what was there, and undoes no pick", async () => {
    const { sku } = await stockedProduct(service, 10);
    const orderId = await claimedOrder(service, [{ sku, quantity: 4 }]);
    await service.runtime.pause();
    const counted = await service.wms.post("/recount", recountOf(sku, [{ ...shelf, qty_in_bin: 12 }]));
    await pickItems(service, orderId, pickFrom(sku, 4));
    service.runtime.resume();
    await service.runtime.settled();

    expect(await correction(numberAt(counted.body, "result.0.correction_id"))).toMatchObject({
      status: "applied",
      new_quantity: 12,
    });
    expect(await binsHold(service, sku)).toEqual(["A1/03: 8"]);
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 12, binned: 8, picked: 4 }]);
  });

  test("that would leave less than zero after those before it is rejected at once, although none is applied yet", async () => {
    const { sku } = await stockedProduct(service, { "A2/02": 5 });
    const take = recountOf(sku, [{ location: "A2", bin: "02", qty: -4 }]);
    await service.runtime.pause();
    const [first, second] = [
      await service.wms.post("/recount", take),
      await service.wms.post("/recount", take),
    ];
    service.runtime.resume();
    await service.runtime.settled();

    expect([first.status, second.status]).toEqual([200, 400]);
    expect(at(second.body, "result.0.message")).toBe(
      "quantity not valid: the bin will hold 1, so a change by -4 would leave it below zero",
    );
    expect(await binsHold(service, sku)).toEqual(["A2/02: 1"]);
    await expectEachBalanced(service, [sku]);
  });

  test("of goods that left the bin meanwhile fails with the reason, changes nothing, and is given back", async () => {
    const { sku } = nextStocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 3 }]);
    await service.runtime.pause();
    const counted = await service.wms.post("/recount", recountOf(sku, [{ ...shelf, qty: -4 }]));
    await pickItems(service, orderId, pickFrom(sku, 3));
    service.runtime.resume();
    await service.runtime.settled();
    const next = await service.wms.post("/recount", recountOf(sku, [{ ...shelf, qty: -2 }]));
    await service.runtime.settled();

    expect(await correction(numberAt(counted.body, "result.0.correction_id"))).toMatchObject({
      status: "failed",
      reason:
        "quantity not valid: goods left the bin meanwhile; it holds 2, so a change by -4 would leave it below zero",
    });
    expect(at(next.body, "result.0.new_quantity")).toBe(0);
    expect(await binsHold(service, sku)).toEqual(["A1/03: 0"]);
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 3, binned: 0, picked: 3 }]);
  });

  test("of a bin that never held the product shows it there once it is applied, and not before", async () => {
    const { sku, product_id } = nextProduct();
    const shown = async () => (await service.wms.get(`/inventory/products/${product_id}/bin`)).body;
    await service.runtime.pause();
    await service.wms.post("/recount", recountOf(sku, [{ ...shelf, qty: 2 }]));
    const before = await shown();
    const rebuilt = await rebuildList(service.db, binContents, () => undefined, { settleMs: 0 });
    service.runtime.resume();
    await service.runtime.settled();

    expect(before).toEqual({ bin_list: [] });
    expect(rebuilt).toMatchObject({ moved: 0, corrected: 0 });
    expect(await shown()).toMatchObject({ bin_list: [{ Location: "A1", Bin: "03", Quantity: 2 }] });
    const listed = await service.v2.post("/pro-v1/inventory-list-1", { sku, per_page: 1 });
    expect(at(listed.body, "metadata.total_records")).toBe(1);
  });

  test("of +1 many times at once, each message delivered twice, ends at exactly so many more", async () => {
    const { sku } = nextProduct();
    const body = recountOf(sku, [{ location: "B1", bin: "02", qty: 1 }]);
    const times = operations(12, 100);
    const fault = service.runtime.faults.add({ effect: "duplicate", operation: "SendMessageBatch", times });
    const answers = await timesAtOnce(service, times, () => service.wms.post("/recount", body));
    await service.runtime.settled();

    const ids = answers.map((answer) => numberAt(answer.body, "result.0.correction_id"));
    const ended = (await jobsOf(service.db, "recount")).filter(({ job_id }) => ids.includes(job_id));
    expect(fault.hits).toBe(times);
    expect(new Set(ids).size).toBe(times);
    expect(ended.map(({ status }) => status)).toEqual(Array(times).fill("applied"));
    expect(await binsHold(service, sku)).toEqual([`B1/02: ${times}`]);
    const ledger = await expectBalanceAndMovements(service, sku);
    expect(ledger).toMatchObject({ on_hand: times });
    expect(ledger.movements).toHaveLength(times);
  });
});

describe("an order that is to be reverted", () => {
  test("that was shipped before its turn ends failed with the reason, and the others go on", async () => {
    const { sku } = nextStocked();
    const [gone, stays] = [
      await claimedOrder(service, [{ sku, quantity: 1 }]),
      await claimedOrder(service, [{ sku, quantity: 2 }]),
    ];
    await pickItems(service, gone, pickFrom(sku, 1));
    await pickItems(service, stays, pickFrom(sku, 2));
    await service.runtime.pause();
    const answer = await revert([gone, stays]);
    await shipOrder(service, gone);
    service.runtime.resume();
    await service.runtime.settled();

    expect(answer.status).toBe(200);
    expect(await revertsOf(gone)).toMatchObject([
      {
        status: "failed",
        reason: `Order ${gone} is Shipped; only a Processing order can be reverted to Pending`,
      },
    ]);
    expect(await revertsOf(stays)).toMatchObject([{ status: "applied" }]);
    expect(await storedOrder(service, gone)).toMatchObject({ status: "Shipped", picker: "manager" });
    expect(await binsHold(service, sku)).toEqual(["A1/03: 4"]);
  });

  test("that was reverted and claimed again before its turn keeps what its new picker took", async () => {
    const { sku } = nextStocked();
    const id = await claimedOrder(service, [{ sku, quantity: 2 }]);
    await service.runtime.pause();
    await revert([id]);
    await revert([id]);
    const [now = "", later = ""] = await takeMessages(service.runtime, "revert");
    await sendMessages(service.runtime, "revert", [now]);
    service.runtime.resume();
    await service.runtime.settled();
    await claim(service, id);
    await pickItems(service, id, pickFrom(sku, 2));
    await sendMessages(service.runtime, "revert", [later]);
    await service.runtime.settled();

    const [first, second] = await revertsOf(id);
    expect(first).toMatchObject({ status: "applied" });
    expect(second).toMatchObject({
      status: "failed",
      reason: `Order ${id} left Processing meanwhile: revert ${first?.job_id} was applied`,
    });
    expect(await storedOrder(service, id)).toMatchObject({ status: "Processing", picker: "manager" });
    expect(await binsHold(service, sku)).toEqual(["A1/03: 3"]);
  });
});

test("a correction whose bin is locked by a saga that was left behind is applied, once it has finished the saga", async () => {
  const { sku } = nextStocked();
  const recount = (db: Database, changes: number) =>
    acceptRecount(
      byManager(db),
      Array.from({ length: changes }, () => ({
        ...{ ...shelf, account_id: service.accountId, sku, comment: "counted" },
        change: { kind: "relative" as const, quantity: 1 },
      })),
      (jobs) => jobs,
    );
  const [job] = await recount(service.db, 1);
  const dying = troubledDatabase(service, { after: () => Promise.reject(new Error("died")) });
  await expect(recount(dying.db, 100)).rejects.toThrow("died");

  await sendMessages(
    service.runtime,
    "recount",
    job !== undefined && "job_id" in job ? [writeMessage(job)] : [],
  );
  await service.runtime.settled();

  expect(await binsHold(service, sku)).toEqual(["A1/03: 6"]);
});
