import { beforeAll, describe, expect, test } from "vitest";
import { type PutAwayTarget, putAway } from "../../../shared/inbound/put-away.ts";
import {
  announceReplenishment,
  announceReturn,
  asItIs,
  newProduct,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { contextOf } from "../../support/records/flows.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

/** Puts units away, in `MAIN`. */
const received = (target: PutAwayTarget, sku: string, quantity: number) =>
  putAway(contextOf(service), target, { sku, quantity, location: "B1", bin: "02" }, asItIs);

/** The values of a field that a list answers, oldest first, and the total that it states. */
async function found(path: string, field: string) {
  const { status, body } = await service.oms.get(path);
  expect(status).toBe(200);
  const values = listAt(body, "data").map((record) => at(record, field));
  return { values: values.toReversed(), total: at(body, "metadata.total_records") };
}

describe("replenishments", () => {
  const ids: number[] = [];
  let sku = "";
  beforeAll(async () => {
    ({ sku } = await newProduct(service));
    const items = [{ sku, quantity: 2 }];
    for (const reference of ["PO-7/1", "PO-7/1", "PO-70", undefined, "po-7/1"])
      ids.push((await announceReplenishment(service, items, { reference })).replenishment_id);
    await received({ replenishment_id: ids[1] ?? 0 }, sku, 2);
    await received({ replenishment_id: ids[3] ?? 0 }, sku, 1);
  });

  test.each<[string, readonly number[]]>([
    ["status=Pending", [0, 2, 3, 4]],
    ["status=Received", [1]],
    ["reference=PO-7%2F1", [0, 1]],
    ["reference=PO-7*", [0, 1, 2]],
    ["reference=PO-7*&status=Received", [1]],
    ["reference=PO-7", []],
  ])("are found by status and reference: %s", async (query, positions) => {
    const answer = await found(`/inventory/replenishments?${query}`, "replenishment_id");

    expect(answer).toEqual({ values: positions.map((position) => ids[position]), total: positions.length });
  });

  test("take another reference by PATCH, or none, and are found by it alone", async () => {
    const data = [
      { replenishment_id: ids[2], reference: "NEW-70" },
      { replenishment_id: ids[4], reference: "" },
      { replenishment_id: ids[0], eta: "2026-05-01" },
    ];

    const { body } = await service.oms.patch("/inventory/replenishments", { data });

    expect(listAt(body, "data").map((record) => at(record, "reference"))).toEqual(["NEW-70", null, "PO-7/1"]);
    const by = (reference: string) => found(`/inventory/replenishments?reference=${reference}`, "reference");
    expect([await by("PO-70*"), await by("NEW-*"), await by("po-7*"), await by("PO-7*")]).toEqual([
      { values: [], total: 0 },
      { values: ["NEW-70"], total: 1 },
      { values: [], total: 0 },
      { values: ["PO-7/1", "PO-7/1"], total: 2 },
    ]);
  });
});

test("returns are found by status and order", async () => {
  const { sku } = await stockedProduct(service, 6);
  const [one, other] = [
    await shippedOrder(service, [{ sku, quantity: 3 }]),
    await shippedOrder(service, [{ sku, quantity: 3 }]),
  ];
  const ids: number[] = [];
  for (const { order_id } of [one, other, one])
    ids.push((await announceReturn(service, order_id, [{ sku, quantity: 1 }])).return_id);
  await received({ return_id: ids[2] ?? 0 }, sku, 1);
  const [first, second, third] = ids;

  const answers = await Promise.all(
    [
      `order_id=${one.order_id}`,
      `order_id=${one.order_id}&status=Pending`,
      `order_id=${other.order_id}&status=Received`,
      "status=Received",
      "status=Pending",
      "order_id=1",
    ].map((query) => found(`/inventory/returns?${query}`, "return_id")),
  );

  expect(answers).toEqual([
    { values: [first, third], total: 2 },
    { values: [first], total: 1 },
    { values: [], total: 0 },
    { values: [third], total: 1 },
    { values: [first, second], total: 2 },
    { values: [], total: 0 },
  ]);
});
