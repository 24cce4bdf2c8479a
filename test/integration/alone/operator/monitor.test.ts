/** The synthetic monitor, as it runs with the setting `monitor`: it finds what does not work. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { buildApp } from "../../../../infra/app.ts";
import { connectTo } from "../../../../infra/demo/load.ts";
import { setUpAccounts, setUpWarehouse } from "../../../../infra/demo/registry.ts";
import { startRuntime } from "../../../../infra/local/index.ts";
import { listen } from "../../../../infra/operator/smoke/receiver.ts";
import { localContext } from "../../../../infra/synthesize.ts";
import { mustBeDocumented } from "../../../support/http/documented.ts";
import { deployedBy, serviceOf, storeOf } from "../../../support/runtime/service.ts";

const monitor = "monitor/call-service";
const key = "demo-oms-key-100";

const place = mkdtempSync(join(tmpdir(), "monitor-test-"));
// CloudFormation's rules would take five seconds. Settings are checked by test/infra.
vi.stubEnv("CDK_VALIDATION", "false");
buildApp({ outdir: place, context: { ...localContext, monitor: "on" } }).synth();
vi.unstubAllEnvs();
const runtime = await startRuntime({
  assembly: place,
  dynamodbEndpoint: inject("dynamodbEndpoint"),
  compileCache: inject("compileCache"),
  streams: false,
  paused: true,
});
afterAll(async () => {
  await runtime.stop();
  rmSync(place, { recursive: true });
});
afterEach(() => runtime.faults.clear());

const db = connectTo(runtime);
await Promise.all([setUpWarehouse(db), setUpAccounts(db)]);
const deployed = serviceOf(deployedBy(runtime), { checkAnswer: mustBeDocumented });
const account = storeOf(deployed, 100, key);
const other = storeOf(deployed, 101, "demo-oms-key-101");

/** Fills the monitor's secret: with the credentials of account 100, but for what is changed. */
const putSecret = (changed: object = {}): void =>
  runtime.putSecret(
    "SECRET_MONITOR",
    JSON.stringify({ url: runtime.url, account: "100", key, shipping_method: "GROUND", ...changed }),
  );

/** What a run logs as its failure; undefined if it succeeds. */
async function failureOf(): Promise<string | undefined> {
  const before = runtime.logs().length;
  const failed = await runtime.runSchedule(monitor).then(
    () => false,
    () => true,
  );
  const lines = runtime
    .logs()
    .slice(before)
    .map(({ text }) => text);
  const line = lines.find((one) => one.includes("monitor failed"));
  expect(failed).toBe(line !== undefined);
  return line === undefined ? undefined : JSON.parse(line).error.message;
}

describe("the monitor", () => {
  test("says that its secret is not filled, and does not show what it holds", async () => {
    const failure = await failureOf();

    expect(failure).toBe("the secret is not JSON with url, account, key and shipping_method");
  });

  test("changes a product in every run, and creates and cancels an order in the first of an hour", async () => {
    putSecret();

    const failures = [await failureOf(), await failureOf(), await failureOf()];

    const orders = await account.oms.get("/orders");
    const products = await account.oms.get("/inventory/products");
    expect(failures).toEqual([undefined, undefined, undefined]);
    expect(orders.body).toMatchObject({
      data: [{ order_number: expect.stringMatching(/^MONITOR-[-\d]{10}T\d\d$/), status: "Cancelled" }],
    });
    expect(products.body).toMatchObject({ data: [{ sku: "MONITOR", version: 3 }] });
  });

  test.each([
    ["changes", 100, "oms/inventory/products/patch-products", /^PATCH \S+products answered 500 \(request /],
    ["orders", 101, "oms/orders/create-orders", /^POST \S+orders answered 500 \(request /],
  ])("finds that %s can't be stored, in every run", async (_, accountId, name, message) => {
    // Account 101 does not have the order of this hour yet.
    putSecret({ account: String(accountId), key: `demo-oms-key-${accountId}` });
    runtime.faults.add({ function: name, operation: "TransactWriteItems", effect: "error", times: 1000 });

    const failures = [await failureOf(), await failureOf()];

    for (const failure of failures) expect(failure).toMatch(message);
  });

  test("cancels in its next run an order that it could not cancel before", async () => {
    putSecret({ account: "101", key: "demo-oms-key-101" });
    runtime.faults.add({
      function: "oms/orders/cancel-order",
      operation: "TransactWriteItems",
      effect: "error",
      times: 1000,
    });
    const failed = await failureOf();
    runtime.faults.clear();

    const mended = await failureOf();

    const orders = await other.oms.get("/orders");
    expect(failed).toMatch(/^POST \S+cancel answered 500 /);
    expect(mended).toBeUndefined();
    expect(orders.body).toMatchObject({ data: [{ status: "Cancelled" }] });
  });

  test("does not log a key that no header can hold", async () => {
    putSecret({ key: "split\u0000key" });

    const failure = await failureOf();

    expect(failure).toBe("the secret is not JSON with url, account, key and shipping_method");
    expect(JSON.stringify(runtime.logs())).not.toContain("split");
  });

  test("sends its key to no other address", async () => {
    const keys: unknown[] = [];
    const { origin, close } = await listen(({ headers, url }, _body, response) => {
      keys.push(...(url === "/elsewhere" ? [headers["key"]] : []));
      response.writeHead(url === "/elsewhere" ? 200 : 307, { location: "/elsewhere" }).end();
    });
    onTestFinished(close);
    putSecret({ url: origin });

    const failure = await failureOf();

    expect(failure).toMatch(/^GET \/health answered 307 /);
    expect(keys).toEqual([]);
  });

  test("finds that the service does not answer, or refuses its key, without showing the key", async () => {
    putSecret({ url: "http://127.0.0.1:9" });
    const silent = await failureOf();
    putSecret({ key: "wrong-key" });
    const refused = await failureOf();

    expect(silent).toBe("fetch failed");
    expect(refused).toMatch(/^PATCH \S+ answered 401 /);
    expect(JSON.stringify(runtime.logs())).not.toMatch(/wrong-key|demo-oms-key/);
  });
});
