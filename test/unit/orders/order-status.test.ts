import { describe, expect, test } from "vitest";
import type { Order } from "../../../shared/orders/order.ts";
import { isBeingPickedBy, type Work, workOf } from "../../../shared/orders/order-status.ts";
import { itemOf, pickOf, sampleOrder } from "../samples.ts";

const items = [itemOf({ quantity: 2 })];
const all = [pickOf({ quantity: 2 })];
const some = [pickOf({ quantity: 1 })];

const cases: readonly (readonly [string, Partial<Order>, Work | undefined])[] = [
  ["a Pending order waits for a picker", { status: "Pending" }, { stage: "pending" }],
  ["a released one too", { status: "Processing" }, { stage: "released" }],
  [
    "a released one of which some was picked too",
    { status: "Processing", picks: some },
    { stage: "released" },
  ],
  ["a claimed one is picked", { status: "Processing", picker: "ann" }, { stage: "picking", picker: "ann" }],
  [
    "a claimed one of which some was picked too",
    { status: "Processing", picker: "ann", picks: some },
    { stage: "picking", picker: "ann" },
  ],
  [
    "a completely picked one waits for quality control",
    { status: "Processing", picker: "ann", picks: all },
    { stage: "picked" },
  ],
  [
    "a completely picked one of nobody in particular too",
    { status: "Processing", picks: all },
    { stage: "picked" },
  ],
  ["a Shipped one is done with", { status: "Shipped", picker: "ann", picks: all }, undefined],
  ["a Cancelled one is done with", { status: "Cancelled" }, undefined],
];

describe("what there is to do", () => {
  test.each(cases)("%s", (_rule, more, work) => {
    expect(workOf(sampleOrder({ items, ...more }))).toEqual(work);
  });

  test.each(cases)("%s: only its picker, or no one, can pick it", (_rule, more, work) => {
    const order = sampleOrder({ items, ...more });

    expect(isBeingPickedBy(order, "ann")).toBe(work?.stage === "picking");
    expect(isBeingPickedBy(order, "bob")).toBe(false);
  });
});
