/**
 * Stock levels that are permanently wrong in the feed are corrected by an event. Those that are only late are
 * left alone.
 */
import { describe, expect, test } from "vitest";
import { endpoint as patchReplenishments } from "../../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { alignLevels } from "../../../../infra/operator/events/align.ts";
import type { Finding } from "../../../../infra/operator/verify/index.ts";
import { verify } from "../../../../infra/operator/verify/index.ts";
import type { StockUnits } from "../../../../shared/stock/stock.ts";
import { stockLookup } from "../../../../shared/stock/stock-repository.ts";
import {
  announceReplenishment,
  countEach,
  type NewProduct,
  newProduct,
  newProducts,
  pendingOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { damage } from "../../../support/damages/damage.ts";
import { at } from "../../../support/http/client.ts";
import { operations } from "../../../support/http/random.ts";
import { expectChained, expectGapless, rebuilt, wholeFeed } from "../../../support/records/feed.ts";
import { create } from "../../../support/records/flows.ts";
import { troubledDatabase } from "../../../support/records/troubled.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService({ streams: true });

const hour = 60 * 60 * 1000;

/** Aligns the account's levels as if so many hours had passed, and answers what was lost. */
async function align(hours = 0, db = service.db) {
  const lost: StockUnits[] = [];
  const now = new Date(Date.now() + hours * hour).toISOString();
  const report = (_level: unknown, units: StockUnits) => void lost.push(units);
  const { accountId } = service;
  const result = await alignLevels({ db, accountId, by: "operator", now, settleMs: 0, report });
  return { ...result, lost };
}

/**
 * Changes stock as no flow would. No event shows units on hand, as if the event of their change had
 * been given up.
 */
const moveWithoutEvent = (
  productId: number,
  units: { readonly on_hand: number } | { readonly incoming: number },
): Promise<void> => damage(service.db, stockLookup(productId, 1), units);

/** The levels in the feed, which has no gap. */
async function levelsInFeed() {
  const events = await wholeFeed(service.oms);
  expectGapless(events);
  expectChained(events);
  const { levels } = rebuilt(events);
  return (sku: string) => levels.get(`${sku}@MAIN`);
}

const levelInFeed = async (sku: string) => (await levelsInFeed())(sku);

const stockOf = async (sku: string) => {
  const level = at((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0");
  const figures = ["on_hand", "reserved", "available", "incoming"] as const;
  return Object.fromEntries(figures.map((name) => [name, at(level, name)]));
};

/** Repairs the books of a product, with any loss accepted; answers how many differences were repaired. */
async function repair({ product_id, sku }: Pick<NewProduct, "product_id" | "sku">): Promise<number> {
  let repaired = 0;
  const report = (one: Finding) => {
    if (one.kind === "difference" && one.state === "repaired") repaired += 1;
  };
  const { db, accountId } = service;
  await verify({
    db,
    accountId,
    repairer: "operator",
    accepted: new Set([`stock of product ${product_id} (${sku}) in MAIN`]),
    report,
    settleMs: 0,
    retryBudgetMs: 2_000,
    segments: 1,
  });
  return repaired;
}

test("a level that matches its stock is left alone, even after a repair", async () => {
  const { sku, product_id } = await stockedProduct(service, 10);
  await moveWithoutEvent(product_id, { on_hand: 3 });
  await moveWithoutEvent(product_id, { incoming: 2 });
  const repaired = await repair({ sku, product_id });
  await service.settled();

  const result = await align(1000);

  expect(repaired).toBe(2);
  expect(result).toEqual({ aligned: 0, late: 0, busy: 0, lost: [] });
  expect(await levelInFeed(sku)).toEqual(await stockOf(sku));
});

describe("incoming units that changed a moment ago are published once, by the publisher,", () => {
  const announced = async () => {
    const product = await newProduct(service);
    const { replenishment_id } = await announceReplenishment(service, [{ sku: product.sku, quantity: 6 }]);
    await service.settled();
    return { ...product, replenishment_id };
  };
  const changes = {
    "where their line was taken out": async () => {
      const { sku, replenishment_id } = await announced();
      const items = [{ sku: (await newProduct(service)).sku, quantity: 1 }];
      await service.runtime.streams.pause();
      await create(service, patchReplenishments, { replenishment_id, items });
      return { sku, late: 2, check: () => align(23) };
    },
    "where the books were repaired": async () => {
      const { sku, product_id } = await newProduct(service);
      await moveWithoutEvent(product_id, { incoming: 2 });
      await service.settled();
      await service.runtime.streams.pause();
      await repair({ sku, product_id });
      return { sku, late: 1, check: () => align(23) };
    },
    "where they are announced while levels are aligned": async () => {
      const { sku } = await newProduct(service);
      await service.settled();
      await service.runtime.streams.pause();
      const troubled = troubledDatabase(service);
      // Levels are compared by products: what replenishments say would have been read before.
      const before = () => announceReplenishment(service, [{ sku, quantity: 6 }]);
      troubled.add({ before }, { command: "Query", text: "products-of" });
      return { sku, late: 1, check: () => align(0, troubled.db) };
    },
  };
  test.each(Object.entries(changes))("%s", async (_name, prepare) => {
    const { sku, late, check } = await prepare();

    const result = await check();
    service.runtime.streams.resume();
    await service.settled();

    expect(result).toEqual({ aligned: 0, late, busy: 0, lost: [] });
    expect(await levelInFeed(sku)).toEqual(await stockOf(sku));
  });
});

test("a level whose change was given up is set right by one event, once", async () => {
  const { sku, product_id } = await stockedProduct(service, 10);
  await moveWithoutEvent(product_id, { on_hand: 3 });
  await service.settled();

  const first = await align();
  const second = await align();

  const [event] = (await wholeFeed(service.oms)).slice(-1);
  expect(first).toEqual({ aligned: 1, late: 0, busy: 0, lost: [{ on_hand: 3, reserved: 0, incoming: 0 }] });
  expect(second).toEqual({ aligned: 0, late: 0, busy: 0, lost: [] });
  expect(event).toMatchObject({
    type: "stock.changed",
    by: "operator",
    subject: { kind: "product", id: String(product_id) },
    data: { sku, on_hand: 13, reason: "aligned" },
    previous: { on_hand: 10 },
  });
  expect(await levelInFeed(sku)).toEqual(await stockOf(sku));
});

test("a change that is published while a level is read counts once", async () => {
  const { sku, product_id } = await stockedProduct(service, 10);
  await moveWithoutEvent(product_id, { on_hand: 3 });
  await service.settled();
  const troubled = troubledDatabase(service);
  const before = async () => {
    await pendingOrder(service, [{ sku, quantity: 2 }]);
    await service.settled();
  };
  troubled.add({ before }, { command: "any", text: "feed-head" });

  const { lost } = await align(0, troubled.db);

  expect([troubled.hits, lost]).toEqual([1, [{ on_hand: 3, reserved: 0, incoming: 0 }]]);
  expect(await levelInFeed(sku)).toEqual(await stockOf(sku));
});

test("levels are exact if the publisher runs while they are aligned", async () => {
  const products = await newProducts(service, 2);
  await countEach(
    service,
    products.map(({ sku }) => ({ sku, contents: 100 })),
  );
  const rounds = operations(4, 50);
  let lostUnits = 0;
  const aligning = async () => {
    for (const { on_hand } of (await align()).lost) lostUnits += on_hand;
  };
  const ordering = async () => {
    for (const { sku } of products) await pendingOrder(service, [{ sku, quantity: 1 }]);
  };

  // Orders come to an end in each round: a level is aligned only once the feed rests for a moment.
  for (let round = 0; round < rounds; round += 1) {
    for (const { product_id } of products) await moveWithoutEvent(product_id, { on_hand: 1 });
    await Promise.all([aligning(), ordering(), aligning(), ordering()]);
  }
  await service.settled();
  const last = await align();

  expect(lostUnits).toBe(rounds * products.length);
  expect(last).toEqual({ aligned: 0, late: 0, busy: 0, lost: [] });
  const levelOf = await levelsInFeed();
  for (const { sku } of products) expect(levelOf(sku)).toEqual(await stockOf(sku));
});

test("a change of a week that begins while levels are aligned is only late", async () => {
  await service.settled();
  await service.runtime.streams.pause();
  const { sku } = await stockedProduct(service, 4);

  const result = await align(-7 * 24);
  service.runtime.streams.resume();
  await service.settled();

  expect(result).toEqual({ aligned: 0, late: 1, busy: 0, lost: [] });
  expect(await levelInFeed(sku)).toEqual(await stockOf(sku));
});

test("a change that may still be delivered is not published before its time, and is after it", async () => {
  await service.settled();
  await service.runtime.streams.pause();
  const { sku } = await stockedProduct(service, 4);
  const announced = await newProduct(service);
  await announceReplenishment(service, [{ sku: announced.sku, quantity: 6 }]);

  const early = await align(23);
  const later = await align(26);

  expect(early).toEqual({ aligned: 0, late: 2, busy: 0, lost: [] });
  expect(later.lost).toContainEqual({ on_hand: 4, reserved: 0, incoming: 0 });
  expect(later.lost).toContainEqual({ on_hand: 0, reserved: 0, incoming: 6 });
  const levelOf = await levelsInFeed();
  for (const one of [sku, announced.sku]) expect(levelOf(one)).toEqual(await stockOf(one));
});
