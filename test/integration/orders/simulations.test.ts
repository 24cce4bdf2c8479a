/** The sandbox plays the warehouse by its own flows (docs/decisions.md, Sandbox). */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { endpoint as createReturns } from "../../../functions/oms/inventory/returns/create-returns.ts";
import { setUpStore } from "../../../infra/demo/registry.ts";
import type { Problem } from "../../../shared/common/problem.ts";
import { changeOrder } from "../../../shared/orders/change-orders.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { playWarehouse } from "../../../shared/sandbox/play-warehouse.ts";
import { binsHold } from "../../support/business/stored.ts";
import {
  announceReturn,
  claim,
  fulfill,
  newProduct,
  newStore,
  pendingOrder,
  pickFrom,
  pickItems,
  stockedProduct,
} from "../../support/business/world.ts";
import { timesAtOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { contextOf, create } from "../../support/records/flows.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const shared = await sharedService();
const sandbox = await newStore(shared, { sandbox: true });
await setUpStore(shared.db, sandbox.accountId);
const service: Service = { ...shared, ...sandbox };

const play = (order_id: number, to: string, more: object = {}): Promise<Answer> =>
  service.oms.post("/simulations", { order_id, to, ...more });

/** The returns of an order, and how many units of a product are on hand. */
async function outcomeOf(orderId: number, sku: string) {
  const { body } = await service.oms.get(`/inventory/returns?order_id=${orderId}`);
  const stock = await service.oms.get(`/inventory/stock?sku=${sku}`);
  return {
    returns: listAt(body, "data").map((one) => at(one, "status")),
    on_hand: at(stock.body, "data.0.on_hand"),
  };
}

test("an order is picked, weighed and shipped, and comes back into its bins, serials included", async () => {
  const plain = await stockedProduct(service, { "A1/01": 2, "A2/01": 5 }, { weight: 1.1 });
  const serial = await stockedProduct(service, { "B1/01": 3 }, { weight: 2 });
  const serials = { sku: serial.sku, serials: ["S1", "S2", "S3"] };
  await service.oms.post("/serials/bulk", { data: serials });
  const before = await Promise.all([plain, serial].map(({ sku }) => binsHold(service, sku)));
  const orderId = await pendingOrder(service, [
    { sku: plain.sku, quantity: 6 },
    { sku: serial.sku, quantity: 2 },
  ]);

  const inPicking = await play(orderId, "picked");
  const shipped = await play(orderId, "shipped", { tracking_number: "1Z999" });
  const back = await play(orderId, "returned");
  const again = await play(orderId, "returned");

  expect(at(inPicking.body, "data")).toMatchObject({ order_id: orderId, status: "Processing" });
  expect(at(shipped.body, "data")).toMatchObject({
    status: "Shipped",
    weight: 10.6,
    tracking_number: "1Z999",
    carrier: "Sandbox",
  });
  expect(listAt(back.body, "data.items").map((item) => at(item, "returned"))).toEqual([6, 2]);
  expect(again.body).toEqual(back.body);
  expect(await outcomeOf(orderId, plain.sku)).toEqual({ returns: ["Received"], on_hand: 7 });
  expect(await Promise.all([plain, serial].map(({ sku }) => binsHold(service, sku)))).toEqual(before);
});

test("units that were picked from a bin before and after their product had serials all come back", async () => {
  const { sku } = await stockedProduct(service, { "A1/03": 5 });
  const before = await binsHold(service, sku);
  const orderId = await pendingOrder(service, [{ sku, quantity: 3 }]);
  await claim(service, orderId);
  await pickItems(service, orderId, pickFrom(sku, 2));
  await service.oms.post("/serials/bulk", { data: { sku, serials: ["S1"] } });
  await play(orderId, "shipped");

  const back = await play(orderId, "returned");
  const again = await play(orderId, "returned");

  expect([back.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(back.body);
  expect(await outcomeOf(orderId, sku)).toEqual({ returns: ["Received"], on_hand: 5 });
  expect(await binsHold(service, sku)).toEqual(before);
});

test("no bin gets back more than was picked from it, by several lines and returns of one product", async () => {
  const { sku } = await stockedProduct(service, { "A1/01": 2, "A2/01": 5 });
  const before = await binsHold(service, sku);
  const lines = [3, 3].map((quantity) => ({ sku, quantity }));
  const orderId = await pendingOrder(service, lines);
  await play(orderId, "shipped");
  const target = await announceReturn(service, orderId, [{ sku, quantity: 1 }]);
  const put = await service.v2.post("/pro-v1/put-away-move", {
    ...{ ...target, sku, quantity: 1 },
    ...{ location: "A2", bin: "01" },
  });

  const back = await play(orderId, "returned");

  expect([put.status, back.status]).toEqual([200, 200]);
  expect(await binsHold(service, sku)).toEqual(before);
});

test("all of more than a hundred returns of an order come back", async () => {
  const units = 101;
  const { sku } = await stockedProduct(service, units);
  const orderId = await pendingOrder(service, [{ sku, quantity: units }]);
  await fulfill(service, orderId);
  const single = { order_id: orderId, items: [{ sku, quantity: 1 }] };
  await create(service, createReturns, ...Array.from({ length: units - 1 }, () => single));

  const back = await play(orderId, "returned");

  expect(back.status).toBe(200);
  expect((await outcomeOf(orderId, sku)).on_hand).toBe(units);
});

test("a simulation with an Idempotency-Key is answered as a whole, and a retry as it was", async () => {
  const { sku } = await stockedProduct(service, 1);
  const order_id = await pendingOrder(service, [{ sku, quantity: 1 }]);
  const call = () =>
    service.oms.post(
      "/simulations",
      { order_id, to: "returned" },
      { "idempotency-key": `whole-${order_id}` },
    );

  const first = await call();
  const retried = await call();

  expect([first.status, at(first.body, "data.items.0.returned")]).toEqual([200, 1]);
  expect([retried.headers.get("idempotent-replayed"), retried.body]).toEqual(["true", first.body]);
});

test("no step of a simulation is dated before a change that was made since the call began", async () => {
  const { sku } = await stockedProduct(service, 1);
  const began = new Date(Date.now() - 5_000).toISOString();
  const orderId = await pendingOrder(service, [{ sku, quantity: 1 }]);

  const order = await playWarehouse(
    { ...contextOf(service), now: began },
    { order_id: orderId, to: "returned" },
  );

  const { body } = await service.oms.get(`/inventory/stock/${sku}/movements`);
  const putAway = listAt(body, "data").find((movement) => at(movement, "reason") === "put_away");
  const { created_at, picks, weight_updated_at, shipped_at } = order;
  const times = [created_at, picks[0]?.at, weight_updated_at, shipped_at, at(putAway, "at")];
  expect(times).toEqual(times.toSorted());
});

describe("a simulation goes on from where the warehouse stands", () => {
  const goods = () => stockedProduct(service, 9);

  test.each<readonly [string, (orderId: number, sku: string) => Promise<unknown>]>([
    ["with an order that a picker has claimed", (orderId) => claim(service, orderId)],
    [
      "with an order that is picked in part",
      async (orderId, sku) => {
        await claim(service, orderId);
        await pickItems(service, orderId, pickFrom(sku, 1));
      },
    ],
    ["with a Shipped order", (orderId) => fulfill(service, orderId)],
    [
      "with an order of which a part was returned, and is not put away",
      async (orderId, sku) => {
        await fulfill(service, orderId);
        await announceReturn(service, orderId, [{ sku, quantity: 1 }]);
      },
    ],
  ])("%s", async (_, begin) => {
    const { sku } = await goods();
    const orderId = await pendingOrder(service, [{ sku, quantity: 3 }]);
    await begin(orderId, sku);

    const { status, body } = await play(orderId, "returned");

    expect({ status, returned: at(body, "data.items.0.returned") }).toEqual({ status: 200, returned: 3 });
    const { returns, on_hand } = await outcomeOf(orderId, sku);
    expect({ open: returns.filter((one) => one !== "Received"), on_hand }).toEqual({ open: [], on_hand: 9 });
  });

  test("with several calls at once, which do everything once", async () => {
    const { sku } = await goods();
    const orderId = await pendingOrder(service, [{ sku, quantity: 3 }]);

    const answers = await timesAtOnce(service, 3, () => play(orderId, "returned"));

    // The others may find the goods put away just before they do it.
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await outcomeOf(orderId, sku)).toEqual({ returns: ["Received"], on_hand: 9 });
  });
});

test("several calls at once weigh and ship an order once, and all answer it", async () => {
  const { sku } = await stockedProduct(service, 9);
  const orderId = await pendingOrder(service, [{ sku, quantity: 3 }]);
  const { body } = await play(orderId, "picked");

  const shipped = await timesAtOnce(service, 4, () => play(orderId, "shipped"));

  expect(shipped.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(shipped.map((answer) => at(answer.body, "data.version"))).toEqual(
    shipped.map(() => Number(at(body, "data.version")) + 2),
  );
});

test("a simulation that takes longer than one call is 429, and goes on when it is sent again", async () => {
  const bins = {
    "A1/01": 1,
    "A1/02": 1,
    "A1/03": 1,
    "A2/01": 1,
    "A2/02": 1,
    "A2/03": 1,
    "B1/01": 1,
    "B1/02": 1,
  };
  const { sku } = await stockedProduct(service, bins);
  const orderId = await pendingOrder(service, [{ sku, quantity: 8 }]);
  await play(orderId, "shipped");
  // Each look at the clock takes two seconds.
  let seconds = 0;
  vi.spyOn(process, "uptime").mockImplementation(() => (seconds += 2));
  onTestFinished(() => void vi.restoreAllMocks());

  const answers: Problem[] = [];
  const attempt = () => playWarehouse(contextOf(service), { order_id: orderId, to: "returned" });
  let done: Order | undefined;
  while (done === undefined && answers.length < 8)
    done = await attempt().catch((problem: Problem) => void answers.push(problem));

  expect(answers.length).toBeGreaterThan(0);
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["too_many"]));
  expect(done?.items.map(({ returned: back }) => back)).toEqual([8]);
  expect(await outcomeOf(orderId, sku)).toEqual({ returns: ["Received"], on_hand: 8 });
});

describe("a simulation is refused", () => {
  const refusal = ({ status, body }: Answer) => [status, at(body, "response.message")];

  test("with 409 and the reason if goods are short or the order is Cancelled", async () => {
    const { sku } = await stockedProduct(service, 1);
    const short = await pendingOrder(service, [{ sku, quantity: 2 }]);
    const cancelled = await pendingOrder(service, [{ sku, quantity: 1 }]);
    await service.oms.post("/orders/cancel", { order_id: cancelled });

    expect(refusal(await play(short, "picked"))).toEqual([
      409,
      `goods are short: 1 of ${sku} in the bins of the order's center, 2 wanted`,
    ]);
    expect(refusal(await play(cancelled, "shipped"))).toEqual([
      409,
      `Order ${cancelled} is Cancelled; only a Pending order can be claimed`,
    ]);
  });

  test("before the order is claimed if goods are short, so that it can still be cancelled", async () => {
    const { sku } = await stockedProduct(service, 1);
    const short = await pendingOrder(service, [{ sku, quantity: 2 }]);

    const refused = await play(short, "shipped");
    const cancelled = await service.oms.post("/orders/cancel", { order_id: short });

    expect([refused.status, cancelled.status]).toEqual([409, 200]);
  });

  test.each([
    ["claimed", "Pending", async () => undefined],
    ["picked in part", "Processing", (orderId: number) => claim(service, orderId)],
  ])(
    "before the order is %s if serials are short, which another line's goods are not",
    async (_, status, begin) => {
      const plain = await stockedProduct(service, 5);
      const { sku } = await stockedProduct(service, 20);
      const serials = await service.oms.post("/serials/bulk", { data: { sku, serials: ["Z1"] } });
      const before = await Promise.all([plain.sku, sku].map((one) => binsHold(service, one)));
      const lines = [plain.sku, sku].map((one) => ({ sku: one, quantity: 2 }));
      const short = await pendingOrder(service, lines);
      await begin(short);

      const refused = await play(short, "picked");

      expect([serials.status, ...refusal(refused)]).toEqual([
        200,
        409,
        `goods are short: 1 of ${sku} with serials that can be picked, 2 wanted`,
      ]);
      const { body } = await service.oms.get(`/orders/${short}`);
      expect(at(body, "data.status")).toBe(status);
      expect(await Promise.all([plain.sku, sku].map((one) => binsHold(service, one)))).toEqual(before);
    },
  );

  test("with 409 if release 1.0.0 let too much of the order be picked, until it is reverted", async () => {
    const { sku } = await stockedProduct(service, 4);
    const orderId = await pendingOrder(service, [{ sku, quantity: 3 }]);
    await play(orderId, "picked");
    const tooMany = async (latest: Order) => {
      const picks = latest.picks.map((pick) => ({ ...pick, quantity: 4 }));
      return { after: { ...latest, picks, version: latest.version + 1 } };
    };
    await changeOrder(contextOf(service), orderId, tooMany, (order) => order);

    expect(refusal(await play(orderId, "shipped"))).toEqual([
      409,
      `Order ${orderId} has picks of more units than its lines need; revert it first`,
    ]);
  });

  test("with 404 for another account's order, and with 403 if the account is not a sandbox", async () => {
    const other = await sharedService();
    const { sku } = await newProduct(other);
    const theirs = await pendingOrder(other, [{ sku, quantity: 1 }]);

    const unknown = await play(theirs, "picked");
    const plain = await other.oms.post("/simulations", { order_id: theirs, to: "picked" });

    expect([unknown.status, ...refusal(plain)]).toEqual([
      404,
      403,
      "The account is no sandbox, so its warehouse is not simulated",
    ]);
  });

  test("with 400 as a dry run, which its steps can't be", async () => {
    expect((await service.oms.post("/simulations?dry_run=true", { order_id: 1, to: "picked" })).status).toBe(
      400,
    );
  });
});
