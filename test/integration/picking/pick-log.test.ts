import { beforeAll, describe, expect, test } from "vitest";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { claimOrder } from "../../../shared/picking/picking-flows.ts";
import { findSerial } from "../../../shared/serials/serial-repository.ts";
import { expectEachBalanced } from "../../support/business/ledger.ts";
import { goodsOf, layOut } from "../../support/business/stockpile.ts";
import { binsHold, layerOf, storedOrder, storedOrders } from "../../support/business/stored.ts";
import {
  announceReturn,
  asItIs,
  byManager,
  type NewProduct,
  newProduct,
  newProducts,
  pendingOrder,
  receiveGoods,
  shipOrder,
} from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { type Answer, at, numberAt } from "../../support/http/client.ts";
import { signIn } from "../../support/http/mobile.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { contextOf } from "../../support/records/flows.ts";
import { unique } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** A product of the account that no order of this file has. */
const { sku: unordered } = await newProduct(service);
const ann = await signIn(service);
const bob = await signIn(service);

const place = { location: "A1", bin: "01" };

/** A new order that a picker, ann without, has claimed; its id. */
async function claimed(sku: string, quantity: number, picker: string | null = ann.user_name) {
  const orderId = await pendingOrder(service, [{ sku, quantity }]);
  await claimOrder(byManager(service.db), orderId, picker);
  return orderId;
}

/** A new product, of which so many lie at the place. */
const lying = async (quantity = 10) => (await goodsOf(service, { "A1/01": quantity })).sku;

const log = (order_id: unknown, picks: unknown, picker = ann, headers = {}): Promise<Answer> =>
  picker.post("/mobile-v1/pp-updateLogPick-1", { order_id, picks }, headers);

const messageOf = ({ status, body }: Answer): unknown => [status, at(body, "response.message")];

describe("the pick log", () => {
  test("notes what was taken out of which bin, by its lots, and tells what is left to pick", async () => {
    const product = await newProduct(service);
    const { sku, product_id } = product;
    const lot = { lot: "L1", expires_on: "2027-06-30" };
    await receiveGoods(
      service,
      sku,
      { quantity: 2, day: "2026-02-02" },
      { quantity: 3, day: "2026-02-01", ...lot },
      { quantity: 4, day: "2026-02-03", bin: "A2/02" },
    );
    const order_id = await claimed(sku, 6);

    const first = await log(order_id, [{ sku, ...place, quantity: 4 }]);
    const second = await log(order_id, [{ sku, location: "A2", bin: "02", quantity: 2 }]);

    const near = {
      product_id,
      sku,
      ...place,
      bin_id: expect.any(Number),
      quantity: 4,
      lots: [layerOf("2026-02-01", 3, lot), layerOf("2026-02-02", 1)],
      serials: [],
    };
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      data: {
        order_id,
        order_number: expect.any(String),
        account_id: service.accountId,
        status: "Processing",
        fully_picked: false,
        items: [{ product_id, sku, quantity: 6, picked: 4, remaining: 2 }],
        picks: [near],
      },
    });
    expect(at(second.body, "data")).toMatchObject({
      fully_picked: true,
      items: [{ picked: 6, remaining: 0 }],
      picks: [near, { location: "A2", bin: "02", quantity: 2, lots: [layerOf("2026-02-03", 2)] }],
    });
    expect((await storedOrder(service, order_id)).picks.map(({ by }) => by)).toEqual([
      ann.user_name,
      ann.user_name,
    ]);
    await expectEachBalanced(service, [sku]);
  });

  test("is noted once for each Idempotency-Key", async () => {
    const sku = await lying();
    const orderId = await claimed(sku, 6);
    const key = { "Idempotency-Key": unique("key") };
    const picks = [{ sku, ...place, quantity: 2 }];

    const answers = [await log(orderId, picks, ann, key), await log(orderId, picks, ann, key)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await binsHold(service, sku)).toEqual(["A1/01: 8"]);
  });
});

describe("a wrong pick is refused with nothing changed", () => {
  const good = { ...place, quantity: 1 };

  type Picker = "ann" | "bob" | "none";

  /** What is refused changes nothing, so that an order serves all cases of its picker. */
  const prepared = new Map<Picker, { readonly sku: string; readonly orderId: number }>();
  beforeAll(async () => {
    const pickers = { ann: ann.user_name, bob: bob.user_name, none: null };
    for (const name of ["ann", "bob", "none"] as const) {
      const sku = await lying(3);
      prepared.set(name, { sku, orderId: await claimed(sku, 5, pickers[name]) });
    }
  });

  async function expectRefused(
    picks: (sku: string) => unknown,
    message: string,
    picker: Picker = "ann",
  ): Promise<void> {
    const { sku = "", orderId } = prepared.get(picker) ?? {};

    const answer = await log(orderId, picks(sku));

    const says = message
      .replace("SKU", sku)
      .replace("UNORDERED", unordered)
      .replace("ORDER", String(orderId));
    expect(messageOf(answer)).toEqual([400, says]);
  }

  const p = "picks.0";
  test.each<[string, (sku: string) => unknown, string]>([
    [
      "serials of a product that has none",
      (sku) => [{ sku, ...good, serials: ["A"] }],
      `${p}.serials must be left out: SKU has no serials`,
    ],
    [
      "a bin that there is not",
      (sku) => [{ sku, ...good, bin: "99" }],
      `${p}.bin is not a bin of A1 (99); it has 01, 02, 03`,
    ],
  ])("%s", async (_case, picks, message) => {
    await expectRefused(picks, message);
  });

  test("for an order of another picker, or of none", async () => {
    const pick = (sku: string) => [{ sku, ...good }];
    const theirs = `Order ORDER is picked by ${bob.user_name}; only its own picker can pick it`;

    await expectRefused(pick, theirs, "bob");
    await expectRefused(pick, "Order ORDER has no picker; claim it before you pick it", "none");
  });

  test("for an order that there is not, which is not found", async () => {
    const answer = await log(999_999_999, [{ sku: unordered, ...good }]);

    expect(messageOf(answer)).toEqual([404, "There is no order with order_id 999999999"]);
  });

  changeNothing(async () => {
    const all = [...prepared.values()];
    const bins = await Promise.all(all.map(({ sku }) => binsHold(service, sku)));
    expect(bins).toEqual(all.map(() => ["A1/01: 3"]));
    return storedOrders(
      service,
      all.map(({ orderId }) => orderId),
    );
  });
});

describe("goods with serials", () => {
  /** Five in a bin, with serials A to E. */
  let withSerials: () => NewProduct;
  beforeAll(async () => {
    const products = await newProducts(service, 4);
    const serials = ["A", "B", "C", "D", "E"];
    const data = products.map(({ sku }) => ({ sku, serials }));
    const created = await service.oms.post("/serials/bulk", { data });
    expect(created.status).toBe(200);
    await layOut(service, products, [{ bin: "A1/01", quantity: 5 }]);
    withSerials = oneByOne(products);
  });

  const pick = (sku: string, serials: readonly string[], quantity = serials.length) => [
    { sku, ...place, quantity, serials },
  ];

  const pickedFor = async (productId: number, text: string) =>
    (await findSerial(service.db, productId, text))?.picked_for;

  test("are picked by them, once; a revert lets them be picked again", async () => {
    const { sku, product_id } = withSerials();
    const [mine, other] = [await claimed(sku, 3), await claimed(sku, 3)];

    const first = await log(mine, pick(sku, ["B", "A"]));
    const again = await log(mine, pick(sku, ["A"]));
    const elsewhere = await log(other, pick(sku, ["C", "B"]));
    const marked = await pickedFor(product_id, "A");
    await service.wms.post("/shipments/revert/pending", { shipments_list: [mine] });
    await service.settled();
    const after = await log(other, pick(sku, ["C", "B"]));

    expect(at(first.body, "data.picks.0")).toMatchObject({ quantity: 2, serials: ["B", "A"] });
    expect(messageOf(again)).toEqual([400, `picks.0.serials.0 is picked for order ${mine} already (A)`]);
    expect(messageOf(elsewhere)).toEqual([400, `picks.0.serials.1 is picked for order ${mine} already (B)`]);
    expect([marked, await pickedFor(product_id, "A")]).toEqual([mine, undefined]);
    expect(after.status).toBe(200);
    expect(await pickedFor(product_id, "B")).toBe(other);
    await expectEachBalanced(service, [sku]);
  });

  test("can be picked again once their return is put away, which names them", async () => {
    const { sku, product_id } = withSerials();
    const [gone, next] = [await claimed(sku, 2), await claimed(sku, 1)];
    await log(gone, pick(sku, ["A", "B"]));
    await shipOrder(service, gone);
    const target = await announceReturn(service, gone, [{ sku, quantity: 1 }]);
    const put = (more: object) =>
      service.v2.post("/pro-v1/put-away-move", { ...target, sku, quantity: 1, ...place, ...more });

    const refused = [
      await put({}),
      await put({ serials: ["A", "B"] }),
      await put({ serials: ["C"] }),
      await put({ serials: ["Z"] }),
    ];
    const stored = await put({ serials: ["A"] });
    const again = await log(next, pick(sku, ["A"]));

    expect(refused.map(messageOf)).toEqual([
      [400, `serials is required: ${sku} has serials`],
      [400, "serials must name as many serials as there are units (1)"],
      [400, `serials.0 was not picked for order ${gone} (C)`],
      [400, `serials.0 is not a serial of ${sku} (Z)`],
    ]);
    expect([stored.status, again.status]).toEqual([200, 200]);
    expect([await pickedFor(product_id, "A"), await pickedFor(product_id, "B")]).toEqual([next, gone]);
    await expectEachBalanced(service, [sku]);
  });

  test("come back without serials if they were picked before their product had any", async () => {
    const sku = await lying(5);
    const gone = await claimed(sku, 2);
    await log(gone, [{ sku, ...place, quantity: 2 }]);
    await shipOrder(service, gone);
    const target = await announceReturn(service, gone, [{ sku, quantity: 2 }]);
    await service.oms.post("/serials/bulk", { data: [{ sku, serials: ["A"] }] });
    const put = (more: object) =>
      service.v2.post("/pro-v1/put-away-move", { ...target, sku, quantity: 2, ...place, ...more });

    const named = await put({ serials: ["A"] });
    const plain = await put({});

    const reason = `${sku} was picked for order ${gone} without serials`;
    expect(messageOf(named)).toEqual([400, `serials must be left out: ${reason}`]);
    expect(plain.status).toBe(200);
    await expectEachBalanced(service, [sku]);
  });

  /** A shipped order, of which two units were picked without serials, and two as A and B. */
  const pickedInPartWithSerials = async () => {
    const sku = await lying(5);
    const gone = await claimed(sku, 4);
    await log(gone, [{ sku, ...place, quantity: 2 }]);
    await service.oms.post("/serials/bulk", { data: [{ sku, serials: ["A", "B", "C"] }] });
    await log(gone, pick(sku, ["A", "B"]));
    await shipOrder(service, gone);
    return { sku, gone };
  };

  test("come back for each unit beyond those that were picked without, over all put-aways of the order", async () => {
    const { sku, gone } = await pickedInPartWithSerials();
    const first = await announceReturn(service, gone, [{ sku, quantity: 2 }]);
    const second = await announceReturn(service, gone, [{ sku, quantity: 2 }]);
    const put = (target: object, more: object = {}) =>
      service.v2.post("/pro-v1/put-away-move", { ...target, sku, quantity: 1, ...place, ...more });

    const plain = [await put(first), await put(second)];
    const beyond = [await put(first), await put(second)];
    const named = [await put(first, { serials: ["B"] }), await put(second, { serials: ["A"] })];

    const required = [400, `serials is required: ${sku} has serials`];
    expect(plain.map(({ status }) => status)).toEqual([200, 200]);
    expect(beyond.map(messageOf)).toEqual([required, required]);
    expect(named.map(({ status }) => status)).toEqual([200, 200]);
    await expectEachBalanced(service, [sku]);
  });

  test.each([
    ["announced before", true],
    ["announced meanwhile", false],
  ])(
    "come back for each unit beyond those though another return, %s, is put away meanwhile",
    async (_, isEarlier) => {
      const { sku, gone } = await pickedInPartWithSerials();
      const announce = () => announceReturn(service, gone, [{ sku, quantity: 2 }]);
      const target = await announce();
      const earlier = isEarlier ? await announce() : undefined;
      const goods = { sku, quantity: 2, ...place };
      const { db } = troubledDatabase(service, {
        before: async () =>
          putAway(contextOf(service), earlier ?? (await announce()), { ...goods, bin: "02" }, asItIs),
      });

      const overtaken = putAway(contextOf({ ...service, db }), target, goods, asItIs);

      await expect(overtaken).rejects.toThrow(`serials is required: ${sku} has serials`);
      expect(await binsHold(service, sku)).toEqual(["A1/01: 1", "A1/02: 2"]);
      await expectEachBalanced(service, [sku]);
    },
  );

  test("come back however many other returns of the order are open", async () => {
    const sku = await lying(100);
    const gone = await claimed(sku, 100);
    await log(gone, [{ sku, ...place, quantity: 99 }]);
    await service.oms.post("/serials/bulk", { data: [{ sku, serials: ["A"] }] });
    await log(gone, pick(sku, ["A"]));
    await shipOrder(service, gone);
    const data = Array.from({ length: 100 }, () => ({ order_id: gone, items: [{ sku, quantity: 1 }] }));
    const announced = await service.oms.post("/inventory/returns", { data });
    const putAwayOf = (position: number, serials?: readonly string[]) => {
      const return_id = numberAt(announced.body, `data.${position}.return_id`);
      return putAway(contextOf(service), { return_id }, { sku, quantity: 1, serials, ...place }, asItIs);
    };

    await putAwayOf(0);
    await putAwayOf(1, ["A"]);

    expect(await binsHold(service, sku)).toEqual(["A1/01: 2"]);
    await expectEachBalanced(service, [sku]);
  }, 60_000);

  test("keep the order that they were shipped with", async () => {
    const { sku, product_id } = withSerials();
    const [gone, next] = [await claimed(sku, 1), await claimed(sku, 1)];
    await log(gone, pick(sku, ["A"]));
    await shipOrder(service, gone);

    const answer = await log(next, pick(sku, ["A"]));

    expect(messageOf(answer)).toEqual([400, `picks.0.serials.0 is picked for order ${gone} already (A)`]);
    expect(await pickedFor(product_id, "A")).toBe(gone);
    expect((await service.oms.get(`/serials/${sku}/A`)).body).not.toHaveProperty("data.picked_for");
  });

  test("go to one order if two pickers take the same serial at once", async () => {
    const { sku, product_id } = withSerials();
    const [mine, theirs] = [await claimed(sku, 1), await claimed(sku, 1, bob.user_name)];

    const answers = await atOnce(service, [
      () => log(mine, pick(sku, ["A"])),
      () => log(theirs, pick(sku, ["A"]), bob),
    ]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await pickedFor(product_id, "A")).toBe(answers[0]?.status === 200 ? mine : theirs);
    expect(await binsHold(service, sku)).toEqual(["A1/01: 4"]);
    await expectEachBalanced(service, [sku]);
  });
});
