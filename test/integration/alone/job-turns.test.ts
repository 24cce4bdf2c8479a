import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { barcodeOf } from "../../../shared/domain/orders/order.ts";
import { type Answer, at, numberAt } from "../../support/client.ts";
import { type JobRecord, jobsAbout, jobsOf } from "../../support/job-records.ts";
import { sendMessages, takeMessages } from "../../support/jobs.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { operations } from "../../support/random.ts";
import { recountOf } from "../../support/records.ts";
import { binsHold, storedOrder } from "../../support/stored.ts";
import {
  claimed,
  claimedOrder,
  newProduct,
  picked,
  pickFrom,
  shelf,
  shipped,
  stocked,
} from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());
afterEach(() => service.runtime.faults.clear());

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

  test.each([
    { first: { qty_in_bin: 10 }, second: { qty_in_bin: 25 }, stays: 25, late: "a later count" },
    { first: { qty_in_bin: 10 }, second: { qty: 3 }, stays: 3, late: "a later change" },
    { first: { qty: 3 }, second: { qty_in_bin: 10 }, stays: 10, late: "a later count" },
    { first: { qty: 3 }, second: { qty: 4 }, stays: 7, late: undefined },
  ])("$first and $second of a bin come to $stays", async ({ first, second, stays, late }) => {
    const { sku } = await newProduct(service);
    const [earlier, later] = await overtake("recount", async () => {
      for (const change of [first, second]) {
        await service.wms.post("/recount", recountOf(sku, [{ ...shelf, ...change }]));
      }
    });

    const reason = late === undefined ? null : `superseded by correction ${later?.job_id}, ${late}`;
    expect(earlier).toMatchObject({ status: late === undefined ? "applied" : "failed", reason });
    expect(later).toMatchObject({ status: "applied" });
    expect(await expectBalanced(service, sku)).toMatchObject({ on_hand: stays });
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
  test("that counts goods of which some are picked before it is applied fails, and undoes no pick", async () => {
    const { sku } = await stocked(service, 10);
    const orderId = await claimedOrder(service, [{ sku, quantity: 4 }]);
    await service.runtime.pause();
    const counted = await service.wms.post("/recount", recountOf(sku, [{ ...shelf, qty_in_bin: 10 }]));
    await picked(service, orderId, pickFrom(sku, 4));
    service.runtime.resume();
    await service.runtime.settled();

    expect(await correction(numberAt(counted.body, "result.0.correction_id"))).toMatchObject({
      status: "failed",
      reason: "the bin changed since it was counted: goods were put in or taken out",
    });
    expect(await binsHold(service, sku)).toEqual(["A1/03: 6"]);
    expect(await expectBalanced(service, sku)).toMatchObject({ on_hand: 10, binned: 6, picked: 4 });
  });

  test("that no longer fits when it is applied fails with the reason and changes nothing", async () => {
    const { sku } = await stocked(service, { "A2/02": 5 });
    const place = { location: "A2", bin: "02" };
    await service.runtime.pause();
    const answers = [];
    for (let call = 0; call < 2; call += 1) {
      answers.push(await service.wms.post("/recount", recountOf(sku, [{ ...place, qty: -4 }])));
    }
    service.runtime.resume();
    await service.runtime.settled();

    const ended = await Promise.all(
      answers.map(({ body }) => correction(numberAt(body, "result.0.correction_id"))),
    );
    const failed = ended.filter((job) => at(job, "status") === "failed");
    expect(ended.map((job) => at(job, "status")).sort()).toEqual(["applied", "failed"]);
    expect(at(failed[0], "reason")).toBe("quantity not valid: the bin holds 1, the change is -4");
    expect(await binsHold(service, sku)).toEqual(["A2/02: 1"]);
    await expectBalanced(service, sku);
  });

  test("of +1 many times at once, each message delivered twice, ends at exactly so many more", async () => {
    const { sku } = await newProduct(service);
    const body = recountOf(sku, [{ location: "B1", bin: "02", qty: 1 }]);
    const times = operations(40, 100);
    const fault = service.runtime.faults.add({ effect: "duplicate", operation: "SendMessageBatch", times });
    const answers = await Promise.all(
      Array.from({ length: times }, () => service.wms.post("/recount", body)),
    );
    await service.runtime.settled();

    const ids = answers.map((answer) => numberAt(answer.body, "result.0.correction_id"));
    const ended = (await jobsOf(service.db, "recount")).filter(({ job_id }) => ids.includes(job_id));
    expect(fault.hits).toBe(times);
    expect(new Set(ids).size).toBe(times);
    expect(ended.map(({ status }) => status)).toEqual(Array(times).fill("applied"));
    expect(await binsHold(service, sku)).toEqual([`B1/02: ${times}`]);
    const ledger = await expectBalanced(service, sku);
    expect(ledger).toMatchObject({ on_hand: times });
    expect(ledger.movements).toHaveLength(times);
  });
});

describe("an order that is to be reverted", () => {
  test("that was shipped before its turn ends failed with the reason, and the others go on", async () => {
    const { sku } = await stocked(service, 5);
    const [gone, stays] = [
      await claimedOrder(service, [{ sku, quantity: 1 }]),
      await claimedOrder(service, [{ sku, quantity: 2 }]),
    ];
    await picked(service, gone, pickFrom(sku, 1));
    await picked(service, stays, pickFrom(sku, 2));
    await service.runtime.pause();
    const answer = await revert([gone, stays]);
    await shipped(service, gone);
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

  test("that was reverted and claimed anew before its turn keeps what its new picker took", async () => {
    const { sku } = await stocked(service, 5);
    const id = await claimedOrder(service, [{ sku, quantity: 2 }]);
    await service.runtime.pause();
    await revert([id]);
    await revert([id]);
    const [now = "", later = ""] = await takeMessages(service.runtime, "revert");
    await sendMessages(service.runtime, "revert", [now]);
    service.runtime.resume();
    await service.runtime.settled();
    await claimed(service, id);
    await picked(service, id, pickFrom(sku, 2));
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
