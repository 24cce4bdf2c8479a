import { expect, test } from "vitest";
import { worker } from "../../../functions/jobs/apply-recount.ts";
import { applyJob } from "../../../shared/jobs/apply.ts";
import { moveGoods } from "../../../shared/stock/bins/move-goods.ts";
import { acceptRecount } from "../../../shared/stock/recount/accept-recount.ts";
import type { ReadEntry } from "../../../shared/stock/recount/recount-request.ts";
import { recountFailure, recountPartly } from "../../../shared/stock/recount/recount-view.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { type Idempotency, noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import { binsHold } from "../../support/business/stored.ts";
import { asItIs, binNamed, byManager, stockedProduct } from "../../support/business/world.ts";
import { newStore, putAccount } from "../../support/records/accounts.ts";
import { unique } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const accept = (
  db: Database,
  sku: string,
  changes: readonly { readonly bin: string; readonly by: number }[],
  idempotency: Idempotency = noIdempotencyKey,
) =>
  acceptRecount(
    { db, actor: "user:manager", now: new Date().toISOString(), idempotency },
    changes.map(({ bin, by: quantity }) => ({
      ...binNamed(bin),
      account_id: service.accountId,
      sku,
      change: { kind: "relative", quantity },
      comment: "counted",
    })),
    () => ({}),
  );

/** The receipts of a call by position, as its retry reads them, and what has the call keep them. */
function keepReceipts() {
  const receipts = new Map<number, unknown>();
  const keeping: Idempotency = {
    ...noIdempotencyKey,
    recordReceipt: (position, result) => {
      receipts.set(position, structuredClone(result));
      return [];
    },
  };
  return { receipts, keeping };
}

test("a recount that no transaction holds has all bins accepted but those whose goods others take meanwhile, and says so", async () => {
  const { sku } = await stockedProduct(service, { "A2/01": 5 });

  const overtaken = troubledDatabase(service);
  overtaken.add({ before: () => accept(service.db, sku, [{ bin: "A2/01", by: -5 }]) }, { text: "A2#01" });
  const others = Array.from({ length: 99 }, () => ({ bin: "A2/02", by: 1 }));

  const outcomes = await accept(overtaken.db, sku, [...others, { bin: "A2/01", by: -3 }]);

  expect(overtaken.hits).toBe(1);
  const reason = "quantity not valid: the bin will hold 0, so a change by -3 would leave it below zero";
  const { message, result } = recountFailure(recountPartly(outcomes));
  expect(message).toBe(
    `Recount not created for account ${service.accountId}, SKU ${sku}: ${reason}; 99 other entries are queued`,
  );
  expect(result.map(({ error }) => error)).toEqual([...Array(99).fill(false), true]);
  expect(result[98]).toMatchObject({
    location: "A2",
    bin: "02",
    new_quantity: 99,
    correction_id: expect.any(Number),
  });
  expect(result[99]).toEqual({
    account_id: service.accountId,
    sku,
    location: "A2",
    bin: "01",
    error: true,
    message: reason,
    procces_correction: false,
  });
});

test("a retry of a recount that was accepted in part sends each job with the id of the call that accepted it", async () => {
  const { sku } = await stockedProduct(service, { "A2/01": 5 });
  const changes = [...Array.from({ length: 99 }, () => ({ bin: "A2/02", by: 1 })), { bin: "A2/01", by: 1 }];
  const { receipts, keeping } = keepReceipts();
  await accept({ ...service.db, requestId: "first" }, sku, changes, keeping);
  const earlier = new Map([...receipts].slice(0, 1));

  const jobs = await accept({ ...service.db, requestId: "second" }, sku, changes, {
    ...noIdempotencyKey,
    earlier,
  });

  expect(jobs.map((job) => "job_id" in job && job.request_id)).toEqual([
    ...Array(99).fill("first"),
    "second",
  ]);
});

test("a retry of a recount that was accepted in part accepts nothing again, and nothing of an account that was deactivated since", async () => {
  const other = await newStore(service);
  const account_id = other.accountId;
  const theirs = await stockedProduct({ db: service.db, accountId: account_id }, { "A1/01": 5 });
  const { sku } = await stockedProduct(service, { "A2/01": 5 });
  const entryOf = (bin: string): ReadEntry => ({
    ...binNamed(bin),
    account_id: service.accountId,
    sku,
    change: { kind: "relative", quantity: 1 },
    comment: "counted",
  });
  const entries = [
    { ...entryOf("A1/01"), account_id, sku: theirs.sku },
    ...Array.from({ length: 98 }, () => entryOf("A2/02")),
    entryOf("A2/01"),
  ];
  const run = (idempotency: Idempotency) =>
    acceptRecount(
      { db: service.db, actor: "user:manager", now: new Date().toISOString(), idempotency },
      entries,
      () => ({}),
    );
  const { receipts, keeping } = keepReceipts();
  const first = await run(keeping);
  const earlier = new Map([...receipts].slice(1, 2));

  const account = { name: "Test Store", activated: false, key_scope: "write", key: unique("key") } as const;
  await putAccount(service.db, { ...account, account_id });
  const retried = await run({ ...noIdempotencyKey, earlier });

  expect(retried.slice(1, 99)).toEqual(first.slice(1, 99));
  expect([retried[0], retried[99]]).toMatchObject([
    { account_id, message: "account is not activated" },
    { job_id: expect.any(Number), payload: { location: "A2", bin: "01" } },
  ]);
});

test("a correction is applied if the goods that it lacks come back before it has failed", async () => {
  const { sku, product_id } = await stockedProduct(service, { "A1/01": 5 });
  const [job] = await accept(service.db, sku, [{ bin: "A1/01", by: -4 }]);
  if (job === undefined || !("job_id" in job)) throw new Error("the correction was not accepted");
  const move = (from: string, to: string) => {
    const goods = { quantity: 3, from: binNamed(from), to: binNamed(to) };
    return moveGoods(byManager(service.db), { product_id }, goods, asItIs);
  };
  await move("A1/01", "A1/02");
  const overtaken = troubledDatabase(service, { before: () => move("A1/02", "A1/01") });

  const outcome = await applyJob(worker, overtaken.db, { ...job, attempts: 1 });

  expect(outcome).toBe("applied");
  expect(await binsHold(service, sku)).toEqual(["A1/01: 1", "A1/02: 0"]);
});

test("a move of goods finishes the recount of their bin that a saga has begun to store", async () => {
  const { sku, product_id } = await stockedProduct(service, { "A2/03": 5 });
  const dying = troubledDatabase(service);
  dying.add({ after: () => Promise.reject(new Error("died")) }, { text: "begun_at" });
  const entries = Array.from({ length: 100 }, () => ({ bin: "A2/03", by: 1 }));
  await expect(accept(dying.db, sku, entries)).rejects.toThrow("died");
  const goods = { quantity: 2, from: binNamed("A2/03"), to: binNamed("A2/02") };

  await moveGoods(byManager(service.db), { product_id }, goods, asItIs);

  expect(await binsHold(service, sku)).toEqual(["A2/02: 2", "A2/03: 3"]);
});

test("a recount of which nothing was accepted says that nothing is queued", () => {
  const failure = { account_id: 100, sku: "TEE", location: "A1", bin: "01", message: "no" };

  expect(recountPartly([failure]).message).toBe(
    "Recount not created for account 100, SKU TEE: no; nothing was queued",
  );
});
