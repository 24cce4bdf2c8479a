import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putBin } from "../../../infra/operator/registry.ts";
import { findAnyOrder } from "../../../shared/data/orders.ts";
import { Problem } from "../../../shared/domain/problem.ts";
import { shipOrder } from "../../../shared/operations/advance-order.ts";
import type { PickRequest } from "../../../shared/operations/locate-picks.ts";
import { pickOrder } from "../../../shared/operations/pick-order.ts";
import {
  binsOf,
  byManager,
  claimedOrder,
  pendingOrder,
  pickedOrder,
  pickFrom,
  stockedProduct,
} from "../../support/goods.ts";
import { expectBalanced } from "../../support/ledger.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { recountOf } from "../../support/records.ts";
import { troubledDatabase } from "../../support/troubled.ts";
import { asItIs } from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

const pick = (orderId: number, ...requests: readonly PickRequest[]) =>
  pickOrder(byManager(service.db), orderId, requests, asItIs);

/** Ten in A1/01 and five in A1/02. */
const stocked = () =>
  stockedProduct(service, [
    { location: "A1", bin: "01", qty: 10 },
    { location: "A1", bin: "02", qty: 5 },
  ]);

async function refusalOf(picking: Promise<unknown>): Promise<Problem> {
  const refusal: unknown = await picking.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refusal instanceof Problem) return refusal;
  throw new Error(`not refused by a problem: ${String(refusal)}`);
}

describe("picking", () => {
  test("takes goods out of bins, and leaves what is on hand and reserved as it is", async () => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);
    const before = await expectBalanced(service, sku);

    const order = await pick(orderId, pickFrom("A1/01", sku, 6), pickFrom("A1/02", sku, 1));

    expect(await binsOf(service, sku)).toEqual(["A1/01: 4", "A1/02: 4"]);
    expect(order.picks.map(({ bin, quantity, by }) => ({ bin, quantity, by }))).toEqual([
      { bin: "01", quantity: 6, by: "manager" },
      { bin: "02", quantity: 1, by: "manager" },
    ]);
    expect(await expectBalanced(service, sku)).toEqual({ ...before, binned: 8, picked: 7 });
    expect(await findAnyOrder(service.db, orderId)).toEqual(order);
  });

  test("takes several products in one call, a product on several lines as one", async () => {
    const [first, second] = [await stocked(), await stocked()];
    const orderId = await claimedOrder(service, [
      { sku: first, quantity: 2 },
      { sku: second, quantity: 4 },
      { sku: first, quantity: 3 },
    ]);

    await pick(orderId, pickFrom("A1/01", first, 5), pickFrom("A1/02", second, 4));

    expect((await expectBalanced(service, first)).picked).toBe(5);
    expect((await expectBalanced(service, second)).picked).toBe(4);
  });

  test("out of one bin several times, in one call or later, takes all of it and is one pick", async () => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);

    await pick(orderId, pickFrom("A1/01", sku, 2), pickFrom("A1/01", sku, 3));
    const order = await pick(orderId, pickFrom("A1/01", sku, 1));

    expect(order.picks).toMatchObject([{ bin: "01", quantity: 6 }]);
    expect(await binsOf(service, sku)).toEqual(["A1/01: 4", "A1/02: 5"]);
    await expectBalanced(service, sku);
  });

  test("may empty a bin", async () => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 10 }]);

    await pick(orderId, pickFrom("A1/01", sku, 10));

    expect(await binsOf(service, sku)).toEqual(["A1/01: 0", "A1/02: 5"]);
    await expectBalanced(service, sku);
  });
});

describe("picking is refused, and nothing changes,", () => {
  /** Eight are ordered, one of them is picked. */
  async function prepared() {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);
    await pick(orderId, pickFrom("A1/02", sku, 1));
    return { sku, orderId };
  }

  const stateOf = async (orderId: number, sku: string) => ({
    order: await findAnyOrder(service.db, orderId),
    bins: await binsOf(service, sku),
    ledger: await expectBalanced(service, sku),
  });

  test.each<[string, (sku: string) => readonly PickRequest[], string]>([
    [
      "of more than lies in the bin",
      (sku) => [pickFrom("A1/02", sku, 5)],
      "picks.0.quantity is more than lies in A1/02 (4)",
    ],
    [
      "of more than lies in the bin, by two picks of one call",
      (sku) => [pickFrom("A1/02", sku, 3), pickFrom("A1/02", sku, 2)],
      "picks.1.quantity is more than lies in A1/02 (1)",
    ],
    [
      "of more than is ordered",
      (sku) => [pickFrom("A1/01", sku, 8)],
      "picks.0.quantity is more than the order still needs of SKU (7)",
    ],
    [
      "of more than is ordered, out of several bins",
      (sku) => [pickFrom("A1/01", sku, 4), pickFrom("A1/02", sku, 4)],
      "picks.1.quantity is more than the order still needs of SKU (3)",
    ],
    [
      "out of a bin that there is not",
      (sku) => [pickFrom("Z9/99", sku, 1)],
      "picks.0.quantity is more than lies in Z9/99 (0)",
    ],
    [
      "out of a bin that never held the product",
      (sku) => [pickFrom("B1/03", sku, 1)],
      "picks.0.quantity is more than lies in B1/03 (0)",
    ],
    [
      "of a product that is not ordered",
      () => [pickFrom("A1/01", "DEMO-TEE", 1)],
      "picks.0.sku is not in the order (DEMO-TEE)",
    ],
    [
      "of what is right, beside what is wrong",
      (sku) => [pickFrom("A1/01", sku, 1), pickFrom("A1/01", "DEMO-TEE", 1)],
      "picks.1.sku is not in the order (DEMO-TEE)",
    ],
  ])("%s", async (_rule, requests, line) => {
    const { sku, orderId } = await prepared();
    const before = await stateOf(orderId, sku);

    const problem = await refusalOf(pick(orderId, ...requests(sku)));

    expect(problem.kind).toBe("invalid");
    expect(problem.details.errors?.map(({ path, message }) => `${path} ${message}`)).toEqual([
      line.replace("SKU", sku),
    ]);
    expect(await stateOf(orderId, sku)).toEqual(before);
  });

  test("out of a bin of another distribution center than the order's are reserved in", async () => {
    await putBin(service.db, {
      bin_id: 50,
      location: "E1",
      bin: "01",
      distribution_center_id: 2,
      distribution_center: "EAST",
    });
    const { sku, orderId } = await prepared();
    await service.wms.post("/recount", recountOf(sku, [{ location: "E1", bin: "01", qty: 3 }]));
    await service.runtime.settled();
    const before = await stateOf(orderId, sku);

    const problem = await refusalOf(pick(orderId, pickFrom("E1/01", sku, 1)));

    expect(problem.message).toBe(
      `picks.0.location is in another distribution center than the order's ${sku} (E1)`,
    );
    expect(await stateOf(orderId, sku)).toEqual(before);
  });

  test("for an order that nobody has claimed, whatever its bins hold", async () => {
    const sku = await stocked();
    const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);
    const before = await stateOf(orderId, sku);

    const problem = await refusalOf(pick(orderId, pickFrom("Z9/99", sku, 1)));

    expect(problem.message).toBe(`Order ${orderId} is Pending; only a Processing order can be picked`);
    expect(problem.details.errors).toMatchObject([{ path: "order_id" }]);
    expect(await stateOf(orderId, sku)).toEqual(before);
  });

  test("for an order that has left", async () => {
    const { orderId, sku } = await pickedOrder(service, 2);
    await shipOrder(byManager(service.db), orderId, null, asItIs);
    const before = await stateOf(orderId, sku);

    const problem = await refusalOf(pick(orderId, pickFrom("A1/01", sku, 1)));

    expect(problem.message).toBe(`Order ${orderId} is Shipped; only a Processing order can be picked`);
    expect(await stateOf(orderId, sku)).toEqual(before);
  });

  test("for an order that there is not", async () => {
    const problem = await refusalOf(pick(999_999, pickFrom("A1/01", "DEMO-TEE", 1)));

    expect([problem.kind, problem.message]).toEqual(["not_found", "There is no order with order_id 999999"]);
  });
});

describe("two pickers at once", () => {
  test("of one order lose nothing of each other", async () => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);

    await Promise.all(
      ["A1/01", "A1/02", "A1/01", "A1/02"].map((place) => pick(orderId, pickFrom(place, sku, 2))),
    );

    expect(await binsOf(service, sku)).toEqual(["A1/01: 6", "A1/02: 1"]);
    expect((await expectBalanced(service, sku)).picked).toBe(8);
  });

  test("of one order do not take more than is ordered", async () => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 5 }]);

    const picks = await Promise.allSettled([
      pick(orderId, pickFrom("A1/01", sku, 3)),
      pick(orderId, pickFrom("A1/02", sku, 3)),
    ]);

    expect(picks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(picks.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: `picks.0.quantity is more than the order still needs of ${sku} (2)` },
    });
    expect((await expectBalanced(service, sku)).picked).toBe(3);
  });

  test("of two orders do not take more out of a bin than lies there", async () => {
    const sku = await stocked();
    const orders = [
      await claimedOrder(service, [{ sku, quantity: 4 }]),
      await claimedOrder(service, [{ sku, quantity: 4 }]),
    ];

    const picks = await Promise.allSettled(orders.map((orderId) => pick(orderId, pickFrom("A1/02", sku, 4))));

    expect(picks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(picks.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: "picks.0.quantity is more than lies in A1/02 (1)" },
    });
    expect(await binsOf(service, sku)).toEqual(["A1/01: 10", "A1/02: 1"]);
    expect((await expectBalanced(service, sku)).picked).toBe(4);
  });
});

describe("picking takes the goods once", () => {
  test.each([
    { trouble: "conflict", rule: "through conflicts with other transactions", times: 3 },
    { trouble: "lose-response", rule: "though the answer to its transaction is lost", times: 1 },
  ] as const)("$rule", async ({ trouble, times }) => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);
    const troubled = troubledDatabase(service);
    troubled.add(trouble, { times });

    const order = await pickOrder(byManager(troubled.db), orderId, [pickFrom("A1/01", sku, 2)], asItIs);

    expect(troubled.hits).toBe(times);
    expect(order.picks).toMatchObject([{ quantity: 2 }]);
    expect(await findAnyOrder(service.db, orderId)).toEqual(order);
    expect(await binsOf(service, sku)).toEqual(["A1/01: 8", "A1/02: 5"]);
    await expectBalanced(service, sku);
  });

  test("or not at all where its transaction fails", async () => {
    const sku = await stocked();
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);
    const before = await findAnyOrder(service.db, orderId);
    const troubled = troubledDatabase(service);
    troubled.add("error", { times: 10 });

    await expect(
      pickOrder(byManager(troubled.db), orderId, [pickFrom("A1/01", sku, 2)], asItIs),
    ).rejects.toThrow("error");

    expect(await findAnyOrder(service.db, orderId)).toEqual(before);
    expect(await binsOf(service, sku)).toEqual(["A1/01: 10", "A1/02: 5"]);
  });
});
