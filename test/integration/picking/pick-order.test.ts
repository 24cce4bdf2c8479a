import { beforeAll, describe, expect, test } from "vitest";
import { readBooks } from "../../../infra/operator/verify/index.ts";
import { Problem } from "../../../shared/common/problem.ts";
import type { PickRequest } from "../../../shared/picking/locate-picks.ts";
import { listPicks } from "../../../shared/picking/pick-list.ts";
import { expectBalance, expectEachBalanced } from "../../support/business/ledger.ts";
import { stockpile } from "../../support/business/stockpile.ts";
import { binsHold, storedOrder, storedOrders } from "../../support/business/stored.ts";
import {
  claim,
  claimEach,
  claimedOrder,
  countStock,
  newOrders,
  newProduct,
  pendingOrder,
  pickFrom,
  pickItems,
  shipOrder,
} from "../../support/business/world.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { orderOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const { sku: unordered } = await newProduct(service);
/** The next product of which ten lie in A1/01 and five in A1/02. */
const inTwoBins = await stockpile(service, 13, [
  { bin: "A1/01", quantity: 10 },
  { bin: "A1/02", quantity: 5 },
]);
const ordered = Array.from({ length: 5 }, () => inTwoBins());
const orderIds = await newOrders(
  service,
  ordered.map(({ sku }) => [{ sku, quantity: 8 }]),
);
await claimEach(service, orderIds);
/** The next of such products with an order of eight of it, which `manager` has claimed. */
const ofEight = oneByOne(
  ordered.map((product, position) => ({ ...product, orderId: orderIds[position] ?? 0 })),
);

const pick = (orderId: number, ...requests: readonly PickRequest[]) =>
  pickItems(service, orderId, ...requests);

async function rejectionOf(picking: Promise<unknown>): Promise<Problem> {
  const rejection: unknown = await picking.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (rejection instanceof Problem) return rejection;
  throw new Error(`not refused by a problem: ${String(rejection)}`);
}

describe("picking", () => {
  test("takes goods out of bins, and leaves what is on hand and reserved as it is", async () => {
    const { sku, orderId } = ofEight();
    const before = await expectBalance(service, sku);

    const order = await pick(orderId, pickFrom(sku, 6, "A1/01"), pickFrom(sku, 1, "A1/02"));

    expect(await binsHold(service, sku)).toEqual(["A1/01: 4", "A1/02: 4"]);
    expect(order.picks.map(({ bin, quantity, by }) => ({ bin, quantity, by }))).toEqual([
      { bin: "01", quantity: 6, by: "manager" },
      { bin: "02", quantity: 1, by: "manager" },
    ]);
    expect(await expectBalance(service, sku)).toEqual({ ...before, binned: 8, expected: 8, picked: 7 });
    expect(await storedOrder(service, orderId)).toEqual(order);
  });

  test("takes several products in one call, a product on several lines as one", async () => {
    const [{ sku: first }, { sku: second }] = [inTwoBins(), inTwoBins()];
    const orderId = await claimedOrder(service, [
      { sku: first, quantity: 2 },
      { sku: second, quantity: 4 },
      { sku: first, quantity: 3 },
    ]);

    await pick(orderId, pickFrom(first, 5, "A1/01"), pickFrom(second, 4, "A1/02"));

    const balances = await expectEachBalanced(service, [first, second]);
    expect(balances.map(({ picked }) => picked)).toEqual([5, 4]);
  });

  test("out of one bin several times, in one call or later, takes all of it and is one pick", async () => {
    const { sku, orderId } = ofEight();

    await pick(orderId, pickFrom(sku, 2, "A1/01"), pickFrom(sku, 3, "A1/01"));
    const order = await pick(orderId, pickFrom(sku, 1, "A1/01"));

    expect(order.picks).toMatchObject([{ bin: "01", quantity: 6 }]);
    expect(await binsHold(service, sku)).toEqual(["A1/01: 4", "A1/02: 5"]);
    await expectBalance(service, sku);
  });

  test("may empty a bin", async () => {
    const { sku } = inTwoBins();
    const orderId = await claimedOrder(service, [{ sku, quantity: 10 }]);

    await pick(orderId, pickFrom(sku, 10, "A1/01"));

    expect(await binsHold(service, sku)).toEqual(["A1/01: 0", "A1/02: 5"]);
    await expectBalance(service, sku);
  });
});

describe("an order of a product that moved to another center", () => {
  /** Two units are reserved in MAIN, a third one in EAST; all of them lie in both. */
  async function inTwoCenters() {
    const { sku } = inTwoBins();
    await countStock(service, sku, { "E1/01": 10 });
    const orderId = await pendingOrder(service, [{ sku, quantity: 2 }]);
    await service.oms.patch("/inventory/products", { data: [{ sku, distribution_center: "EAST" }] });
    const items = [
      { sku, ordered_as: sku, quantity: 2 },
      { sku, quantity: 1 },
    ];
    const { status } = await service.oms.put("/orders", { data: [orderOf(items, { order_id: orderId })] });
    expect(status).toBe(200);
    await claim(service, orderId);
    return { sku, orderId };
  }

  test("is not picked from one center in place of the other", async () => {
    const { sku, orderId } = await inTwoCenters();

    const problem = await rejectionOf(pick(orderId, pickFrom(sku, 2, "A1/01"), pickFrom(sku, 1, "A1/02")));

    expect(problem.message).toBe(
      `picks.1.quantity is more than the order still needs of ${sku} from the center of A1 (0)`,
    );
    expect(await binsHold(service, sku)).toEqual(["A1/01: 10", "A1/02: 5", "E1/01: 10"]);
  });

  test("ships once each center has given its part, and takes it off that center's stock", async () => {
    const { sku, orderId } = await inTwoCenters();

    await pick(orderId, pickFrom(sku, 2, "A1/01"));
    const early = await rejectionOf(shipOrder(service, orderId));
    await pick(orderId, pickFrom(sku, 1, "E1/01"));
    const { status } = await shipOrder(service, orderId);

    expect(early.message).toBe(`Order ${orderId} is not picked completely; it can't be shipped`);
    expect(status).toBe("Shipped");
    expect(await binsHold(service, sku)).toEqual(["A1/01: 8", "A1/02: 5", "E1/01: 9"]);
    await expectBalance(service, sku);
  });
});

describe("picking is refused, and nothing changes,", () => {
  /** Eight are ordered, one of them is picked. */
  let own: ReturnType<typeof ofEight>;
  /** Some of it lie in another distribution center, too. */
  let apart: typeof own;
  let unclaimed: typeof own;
  beforeAll(async () => {
    [own, apart] = [ofEight(), ofEight()];
    await pick(own.orderId, pickFrom(own.sku, 1, "A1/02"));
    await countStock(service, apart.sku, { "E1/01": 30 });
    const waiting = inTwoBins();
    unclaimed = {
      ...waiting,
      orderId: await pendingOrder(service, [{ sku: waiting.sku, quantity: 1 }]),
    };
  });

  test.each<[string, (sku: string) => readonly PickRequest[], string]>([
    [
      "of more than lies in the bin",
      (sku) => [pickFrom(sku, 5, "A1/02")],
      "picks.0.quantity is more than lies in A1/02 (4)",
    ],
    [
      "of more than lies in the bin, by two picks of one call",
      (sku) => [pickFrom(sku, 3, "A1/02"), pickFrom(sku, 2, "A1/02")],
      "picks.1.quantity is more than lies in A1/02 (1)",
    ],
    [
      "of more than is ordered, out of several bins",
      (sku) => [pickFrom(sku, 4, "A1/01"), pickFrom(sku, 4, "A1/02")],
      "picks.1.quantity is more than the order still needs of SKU from the center of A1 (3)",
    ],
    [
      "out of a bin that there is not",
      (sku) => [pickFrom(sku, 1, "Z9/99")],
      "picks.0.location is not a known location (Z9); known are A1, A2, B1, E1",
    ],
    [
      "out of a bin that never held the product",
      (sku) => [pickFrom(sku, 1, "B1/03")],
      "picks.0.quantity is more than lies in B1/03 (0)",
    ],
    [
      "of a product that is not ordered",
      () => [pickFrom(unordered, 1, "A1/01")],
      "picks.0.sku is not in the order (UNORDERED)",
    ],
    [
      "of what is right, beside what is wrong",
      (sku) => [pickFrom(sku, 1, "A1/01"), pickFrom(unordered, 1, "A1/01")],
      "picks.1.sku is not in the order (UNORDERED)",
    ],
  ])("%s", async (_rule, requests, line) => {
    const { sku, orderId } = own;

    const problem = await rejectionOf(pick(orderId, ...requests(sku)));

    expect(problem.kind).toBe("invalid");
    expect(problem.details.errors?.map(({ path, message }) => `${path} ${message}`)).toEqual([
      line.replace("SKU", sku).replace("UNORDERED", unordered),
    ]);
  });

  test("out of a bin in a center where nothing is reserved for the order, which no pick list names", async () => {
    const { sku, orderId } = apart;

    const [lines = []] = await listPicks(service.db, [await storedOrder(service, orderId)]);
    const problem = await rejectionOf(pick(orderId, pickFrom(sku, 1, "E1/01")));

    expect(lines.flatMap(({ bins }) => bins.map(({ location }) => location))).toEqual(["A1"]);
    expect(problem.message).toBe(
      `picks.0.location is in another distribution center than the order's ${sku} (E1)`,
    );
  });

  test("for an order that nobody has claimed, whatever its bins hold", async () => {
    const { sku, orderId } = unclaimed;

    const problem = await rejectionOf(pick(orderId, pickFrom(sku, 1, "Z9/99")));

    expect(problem.message).toBe(`Order ${orderId} is Pending; only a Processing order can be picked`);
    expect(problem.details.errors).toMatchObject([{ path: "order_id" }]);
  });

  changeNothing(async () => {
    const all = [own, apart, unclaimed];
    return {
      orders: await storedOrders(
        service,
        all.map(({ orderId }) => orderId),
      ),
      books: (await Promise.all(all.map(({ product_id }) => readBooks(service.db, product_id)))).map(
        ({ state }) => state,
      ),
      balances: await expectEachBalanced(
        service,
        all.map(({ sku }) => sku),
      ),
    };
  });
});

describe("two pickers at once", () => {
  test("of one order both have their picks stored", async () => {
    const { sku, orderId } = ofEight();

    await Promise.all(
      ["A1/01", "A1/02", "A1/01", "A1/02"].map((place) => pick(orderId, pickFrom(sku, 2, place))),
    );

    expect(await binsHold(service, sku)).toEqual(["A1/01: 6", "A1/02: 1"]);
    expect((await expectBalance(service, sku)).picked).toBe(8);
  });

  test("of one order do not take more than is ordered", async () => {
    const { sku } = inTwoBins();
    const orderId = await claimedOrder(service, [{ sku, quantity: 5 }]);

    const picks = await Promise.allSettled([
      pick(orderId, pickFrom(sku, 3, "A1/01")),
      pick(orderId, pickFrom(sku, 3, "A1/02")),
    ]);

    expect(picks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(picks.find(({ status }) => status === "rejected")).toMatchObject({
      reason: {
        message: `picks.0.quantity is more than the order still needs of ${sku} from the center of A1 (2)`,
      },
    });
    expect((await expectBalance(service, sku)).picked).toBe(3);
  });

  test("of two orders do not take more out of a bin than lies there", async () => {
    const { sku } = inTwoBins();
    const orders = [
      await claimedOrder(service, [{ sku, quantity: 4 }]),
      await claimedOrder(service, [{ sku, quantity: 4 }]),
    ];

    const picks = await Promise.allSettled(orders.map((orderId) => pick(orderId, pickFrom(sku, 4, "A1/02"))));

    expect(picks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(picks.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: "picks.0.quantity is more than lies in A1/02 (1)" },
    });
    expect(await binsHold(service, sku)).toEqual(["A1/01: 10", "A1/02: 1"]);
    expect((await expectBalance(service, sku)).picked).toBe(4);
  });
});
