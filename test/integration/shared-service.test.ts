import { describe, expect, test } from "vitest";
import { at } from "../support/http/client.ts";
import { deviceHeaders } from "../support/http/mobile.ts";
import { sharedService } from "../support/runtime/shared-service.ts";

const service = await sharedService();

test("two files of a worker have one service and an account each", async () => {
  const other = await sharedService();

  expect(other.db.tableName("orders")).toBe(service.db.tableName("orders"));
  expect(other.accountId).not.toBe(service.accountId);
});

test("an account begins with what the demo's begins with, if asked, and without orders if not", async () => {
  const filled = await sharedService({ demoData: true });

  const [orders, none] = [await filled.oms.get("/orders"), await service.oms.get("/orders")];

  expect(at(orders.body, "metadata.total_records")).toBe(3);
  expect(at(none.body, "metadata.total_records")).toBe(0);
});

test("the demo's accounts are not there, so that no two files meet in them", async () => {
  const demo = service.with({ AccountID: "100", Key: "demo-oms-key-100" });

  expect((await demo.post("/apirest/v4/oms/ping")).status).toBe(401);
});

describe("calls that touch every account, or a user whom files share, are not made:", () => {
  test.each([
    ["/apiv2/mobile-v1/pp-getOrders-1", {}, "claims the orders"],
    ["/apiv2/mobile-v1/qc-shippings-1", { page: 1 }, "lists the shipments"],
    ["/apiv2/mobile-login-1", { username: "manager", password: "wrong" }, "counts the failed sign-ins"],
  ])("%s", async (path, body, reason) => {
    await expect(service.with(deviceHeaders()).post(path, body)).rejects.toThrow(reason);
  });
});
