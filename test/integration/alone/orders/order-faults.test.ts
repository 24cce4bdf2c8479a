import { describe, expect, test } from "vitest";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { type Answer, at, numberAt } from "../../../support/http/client.ts";
import { orderOf, recountOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { claimedOrder, pendingOrder } from "../../../support/store/world.ts";

const service = await ownService();
/** An order in Processing. */
const processing = await claimedOrder(service, [{ sku: "DEMO-MUG", quantity: 1 }]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const total = async () =>
  numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records");

describe("a failure of the service", () => {
  test.each<[string, string, string, () => Promise<Answer>]>([
    ["authentication", "oms/ping", "GetItem", () => service.oms.post("/ping")],
    ["a list", "oms/orders/list-orders", "Query", () => service.oms.get("/orders")],
    [
      "a create",
      "oms/orders/create-orders",
      "TransactWriteItems",
      () => service.oms.post("/orders", { data: [orderOf()] }),
    ],
    [
      "a recount",
      "wms/recount",
      "TransactWriteItems",
      () => service.wms.post("/recount", recountOf("DEMO-CAP", [{ location: "B1", bin: "01", qty: 1 }])),
    ],
    [
      "a weight",
      "wms/update-weight",
      "TransactWriteItems",
      () =>
        service.wms.post("/orders/UpdateWeight", {
          data: [{ nbtybarcode: barcodeOf(processing), weight: 1 }],
        }),
    ],
    [
      "a revert",
      "wms/revert-shipments",
      "TransactWriteItems",
      () => service.wms.post("/shipments/revert/pending", { shipments_list: [processing] }),
    ],
  ])("in %s is 500 with the fixed message and the request id", async (_case, name, operation, call) => {
    const fault = service.runtime.faults.add({ effect: "error", function: name, operation, times: 100 });

    const answer = await call();
    fault.remove();
    const after = await service.oms.post("/ping");

    const id = answer.headers.get("x-request-id");
    const message = `The service failed to answer; nothing is known to be wrong with the request (${id})`;
    expect(fault.hits).toBeGreaterThan(0);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(id).toMatch(uuid);
    expect(answer.body).toEqual({ response: { success: false, message } });
    expect(JSON.stringify(answer.body)).not.toMatch(/internal server error|dynamo|table|at .*:\d+/i);
    expect(after.status).toBe(200);
  });
});

test("a call whose order number is taken after its validation says for each record whether it was stored", async () => {
  const rival = await pendingOrder(service, undefined);
  const [first, taken, last] = [orderOf(), orderOf(), orderOf()];
  // The call has been validated once it takes its ids. It is held there while another order takes the number.
  const slow = {
    effect: "throttle",
    function: "oms/orders/create-orders",
    operation: "UpdateItem",
  } as const;
  const reached = service.runtime.faults.add(slow);
  const held = service.runtime.faults.add({ ...slow, times: 1000 });
  const before = await total();

  const calling = service.oms.post("/orders", { data: [first, taken, last] });
  await reached.exhausted;
  const renamed = await service.oms.put("/orders", {
    data: [{ ...orderOf(undefined, { order_number: taken.order_number }), order_id: rival }],
  });
  held.remove();
  const answer = await calling;
  const after = await total();
  const found = await service.oms.get(`/orders/${taken.order_number}?identify_by=order_number`);

  expect(renamed.status).toBe(200);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    response: {
      success: false,
      message: `1 of 3 records were not stored: data.1.order_number already exists (${taken.order_number})`,
      errors: [
        {
          path: "data.1.order_number",
          message: `already exists (${taken.order_number})`,
          code: "already_exists",
        },
      ],
    },
    data: [
      expect.objectContaining({ success: true, order_number: first.order_number, status: "Pending" }),
      { success: false, message: `data.1.order_number already exists (${taken.order_number})` },
      expect.objectContaining({ success: true, order_number: last.order_number, status: "Pending" }),
    ],
  });
  expect(after).toBe(before + 2);
  expect(at(found.body, "data.order_id")).toBe(rival);
});
