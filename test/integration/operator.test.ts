import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderOf, productOf, recountOf } from "../support/records.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

const main = join(import.meta.dirname, "..", "..", "infra", "operator", "main.ts");

/** Runs a command as an operator does, on the tables of the local runtime. */
function operator(...values: readonly string[]) {
  const env = {
    PATH: process.env["PATH"],
    AWS_ACCESS_KEY_ID: "operator",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL_DYNAMODB: service.runtime.dynamodb.endpoint,
    TABLE_IDENTITY: service.runtime.dynamodb.tables["TABLE_IDENTITY"],
  };
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...values], {
    env,
    encoding: "utf8",
  });
  return { stdout, stderr, status, key: /^Key (\S{43})$/m.exec(stdout)?.[1] ?? "" };
}

describe("the operator's commands", () => {
  test("set up an account that can order and be counted, from nothing", async () => {
    const { key } = operator("account", "500", "New Store");
    operator("shipping-method", "500", "AIR");
    operator("store", "500", "9", "New Web Store");
    operator("distribution-center", "7", "NORTH", "Northern Warehouse");
    operator("bin", "70", "N1", "01", "7", "NORTH");
    const credentials = { AccountID: "500", Key: key };
    const oms = service.with(credentials);
    const product = productOf({ distribution_center: "NORTH" });
    const created = await oms.post("/apirest/v4/oms/inventory/products", { data: [product] });
    const order = orderOf([{ sku: product.sku, quantity: 1 }], { shipping_method: "AIR", cart: { id: 9 } });
    const ordered = await oms.post("/apirest/v4/oms/orders", { data: [order] });
    const entries = recountOf(product.sku, [{ location: "N1", bin: "01", qty: 5 }], { account_id: 500 });
    const counted = await service.wms.post("/recount", entries);

    expect([created.status, ordered.status, counted.status]).toEqual([200, 200, 200]);
  });

  test("rotate keys at once", async () => {
    const first = operator("account", "501", "Rotating Store").key;
    const second = operator("account", "501", "Rotating Store").key;
    const ping = (Key: string) => service.with({ AccountID: "501", Key }).post("/apirest/v4/oms/ping");

    expect(first).not.toBe(second);
    expect([(await ping(first)).status, (await ping(second)).status]).toEqual([401, 200]);
  });

  test.each([
    [["account", "x", "Name"], "ID must be a whole number of at least 1"],
    [["account", "5"], "NAME is missing"],
    [["bin", "1", "A#1", "01", "1", "MAIN"], "LOCATION must be 1 to 50 letters and digits"],
    [["nonsense"], "Sets up accounts"],
  ])("refuse what makes no sense: %j", (values, message) => {
    const { status, stderr, stdout } = operator(...values);

    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
  });
});
