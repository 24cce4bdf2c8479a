import { describe, expect, test } from "vitest";
import { endpoint as createReplenishments } from "../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { presentPutAway } from "../../../shared/inbound/inbound-view.ts";
import { type PutAwayMove, type PutAwayTarget, putAway } from "../../../shared/inbound/put-away.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { expectBalanceAndMovements, expectEachBalanced } from "../../support/business/ledger.ts";
import { goodsOf } from "../../support/business/stockpile.ts";
import {
  announceReplenishment,
  newProducts,
  productsAhead,
  announceReturn as return_,
  shippedOrder,
} from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { contextOf, create } from "../../support/records/flows.ts";
import { recountOf } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** What the replenishments bring that the tests begin with. */
const quantitiesAhead = [[3, 4], ...Array.from({ length: 5 }, () => [6]), [10]];

/**
 * Announces all of that by one call, each of a product of its own, and hands them out by their quantities.
 */
async function announcedAhead() {
  const products = await newProducts(service, quantitiesAhead.length);
  const records = products.map(({ sku }, place) => ({
    items: quantitiesAhead[place]?.map((quantity) => ({ sku, quantity })),
  }));
  const { data } = await create(service, createReplenishments, ...records);
  const announced = products.map((product, place) => ({
    ...product,
    target: { replenishment_id: data[place]?.replenishment_id ?? 0 },
  }));
  const pool = Map.groupBy(announced.entries(), ([place]) => String(quantitiesAhead[place]));
  return (quantities: readonly number[]) => {
    const [, next] = pool.get(String(quantities))?.shift() ?? [];
    if (next === undefined) throw new Error(`no replenishment of ${quantities} is left`);
    return next;
  };
}

/** A replenishment of these quantities of a product; as target of put-away. */
const announced = (sku: string, quantities: readonly number[], more: object = {}) =>
  announceReplenishment(
    service,
    quantities.map((quantity) => ({ sku, quantity })),
    more,
  );

const service = await sharedService();
const newProduct = await productsAhead(service, 2);
/** A replenishment of these quantities, and its product, of which nothing else is known. */
const nextAnnounced = await announcedAhead();

/** A return of so many units of a product that were shipped before. */
async function announceReturn(sku: string, quantity: number) {
  const items = [{ sku, quantity }];
  const { order_id } = await shippedOrder(service, items);
  return return_(service, order_id, items);
}

const move = (sku: string, quantity: number, more: Partial<PutAwayMove> = {}): PutAwayMove => ({
  sku,
  quantity,
  location: "B1",
  bin: "02",
  ...more,
});

const put = (target: PutAwayTarget, moved: PutAwayMove, db: Database = service.db) =>
  putAway(contextOf({ ...service, db }), target, moved, (after) => presentPutAway(target, after));

const recordOf = async (target: PutAwayTarget) => {
  const path =
    "return_id" in target ? `returns/${target.return_id}` : `replenishments/${target.replenishment_id}`;
  return at((await service.oms.get(`/inventory/${path}`)).body, "data");
};

/** The product's stock by distribution center. */
async function stockOf(sku: string): Promise<unknown> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}`);
  return Object.fromEntries(
    listAt(body, "data").map((level) => [
      at(level, "distribution_center"),
      { on_hand: at(level, "on_hand"), reserved: at(level, "reserved"), incoming: at(level, "incoming") },
    ]),
  );
}

/** What the product's bins hold: `B1/02` and so on. */
async function binsOf(productId: number): Promise<unknown> {
  const { body } = await service.wms.get(`/inventory/products/${productId}/bin`);
  const bins = listAt(body, "bin_list");
  return Object.fromEntries(
    bins.map((bin) => [`${at(bin, "Location")}/${at(bin, "Bin")}`, at(bin, "Quantity")]),
  );
}

/** A recount of the bin that `move` goes to. */
const recountedB1 = (sku: string, qty_in_bin: number) =>
  recountOf(sku, [{ location: "B1", bin: "02", qty_in_bin }], { account_id: service.accountId });

describe("putting a replenishment away", () => {
  test("moves goods from incoming to on hand and into the bin, with a movement, and fills the lines in order", async () => {
    const { target, ...product } = nextAnnounced([3, 4]);
    const { sku, product_id } = product;

    const state = await put(target, move(sku, 5));

    const items = [
      { ...product, quantity: 3, put_away: 3, remaining: 0 },
      { ...product, quantity: 4, put_away: 2, remaining: 2 },
    ];
    expect(state).toEqual({ ...target, status: "Pending", items });
    expect(await recordOf(target)).toMatchObject({ status: "Pending", items });
    expect(await stockOf(sku)).toEqual({ MAIN: { on_hand: 5, reserved: 0, incoming: 2 } });
    expect(await binsOf(product_id)).toEqual({ "B1/02": 5 });
    const { movements } = await expectBalanceAndMovements(service, sku);
    expect(movements).toEqual([
      {
        product_id,
        distribution_center_id: 1,
        on_hand: 5,
        reserved: 0,
        reason: "put_away",
        reference: target,
        by: `account:${service.accountId}`,
        at: expect.any(String),
      },
    ]);
  });

  test("leaves what other replenishments are to bring", async () => {
    const { sku } = newProduct();
    await announced(sku, [10]);

    await put(await announced(sku, [4]), move(sku, 4));

    expect(await stockOf(sku)).toEqual({ MAIN: { on_hand: 4, reserved: 0, incoming: 10 } });
  });

  test("goes to the distribution center that it is announced to", async () => {
    const { sku } = newProduct();
    const target = await announced(sku, [4], { distribution_center: "EAST" });

    await put(target, move(sku, 4, { location: "E1", bin: "01" }));

    expect(await stockOf(sku)).toEqual({
      MAIN: { on_hand: 0, reserved: 0, incoming: 0 },
      EAST: { on_hand: 4, reserved: 0, incoming: 0 },
    });
  });

  test("adds to what was counted, and a later count still holds", async () => {
    const { sku, product_id, target } = nextAnnounced([10]);
    const count = async (qty_in_bin: number) => {
      await service.wms.post("/recount", recountedB1(sku, qty_in_bin));
      await service.settled();
    };

    await count(7);
    await put(target, move(sku, 5));
    const added = await binsOf(product_id);
    await count(11);

    expect([added, await binsOf(product_id)]).toEqual([{ "B1/02": 12 }, { "B1/02": 11 }]);
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 11 }]);
  });
});

describe("putting a return away", () => {
  test("brings goods back on hand, and nothing was incoming", async () => {
    const product = await goodsOf(service, 9);
    const target = await announceReturn(product.sku, 4);
    const before = await stockOf(product.sku);

    const state = await put(target, move(product.sku, 3));

    expect(before).toEqual({ MAIN: { on_hand: 5, reserved: 0, incoming: 0 } });
    expect(state).toMatchObject({ status: "Pending", items: [{ quantity: 4, put_away: 3, remaining: 1 }] });
    expect(await stockOf(product.sku)).toEqual({ MAIN: { on_hand: 8, reserved: 0, incoming: 0 } });
    const { movements } = await expectBalanceAndMovements(service, product.sku);
    expect(movements.at(-1)).toMatchObject({ on_hand: 3, reason: "put_away", reference: target });
  });

  test("may go to any distribution center, which begins to keep the product, and makes it Received", async () => {
    const { sku, product_id } = await goodsOf(service, 9);
    const target = await announceReturn(sku, 4);

    const state = await put(target, move(sku, 4, { location: "E1", bin: "01" }));

    expect(state.status).toBe("Received");
    expect(await stockOf(sku)).toEqual({
      MAIN: { on_hand: 5, reserved: 0, incoming: 0 },
      EAST: { on_hand: 4, reserved: 0, incoming: 0 },
    });
    expect(await binsOf(product_id)).toEqual({ "A1/03": 5, "E1/01": 4 });
    await expectEachBalanced(service, [sku]);
  });
});

describe("a put-away takes effect exactly once", () => {
  test("if two callers put away the last units at once: one succeeds, and the other learns that nothing remains", async () => {
    const products = Array.from({ length: 3 }, () => nextAnnounced([6]));
    for (const { sku, target } of products) {
      const outcomes = await Promise.allSettled([put(target, move(sku, 6)), put(target, move(sku, 6))]);

      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const lost = outcomes.find((outcome) => outcome.status === "rejected");
      expect(lost?.reason).toMatchObject({ kind: "invalid" });
      expect(String(lost?.reason)).toMatch(/more than remains .* \(0\)$/);
    }
    const skus = products.map(({ sku }) => sku);
    const balances = await expectEachBalanced(service, skus);
    expect(balances).toMatchObject(skus.map(() => ({ on_hand: 6, reserved: 0, binned: 6 })));
    for (const sku of skus)
      expect(await stockOf(sku)).toEqual({ MAIN: { on_hand: 6, reserved: 0, incoming: 0 } });
  });
});

describe("a put-away decides again", () => {
  /** Puts away while something else happens between its reading and its writing. */
  async function overtaken(target: PutAwayTarget, moved: PutAwayMove, other: () => Promise<unknown>) {
    const troubled = troubledDatabase(service, { before: other });
    const [outcome] = await Promise.allSettled([put(target, moved, troubled.db)]);
    return { outcome, attempts: troubled.transactions };
  }

  test("if the bin was counted in the meantime", async () => {
    const { sku, product_id, target } = nextAnnounced([6]);

    const { attempts } = await overtaken(target, move(sku, 4), async () => {
      await service.wms.post("/recount", recountedB1(sku, 3));
      await service.settled();
    });

    expect(attempts).toBe(2);
    expect(await binsOf(product_id)).toEqual({ "B1/02": 7 });
    await expectEachBalanced(service, [sku]);
  });

  test("if another distribution center started to keep the product in the meantime", async () => {
    const { sku } = await goodsOf(service, 5);
    const target = await announceReturn(sku, 5);
    const east = move(sku, 5, { location: "E1", bin: "01" });

    const { attempts } = await overtaken(target, east, () =>
      announced(sku, [8], { distribution_center: "EAST" }),
    );

    expect(attempts).toBe(2);
    expect(await stockOf(sku)).toMatchObject({ EAST: { on_hand: 5, incoming: 8 } });
    await expectEachBalanced(service, [sku]);
  });

  test("if the replenishment was changed in the meantime, and is rejected if too little is left", async () => {
    const { sku, target } = nextAnnounced([6]);

    const { outcome, attempts } = await overtaken(target, move(sku, 4), () =>
      service.oms.patch("/inventory/replenishments", {
        data: [{ ...target, items: [{ sku, quantity: 3 }] }],
      }),
    );

    expect(attempts).toBe(1);
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "invalid" } });
    expect(await stockOf(sku)).toEqual({ MAIN: { on_hand: 0, reserved: 0, incoming: 3 } });
  });
});
