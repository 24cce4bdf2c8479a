import { describe, expect, test } from "vitest";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { newStore } from "../../support/business/world.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { createAndAnswer } from "../../support/records/flows.ts";
import { orderOf, unique, withoutHistory } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });

async function newOrder(more: object = {}) {
  const answer = await createAndAnswer(service, createOrders, orderOf(undefined, more));
  const record = at(answer, "data.0");
  return {
    record,
    order_id: numberAt(record, "order_id"),
    order_number: String(at(record, "order_number")),
    order_api: String(at(record, "order_api")),
  };
}

const get = (identifier: string | number, by?: string) =>
  service.oms.get(
    `/orders/${encodeURIComponent(identifier)}${by === undefined ? "" : `?identify_by=${encodeURIComponent(by)}`}`,
  );

describe("an order is found", () => {
  test("by its id, its number, its reference and its order_api, as the same record", async () => {
    const order_reference = unique("REF");
    const { record, order_id, order_number, order_api } = await newOrder({ order_reference });

    const answers = [
      await get(order_id),
      await get(order_id, "order_id"),
      await get(order_number, "order_number"),
      await get(order_reference, "order_reference"),
      await get(order_api, "order_api"),
    ];

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(withoutHistory(at(body, "data"))).toEqual(record);
    }
  });

  test("by a reference that several have: the newest", async () => {
    const order_reference = unique("SHARED");
    await newOrder({ order_reference });
    await newOrder({ order_reference });
    const newest = await newOrder({ order_reference });
    await newOrder();

    const answer = await get(order_reference, "order_reference");

    expect(at(answer.body, "data.order_id")).toBe(newest.order_id);
  });

  test("by a number or reference with unusual characters", async () => {
    const order_number = unique("A#1 ä&=%+日本");
    const order_reference = unique(`order-number#${service.accountId}#DEMO-1`);
    const { order_id } = await newOrder({ order_number, order_reference });

    const answers = [await get(order_number, "order_number"), await get(order_reference, "order_reference")];

    for (const { body } of answers) expect(at(body, "data.order_id")).toBe(order_id);
  });

  test("by a number that is another order's id only when asked for the number", async () => {
    const other = await newOrder();
    const { order_id } = await newOrder({ order_number: String(other.order_id) });

    const byId = await get(other.order_id);
    const byNumber = await get(other.order_id, "order_number");

    expect(at(byId.body, "data.order_id")).toBe(other.order_id);
    expect(at(byNumber.body, "data.order_id")).toBe(order_id);
  });

  test("by its number when that is another order's reference", async () => {
    const name = unique("NAME");
    const numbered = await newOrder({ order_number: name });
    const referenced = await newOrder({ order_reference: name });

    const answers = [await get(name, "order_number"), await get(name, "order_reference")];

    expect(answers.map(({ body }) => at(body, "data.order_id"))).toEqual([
      numbered.order_id,
      referenced.order_id,
    ]);
  });
});

describe("no order is found: 404", () => {
  test.each<[string, string, string | undefined, string?]>([
    ["an unknown id", "999999999", undefined],
    ["an id of 0", "0", undefined],
    ["a negative id", "-1", undefined],
    ["an id with a fraction", "1000.0", undefined],
    ["a number where an id is meant", "DEMO-1", undefined, "order_number"],
    ["a number where an id is asked for", "DEMO-1", "order_id", "order_number"],
    ["a very long id", "9".repeat(100), undefined],
    ["an unknown number", "NO-SUCH", "order_number"],
    ["a number in other letters", "demo-1", "order_number"],
    ["a part of a number", "DEMO", "order_number"],
    ["a reference where a number is asked for", "WEB-DEMO-1", "order_number", "order_reference"],
    ["a number where a reference is asked for", "DEMO-1", "order_reference", "order_number"],
    ["a part of a reference", "WEB-DEMO", "order_reference"],
    ["a made-up order_api", "rs-AAAAAAAAAAAAAAAA", "order_api"],
    ["an order_api without a form", "nonsense", "order_api"],
  ])("%s; the message says what would find one", async (_case, identifier, by, other) => {
    const answer = await get(identifier, by);

    const hint = other === undefined ? "" : `; identify_by=${other} finds one`;
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      response: {
        success: false,
        message: `There is no order with ${by ?? "order_id"} ${identifier}${hint}`,
      },
    });
  });

  test("an id in a field that takes a number", async () => {
    const { order_id } = await newOrder();

    const answer = await get(order_id, "order_number");

    expect(at(answer.body, "response.message")).toBe(
      `There is no order with order_number ${order_id}; identify_by=order_id finds one`,
    );
  });

  test("a number that only another account's order has: the message tells nothing of it", async () => {
    const { oms } = await newStore(service);

    const answer = await oms.get("/orders/DEMO-1");

    expect(at(answer.body, "response.message")).toBe("There is no order with order_id DEMO-1");
  });

  test("an id with leading zeros", async () => {
    const { order_id } = await newOrder();

    const answer = await get(`0${order_id}`);

    expect(answer.status).toBe(404);
  });

  test("an order_api that names the right order but is not its own", async () => {
    const [one, other] = [await newOrder(), await newOrder()];
    const mixed = `${one.order_api.split("-")[0]}-${other.order_api.split("-").slice(1).join("-")}`;

    const answers = [await get(mixed, "order_api"), await get(`${one.order_api}x`, "order_api")];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

test.each([
  ["/orders/%20", "order"],
  ["/orders/%20?identify_by=order_number", "order"],
  ["/orders/%20?identify_by=order_reference", "order"],
  ["/attributes/order/%20?identify_by=order_number", "owner_id"],
])("%s names nothing: 400", async (path, part) => {
  const answer = await service.oms.get(path);

  expect([answer.status, at(answer.body, "response.message")]).toEqual([400, `${part} is required`]);
});

describe("identify_by", () => {
  test.each(["id", "number", "order_id,order_number", "nbtybarcode"])(
    "%j is 400 and names the accepted values",
    async (by) => {
      const answer = await get("DEMO-1", by);

      expect(answer.status).toBe(400);
      expect(at(answer.body, "response.message")).toBe(
        "identify_by must be one of order_id, order_number, order_reference, order_api",
      );
    },
  );
});
