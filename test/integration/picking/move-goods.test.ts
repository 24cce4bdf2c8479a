import { describe, expect, test } from "vitest";
import { moveGoods } from "../../../shared/stock/bins/move-goods.ts";
import { expectBalanceAndMovements, expectEachBalanced } from "../../support/business/ledger.ts";
import { goodsOf, stockpile } from "../../support/business/stockpile.ts";
import { holdings, layerOf } from "../../support/business/stored.ts";
import { asItIs, byManager, newProduct, newStore } from "../../support/business/world.ts";
import { atOnce } from "../../support/http/at-once.ts";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { signIn } from "../../support/http/mobile.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { unique } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const [a, b, east] = [
  { location: "A1", bin: "01" },
  { location: "B1", bin: "02" },
  { location: "E1", bin: "01" },
];

const move = (body: object, headers = {}): Promise<Answer> =>
  ann.post("/mobile-v1/pp-move-1", { from: a, to: b, quantity: 1, ...body }, headers);

const messageOf = ({ status, body }: Answer): unknown => [status, at(body, "response.message")];

/** What a product has in A1/01: three came on the first day, two on the second, and one was counted in. */
const layers = [layerOf("2026-04-01", 3), layerOf("2026-04-02", 2)];

const service = await sharedService();
/** Another account; a picker; a product that the other account does not have; products with layers. */
const [other, ann, { sku: known }, layered] = await Promise.all([
  newStore(service),
  signIn(service),
  goodsOf(service, { "A1/01": 3 }),
  stockpile(service, 6, [{ bin: "A1/01", quantity: 6, layers }]),
]);

async function stockOf(sku: string): Promise<unknown> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}`);
  return Object.fromEntries(
    listAt(body, "data").map((level) => [at(level, "distribution_center"), at(level, "on_hand")]),
  );
}

describe("moving goods", () => {
  test("carries those first that are picked first, with their lots and days; stock does not move", async () => {
    const product = layered();
    const { product_id, sku } = product;
    const before = await expectBalanceAndMovements(service, sku);

    const answer = await move({ product_id, quantity: 4 });
    await move({ product_id, quantity: 1 });
    const back = await move({ product_id, quantity: 2, from: b, to: a });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        product_id,
        account_id: service.accountId,
        sku,
        quantity: 4,
        from: { ...a, bin_id: expect.any(Number) },
        to: { ...b, bin_id: expect.any(Number) },
        lots: [layerOf("2026-04-01", 3), layerOf("2026-04-02", 1)],
      },
    });
    expect(at(back.body, "data.lots")).toEqual([layerOf("2026-04-01", 2)]);
    expect(await holdings(service, product)).toEqual({
      "A1/01": { quantity: 3, layers: [layerOf("2026-04-01", 2)] },
      "B1/02": { quantity: 3, layers: [layerOf("2026-04-01", 1), layerOf("2026-04-02", 2)] },
    });
    expect(await expectBalanceAndMovements(service, sku)).toEqual(before);
  });

  test("between distribution centers moves stock in both, with a movement each", async () => {
    const { product_id, sku } = layered();

    await move({ product_id, quantity: 4, to: east });
    const once = await stockOf(sku);
    await move({ product_id, quantity: 2, to: east });
    await move({ product_id, quantity: 1, from: east, to: b });

    expect(once).toEqual({ MAIN: 2, EAST: 4 });
    expect(await stockOf(sku)).toEqual({ MAIN: 1, EAST: 5 });
    const { movements } = await expectBalanceAndMovements(service, sku);
    const moved = movements.filter(({ reason }) => reason === "bin_move");
    expect(moved).toHaveLength(6);
    for (const movement of moved) {
      expect(movement).toMatchObject({ reference: {}, reserved: 0, by: `user:${ann.user_name}` });
    }
    expect(moved.map(({ on_hand }) => on_hand).sort((x, y) => x - y)).toEqual([-4, -2, -1, 1, 2, 4]);
  });

  test("is done once for each Idempotency-Key", async () => {
    const product = layered();
    const key = { "Idempotency-Key": unique("key") };

    const answers = [
      await move({ product_id: product.product_id }, key),
      await move({ product_id: product.product_id }, key),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await holdings(service, product)).toMatchObject({
      "A1/01": { quantity: 5 },
      "B1/02": { quantity: 1 },
    });
  });

  test("at once with others moves no more than there is", async () => {
    const product = layered();
    const { product_id, sku } = product;

    const answers = await atOnce(
      service,
      [b, east, b, east].map((to) => () => move({ product_id, quantity: 2, to })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    expect(await holdings(service, product)).toMatchObject({ "A1/01": { quantity: 0, layers: [] } });
    await expectEachBalanced(service, [sku]);
  });

  test("is decided again if either bin changed between reading and writing", async () => {
    const product = layered();
    const { product_id, sku } = product;
    const troubled = troubledDatabase(service, { before: () => move({ product_id, quantity: 2 }) });

    await moveGoods(byManager(troubled.db), { product_id }, { quantity: 2, from: a, to: b }, asItIs);

    expect(troubled.transactions).toBe(2);
    expect(await holdings(service, product)).toEqual({
      "A1/01": { quantity: 2, layers: [layerOf("2026-04-02", 1)] },
      "B1/02": { quantity: 4, layers: [layerOf("2026-04-01", 3), layerOf("2026-04-02", 1)] },
    });
    await expectEachBalanced(service, [sku]);
  });
});

describe("the product", () => {
  test("may be named by its SKU alone if only one account has it, otherwise with the account", async () => {
    const { sku } = layered();

    const alone = await move({ sku });
    await newProduct({ db: service.db, ...other }, { sku });
    const unclear = await move({ sku });
    const ours = await move({ sku, account_id: service.accountId });
    const theirs = await move({ sku, account_id: other.accountId });

    expect(alone.status).toBe(200);
    expect(messageOf(unclear)).toEqual([400, `account_id is required: more than one account has ${sku}`]);
    expect(at(ours.body, "data.account_id")).toBe(service.accountId);
    expect(messageOf(theirs)).toEqual([400, "quantity is more than lies in A1/01 (0)"]);
    expect((await expectBalanceAndMovements(service, sku)).binned).toBe(6);
  });

  test.each<[string, () => object, number, string]>([
    ["missing", () => ({}), 400, "product_id is required where sku is not given"],
    [
      "an id and an account",
      () => ({ product_id: 1, account_id: 101 }),
      400,
      "account_id must be left out where product_id is given",
    ],
    ["an account alone", () => ({ account_id: 100 }), 400, "product_id is required where sku is not given"],
    [
      "an id and a SKU",
      () => ({ product_id: 1, sku: known }),
      400,
      "sku must be left out where product_id is given",
    ],
    [
      "an id that is none's",
      () => ({ product_id: 999_999 }),
      404,
      "There is no product with product_id 999999",
    ],
    ["a SKU that is none's", () => ({ sku: "NONE" }), 400, "sku is not a known SKU (NONE)"],
    ["an empty SKU", () => ({ sku: "" }), 400, "product_id is required where sku is not given"],
    [
      "a SKU that the account has not",
      () => ({ sku: known, account_id: other.accountId }),
      400,
      "sku is not a known SKU of account OTHER (KNOWN)",
    ],
    [
      "a SKU of no account",
      () => ({ sku: known, account_id: 999 }),
      400,
      "sku is not a known SKU of account 999 (KNOWN)",
    ],
  ])("can't be %s", async (_case, name, status, message) => {
    const says = message.replace("KNOWN", known).replace("OTHER", String(other.accountId));
    expect(messageOf(await move(name()))).toEqual([status, says]);
  });
});

describe("a wrong move is refused with nothing changed:", () => {
  test.each<[string, object, string]>([
    ["of more than is there", { quantity: 4 }, "quantity is more than lies in A1/01 (3)"],
    ["out of an empty bin", { from: b, to: a }, "quantity is more than lies in B1/02 (0)"],
    [
      "from an unknown location",
      { from: { ...a, location: "Z9" } },
      "from.location is not a known location (Z9); known are A1, A2, B1, E1",
    ],
    [
      "from an unknown bin",
      { from: { ...a, bin: "99" } },
      "from.bin is not a bin of A1 (99); it has 01, 02, 03",
    ],
    [
      "to an unknown location",
      { to: { ...b, location: "Z9" } },
      "to.location is not a known location (Z9); known are A1, A2, B1, E1",
    ],
    ["to an unknown bin", { to: { ...b, bin: "99" } }, "to.bin is not a bin of B1 (99); it has 01, 02, 03"],
    ["to where the goods lie", { to: a }, "to is where the goods lie (A1/01)"],
  ])("%s", async (_case, wrong, message) => {
    const answer = await move({ sku: known, ...wrong });

    expect(messageOf(answer)).toEqual([400, message]);
  });

  changeNothing(async () => {
    const ledger = await expectBalanceAndMovements(service, known);
    expect(ledger.binned).toBe(3);
    return [ledger, await holdings(service, { sku: known })];
  });
});
