import { expect, test } from "vitest";
import { orderLookup } from "../../../shared/orders/storage/order-repository.ts";
import { publish } from "../../../shared/publishing/publish.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt } from "../samples.ts";

test("a change that a stream delivers again is set aside, and counted, once", async () => {
  const { db } = faultyStore();
  const unreadable = { ...orderLookup(1000), after: { content: Buffer.from("no order") } };
  const change = { ...unreadable, id: "change-1", sequence: "1", at: createdAt, before: undefined };
  const deliver = () => publish(db, [change], async () => undefined);

  const figures = [await deliver(), await deliver()];

  expect(figures.map(({ set_aside }) => set_aside)).toEqual([1, 0]);
});
