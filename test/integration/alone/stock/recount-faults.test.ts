import { describe, expect, test } from "vitest";
import { readMessage } from "../../../../shared/jobs/message.ts";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { expectEachBalanced } from "../../../support/business/ledger.ts";
import { binsHold } from "../../../support/business/stored.ts";
import { binNamed, claimedOrder, productsAhead, shelf } from "../../../support/business/world.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { type Answer, at, listAt, numberAt } from "../../../support/http/client.ts";
import { recountOf, unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { jobsOf } from "../../../support/store/job-records.ts";
import { takeMessages } from "../../../support/store/jobs.ts";
import { expireKeyLocks } from "../../../support/store/key-locks.ts";

const places = ["A1/01", "A1/02", "A1/03", "A2/01", "A2/02", "A2/03", "B1/01", "B1/02", "B1/03"];

/** A transaction holds a hundred writes, and each bin takes two: one for the bin, and one for its job. */
const count = 52;

/** Products that have so many bins together. */
const productsOfWide = Math.ceil(count / places.length);

const service = await ownService();
const nextProduct = await productsAhead(service, 1 + 4 * productsOfWide);

/** Those that count bins. Another one may lease ids for jobs in between. */
const transactions = { operation: "TransactWriteItems", table: "TABLE_INVENTORY" } as const;

describe("a recount of many bins, which no transaction holds", () => {
  /** So many entries, each about another bin of a product; those of a product are not side by side. */
  function wide() {
    const skus = Array.from({ length: productsOfWide }, () => nextProduct().sku);
    const entries = places
      .flatMap((bin) => skus.map((sku) => ({ sku, bin })))
      .slice(0, count)
      .map((entry, position) => ({ ...entry, quantity: position + 1 }));
    const records = entries.map(({ sku, bin, quantity }) => ({
      sku,
      bins: [{ ...binNamed(bin), qty_in_bin: quantity }],
    }));
    return { skus, entries, body: [{ account_id: 100, skus: records }] };
  }

  /** Asserts that bins hold what these entries counted, and nothing else. */
  async function expectHeld(
    skus: readonly string[],
    entries: ReturnType<typeof wide>["entries"],
  ): Promise<void> {
    for (const sku of skus) {
      const own = entries.filter((entry) => entry.sku === sku);
      expect(await binsHold(service, sku)).toEqual(own.map(({ bin, quantity }) => `${bin}: ${quantity}`));
    }
    await expectEachBalanced(service, skus);
  }

  test("is accepted whole, with ids that rise in the order of the entries", async () => {
    const { skus, entries, body } = wide();
    const answer = await service.wms.post("/recount", body);
    await service.runtime.settled();

    expect(answer.status).toBe(200);
    const result = listAt(answer.body, "result");
    const ids = result.map((entry) => numberAt(entry, "correction_id"));
    expect(ids).toEqual(entries.map((_, position) => (ids[0] ?? 0) + position));
    expect(result.map((entry) => at(entry, "new_quantity"))).toEqual(entries.map(({ quantity }) => quantity));
    await expectHeld(skus, entries);
  });

  test("beside another one for the same bins is accepted whole, each entry on what the bin will hold by then", async () => {
    const { skus, entries } = wide();
    const changes = entries.map(({ sku, bin, quantity }) => ({
      sku,
      bins: [{ ...binNamed(bin), qty: quantity }],
    }));
    const body = [{ account_id: 100, skus: changes }];
    // What bins will hold is the same before corrections are applied, as those of other tests are.
    await service.runtime.pause();
    // On a busy machine, one may wait for the other for too long. It has accepted nothing then.
    const accepted = async () => {
      let answer = await service.wms.post("/recount", body);
      while (answer.status === 429) answer = await service.wms.post("/recount", body);
      return answer;
    };
    const answers = await timesAtOnce(service, 2, accepted);
    const messages = await takeMessages(service.runtime, "recount");
    service.runtime.resume();

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const told = answers.map(({ body }) =>
      listAt(body, "result").map((entry) => numberAt(entry, "new_quantity")),
    );
    for (const [position, { quantity }] of entries.entries()) {
      const both = told.map((quantities) => quantities[position] ?? 0);
      expect(both.toSorted((left, right) => left - right)).toEqual([quantity, 2 * quantity]);
    }
    const jobs = messages.map((text) => 1 + (readMessage(text).more?.length ?? 0));
    expect(jobs.reduce((sum, one) => sum + one, 0)).toBe(2 * count);
    const balances = await expectEachBalanced(service, skus);
    expect(balances.map(({ expected }) => expected)).toEqual(
      skus.map((sku) =>
        entries.filter((one) => one.sku === sku).reduce((sum, one) => sum + 2 * one.quantity, 0),
      ),
    );
  });

  test("that is refused has nothing accepted, and names what is wrong in the order of the entries", async () => {
    const { skus, body } = wide();
    const most = { account_id: 100, skus: body[0]?.skus.slice(0, count - 1) };
    const empty = [{ sku: skus[3], bins: [{ ...binNamed("B1/03"), qty: -1 }] }];
    const answer = await service.wms.post("/recount", [
      { account_id: 100, skus: empty },
      most,
      { account_id: 999, skus: empty },
    ]);

    expect(answer.status).toBe(400);
    expect(listAt(answer.body, "result")).toMatchObject([
      {
        account_id: 100,
        sku: skus[3],
        message: expect.stringMatching(/^quantity not valid: the bin will hold 0/),
      },
      { account_id: 999, sku: skus[3], message: "account does not exist" },
    ]);
    const jobs = await jobsOf(service.db, "recount");
    expect(jobs.filter(({ payload }) => skus.some((sku) => sku === payload["sku"]))).toEqual([]);
  });

  test("whose function is killed half way is completed by a retry, and each entry takes effect once", async () => {
    const { skus, entries, body } = wide();
    const key = { "Idempotency-Key": unique("wide") };
    service.runtime.faults.add({ effect: "kill-before", ...transactions, function: "wms/recount", skip: 1 });
    const died = await service.wms.post("/recount", body, key);
    await expireKeyLocks(service);
    const accepted = async () => {
      const jobs = await jobsOf(service.db, "recount");
      return jobs.filter(({ payload }) => skus.some((sku) => sku === payload["sku"]));
    };
    const half = (await accepted()).map(({ job_id }) => job_id);
    const retried = await service.wms.post("/recount", body, key);
    await service.runtime.settled();

    expect([died.status, retried.status]).toEqual([500, 200]);
    const result = listAt(retried.body, "result");
    const ids = result.map((entry) => numberAt(entry, "correction_id"));
    expect(half.length).toBeGreaterThan(0);
    expect(half.length).toBeLessThan(count);
    expect(ids).toEqual(expect.arrayContaining(half));
    expect((await accepted()).map(({ job_id }) => job_id).toSorted((a, b) => a - b)).toEqual(
      ids.toSorted((a, b) => a - b),
    );
    expect(result.map((entry) => at(entry, "new_quantity"))).toEqual(entries.map(({ quantity }) => quantity));
    await expectHeld(skus, entries);
  });
});

describe("a call with an Idempotency-Key whose messages were lost", () => {
  const order = () => claimedOrder(service, [{ sku: "DEMO-TEE", quantity: 1 }]);

  const calls: readonly (readonly [string, string, () => Promise<{ path: string; body: unknown }>])[] = [
    [
      "recount",
      "wms/recount",
      async () => ({
        path: "/recount",
        body: recountOf(nextProduct().sku, [{ ...shelf, qty: 2 }]),
      }),
    ],
    [
      "weight",
      "wms/update-weight",
      async () => ({
        path: "/orders/UpdateWeight",
        body: { data: [{ nbtybarcode: barcodeOf(await order()), weight: 2 }] },
      }),
    ],
    [
      "revert",
      "wms/revert-shipments",
      async () => ({ path: "/shipments/revert/pending", body: { shipments_list: [await order()] } }),
    ],
  ];

  const jobIn = ({ body }: Answer): number =>
    at(body, "result") === undefined
      ? numberAt(body, "response.jobs.0.job_id")
      : numberAt(body, "result.0.correction_id");
  const statusOf = async (id: number) => at((await service.wms.get(`/jobs/${id}`)).body, "data.status");

  test.each(calls)(
    "has its job of kind %s applied by a retry, and a later retry sends nothing",
    async (kind, endpoint, prepare) => {
      const { path, body } = await prepare();
      const key = { "Idempotency-Key": unique("lost") };
      service.runtime.faults.add({
        effect: "drop",
        operation: "SendMessageBatch",
        function: endpoint,
        times: 3,
      });
      const first = await service.wms.post(path, body, key);
      await service.runtime.settled();
      const before = await statusOf(jobIn(first));
      const retried = await service.wms.post(path, body, key);
      await service.runtime.settled();
      await service.runtime.pause();
      await service.wms.post(path, body, key);
      const messages = await takeMessages(service.runtime, kind);
      service.runtime.resume();

      expect([first.status, before]).toEqual([200, "queued"]);
      expect(retried.body).toEqual(first.body);
      expect(await statusOf(jobIn(first))).toBe("applied");
      expect(messages).toEqual([]);
    },
  );
});
