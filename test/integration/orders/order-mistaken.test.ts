import { describe, expect, test } from "vitest";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf, unique, withoutHistory } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** A number of digits alone, which a client takes for an id. */
const number = 77_000_000_000 + process.pid;
const reference = unique("REF");
const sent = orderOf(undefined, { order_number: String(number), order_reference: reference });
const service = await sharedService({ demoData: true });
const { body } = await service.oms.post("/orders", { data: [sent] });
const order_id = numberAt(body, "data.0.order_id");
const record = at(body, "data.0");

const read = async () => withoutHistory(at((await service.oms.get(`/orders/${order_id}`)).body, "data"));

describe("a value that is another identifier of an order", () => {
  const fields: Record<string, (id: number) => Promise<Answer>> = {
    "v4's cancel": (id) => service.oms.post("/orders/cancel", { order_id: id }),
    "v4's sub_status": (id) => service.oms.post("/orders/sub_status", { order_id: id, sub_status: "late" }),
    "v2's cancel_order": (id) => service.v2.post("/cancel_order", { order_id: id }),
  };
  test.each(Object.keys(fields))(
    "is 404 in %s; the message says what the order's order_id is",
    async (name) => {
      const answer = await fields[name]?.(number);

      const hint = `; the order with order_number ${number} has order_id ${order_id}`;
      expect(answer?.status).toBe(404);
      expect(at(answer?.body, "response")).toEqual({
        success: false,
        message: `There is no order with order_id ${number}${hint}`,
        errors: [
          { path: "order_id", message: `names no order (${number})${hint}`, code: "unknown_reference" },
        ],
      });
      expect(await read()).toEqual(record);
    },
  );

  test.each<[string, () => object, string]>([
    ["order_id", () => ({ order_id: number }), "order_number"],
    ["order_number", () => ({ order_number: reference }), "order_reference"],
    ["order_reference", () => ({ order_reference: String(number) }), "order_number"],
  ])("is 404 in a PUT by %s", async (by, identity, other) => {
    const { order_number: _number, ...nameless } = orderOf();

    const answer = await service.oms.put("/orders", {
      data: [
        { ...sent, order_id },
        { ...nameless, ...identity() },
      ],
    });

    const [value] = Object.values(identity());
    const hint = `; the order with ${other} ${value} has order_id ${order_id}`;
    expect(answer.status).toBe(404);
    expect(at(answer.body, "response")).toEqual({
      success: false,
      message: `There is no order with ${by} ${value}${hint}`,
      errors: [
        { path: `data.1.${by}`, message: `names no order (${value})${hint}`, code: "unknown_reference" },
      ],
    });
    expect(await read()).toEqual(record);
  });

  test("is reported by a PUT with all other records that name no order", async () => {
    const { order_number: _number, ...nameless } = orderOf();
    const [unknownNumber, unknownReference] = [unique("NO"), unique("NO")];

    const answer = await service.oms.put("/orders", {
      data: [
        { ...nameless, order_id: number },
        { ...nameless, order_number: unknownNumber },
        { ...sent, order_id },
        { ...nameless, order_reference: unknownReference },
      ],
    });
    const unnamed = await service.oms.put("/orders", { data: [nameless, { ...sent, order_id }, nameless] });

    const pathsOf = ({ status, body }: Answer) => [
      status,
      ...listAt(body, "response.errors").map((error) => at(error, "path")),
    ];
    expect(at(answer.body, "response.message")).toContain(`There is no order with order_id ${number}`);
    expect(pathsOf(answer)).toEqual([
      404,
      "data.0.order_id",
      "data.1.order_number",
      "data.3.order_reference",
    ]);
    expect(pathsOf(unnamed)).toEqual([400, "data.0.order_id", "data.2.order_id"]);
    expect(await read()).toEqual(record);
  });

  test("is said to be an order_id if it is that", async () => {
    const answer = await service.oms.put("/orders", {
      data: [{ ...sent, order_number: String(order_id) }],
    });

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe(
      `There is no order with order_number ${order_id}; it is the order_id of an order`,
    );
  });

  test("is 400 in a return", async () => {
    const items = [{ sku: "DEMO-MUG", quantity: 1 }];

    const answer = await service.oms.post("/inventory/returns", { data: [{ order_id: number, items }] });

    expect(at(answer.body, "response.message")).toBe(
      `data.0.order_id is not an order of the account (${number}); the order with order_number ${number} has order_id ${order_id}`,
    );
  });
});
