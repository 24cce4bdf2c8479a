/** `operator smoke` against the local runtime: its findings, and that it removes all its records. */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { demoMasterKey } from "../../../../infra/demo/registry.ts";
import { noteRunning } from "../../../../infra/operator/cli/local-service.ts";
import { insertAccount } from "../../../../infra/operator/set-up/accounts.ts";
import { faultsOf, probedCalls } from "../../../../infra/operator/smoke/checks/permissions.ts";
import { reserve } from "../../../../infra/operator/smoke/checks/picking.ts";
import { listen } from "../../../../infra/operator/smoke/receiver.ts";
import { quietMs } from "../../../../infra/operator/smoke/removal.ts";
import { type SmokeReport, smoke } from "../../../../infra/operator/smoke/smoke.ts";
import { Report } from "../../../../infra/operator/smoke/steps.ts";
import { createTestAccount } from "../../../../infra/operator/smoke/test-account.ts";
import { findAccount } from "../../../../shared/accounts/account-repository.ts";
import { orders } from "../../../../shared/orders/storage/order-repository.ts";
import { claimOrder } from "../../../../shared/picking/picking-flows.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import { tableNames } from "../../../../shared/store/tables.ts";
import { byManager, claim, newProduct, pendingOrder } from "../../../support/business/world.ts";
import { hurried } from "../../../support/runtime/hurried.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { runOperator } from "../../../support/store/operator.ts";
import { itemsOf } from "../../../support/store/scan.ts";

const service = await ownService({ goods: false, streams: true });
const forget = noteRunning(service.runtime);
afterAll(forget);

/**
 * Has a removal wait until events are published, instead of for as long as that may take. The other waits are
 * for what is asked again.
 */
const atEase = <T>(work: () => Promise<T>): Promise<T> =>
  hurried(work, (milliseconds) =>
    milliseconds >= quietMs(0) ? service.runtime.settled() : sleep(milliseconds),
  );

async function operator(...words: readonly string[]) {
  const { port } = new URL(service.runtime.url);
  const place = ["--local", "--port", port, "--json"];
  const ended = await atEase(() =>
    runOperator([...place, ...words], undefined, { variables: { MASTER_KEY: demoMasterKey } }),
  );
  return { ...ended, answer: (): SmokeReport => JSON.parse(ended.stdout) };
}

/**
 * Runs the sweeper repeatedly while `work` is in progress, so that the test need not wait for its schedule.
 */
async function sweeping<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await service.runtime.runSchedule("jobs/sweep-jobs");
    await sleep(1_000);
  }
  return done;
}

/** Counters of ids. Ids of a finished test are not reused. */
const idCounters = /^(?:tallies (?:counter#|jobs-of#)|webhooks webhook-ids )/;

/** The keys of all items that do not expire, without the counters of ids. */
async function lastingItems(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of tableNames)
    for (const { pk, sk, expires_at } of await itemsOf(service.db, table))
      if (expires_at === undefined) found.push(`${table} ${pk} ${sk}`);
  return found.filter((item) => !idCounters.test(item)).toSorted();
}

const probeItems = async () =>
  (await itemsOf(service.db, "identity")).filter(({ pk }) => String(pk).startsWith("probe#"));

async function freePort(): Promise<string> {
  const { origin, close } = await listen(() => undefined);
  await close();
  return new URL(origin).port;
}

/** A smoke test starts most functions, which is slow on a busy machine. */
const timeout = 120_000;

describe("a smoke test", { timeout }, () => {
  test("a smoke test passes on the local runtime, and leaves nothing of its account behind", async () => {
    await service.runtime.settled();
    const before = await lastingItems();

    const { status, stderr, answer } = await sweeping(operator("smoke", "--listen", await freePort()));
    const { steps } = answer();
    const after = await lastingItems();

    expect(stderr).not.toContain("FAILED");
    expect(status).toBe(0);
    expect(after.filter((item) => !before.includes(item))).toEqual([]);
    expect(steps.length).toBeGreaterThan(0);
    const verified = await operator("data", "verify");
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
  });

  test("a smoke test of a broken deployment names the failed step, removes its records, and claims no order of other accounts", async () => {
    const { sku } = await newProduct(service);
    const waiting = await pendingOrder(service, [{ sku, quantity: 1 }]);
    await service.runtime.settled();
    const before = await lastingItems();
    service.runtime.faults.add({
      function: "v2/mobile/update-pick-log",
      operation: "TransactWriteItems",
      effect: "error",
      times: 100,
    });

    const { status, answer } = await operator("smoke");
    service.runtime.faults.clear();
    const failed = answer().steps.filter(({ state }) => state === "failed");

    expect([status, failed.map(({ step }) => step)]).toEqual([5, ["picks"]]);
    expect((await orders.find(service.db, anyOwner, waiting))?.record.status).toBe("Pending");
    expect((await lastingItems()).filter((item) => !before.includes(item))).toEqual([]);
    const verified = await operator("data", "verify");
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
  });

  test("a smoke test that is aborted removes its account, which it has printed first", async () => {
    const before = await lastingItems();
    const lines: string[] = [];

    const broken = atEase(() =>
      smoke({
        db: service.db,
        url: service.runtime.url,
        masterKey: demoMasterKey,
        deployment: undefined,
        receiver: undefined,
        hasEvents: false,
        eventsWindow: 0,
        skipped: new Set(),
        ifInterrupted: () => undefined,
        note: (line) => {
          lines.push(line);
          if (line.includes("product")) throw new Error("output closed");
        },
      }),
    );

    await expect(broken).rejects.toThrow("output closed");
    expect(lines[0]).toMatch(/^The test works in account 9\d{6}\..* operator smoke --remove 9\d{6}$/);
    expect(lines.at(-1)).toContain("removal: everything");
    expect((await lastingItems()).filter((item) => !before.includes(item))).toEqual([]);
  });
});

describe("the removal of a smoke test's account", { timeout }, () => {
  const remove = (accountId: number, ...words: readonly string[]) =>
    operator("smoke", "--remove", String(accountId), ...words);

  test("a removal asks for confirmation, and is rejected for an account that no smoke test created", async () => {
    const accountId = 9_000_001;
    await insertAccount(service.db, {
      account_id: accountId,
      name: "A store",
      activated: true,
      key_scope: "write",
      key: "k",
    });

    expect((await remove(accountId)).stdout).toContain("Run it in a terminal, or add --yes.");
    expect((await remove(accountId, "--yes")).stdout).toContain("no smoke test created it");
    expect((await remove(100, "--yes")).stdout).toContain("must be the id of a smoke-test account");
    expect((await remove(9_000_002, "--yes")).stdout).toContain("There is no account 9000002");
    expect((await findAccount(service.db, accountId))?.name).toBe("A store");
  });

  test("a removal returns orders of other accounts that the test's picker has, and prints them", async () => {
    const accountId = 9_000_004;
    const account = await createTestAccount(service.db, accountId);
    const { sku } = await newProduct(service);
    const misassigned = await pendingOrder(service, [{ sku, quantity: 1 }]);
    await claimOrder(byManager(service.db), misassigned, account.user);

    const { status, stderr } = await sweeping(remove(accountId, "--yes"));

    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`given order ${misassigned} of account 100`),
    ]);
    expect((await orders.find(service.db, anyOwner, misassigned))?.record).toMatchObject({
      status: "Pending",
      picker: null,
    });
    expect(await findAccount(service.db, accountId)).toBeUndefined();
  });

  test("a dry run of a removal removes nothing, and says so", async () => {
    const accountId = 9_000_003;
    await createTestAccount(service.db, accountId);

    const { port } = new URL(service.runtime.url);
    const words = ["--local", "--port", port, "smoke", "--remove", String(accountId), "--dry-run"];
    const { status, stdout } = await runOperator(words);

    expect([status, stdout]).toEqual([0, `Account ${accountId} would be removed.\n`]);
    expect(await findAccount(service.db, accountId)).toBeDefined();
    expect((await remove(accountId, "--yes")).status).toBe(0);
  });

  test("a picker who was given an order of the test is named", async () => {
    const { sku } = await newProduct(service);
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
    await claim(service, orderId);
    const account = {
      ...{ accountId: 9_000_005, user: "smoke-9000005", distributionCenter: "", location: "", bin: "" },
      ...{ shippingMethod: "", key: "", password: "", totpSecret: "" },
    };
    const report = new Report(new Set(), () => undefined);
    const run = { db: service.db, url: "", masterKey: "", jobs: [], account, report };

    await expect(reserve(run, orderId)).rejects.toThrow(/the picker \S+ asked for work at the same moment/);
  });
});

test("the probe of permissions is denied what its role does not state, and leaves nothing behind", async () => {
  const probed = await service.runtime.invoke("diagnostics/probe-permissions", {});

  expect(faultsOf(z.parse(probedCalls, probed))).toEqual([]);
  expect(await probeItems()).toEqual([]);
});
