/** Stock levels that the feed tells wrong for good are set right by an event, and those that are only late are left alone. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stockLookup } from "../../../shared/data/stock.ts";
import type { StockUnits } from "../../../shared/domain/stock/stock.ts";
import { alignLevels } from "../../../shared/events/align.ts";
import { at } from "../../support/client.ts";
import { expectChained, expectGapless, rebuilt, wholeFeed } from "../../support/feed.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { operations } from "../../support/random.ts";
import { troubledDatabase } from "../../support/troubled.ts";
import { newProduct, pendingOrder, replenishment, stocked } from "../../support/world.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService({ streams: true });
});
afterAll(() => service.runtime.stop());

const hour = 60 * 60 * 1000;

/** Aligns the account's levels as if so many hours had passed, and answers what was lost. */
async function align(hours = 0, db = service.db) {
  const lost: StockUnits[] = [];
  const now = new Date(Date.now() + hours * hour).toISOString();
  const report = (_level: unknown, units: StockUnits) => void lost.push(units);
  const { accountId } = service;
  const result = await alignLevels({ db, accountId, by: "operator", now, settle: 0, report });
  return { ...result, lost };
}

/** Has stock change as if the event of the change had been given up: no event tells of it. */
async function moveUntold(productId: number, units: number): Promise<void> {
  const { table, key } = stockLookup(productId, 1);
  await service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName(table),
      Key: { ...key },
      UpdateExpression: "ADD on_hand :units",
      ExpressionAttributeValues: { ":units": units },
    }),
  );
}

const levelTold = async (sku: string) => {
  const events = await wholeFeed(service.oms);
  expectGapless(events);
  expectChained(events);
  return rebuilt(events).levels.get(`${sku}@MAIN`);
};

const stockOf = async (sku: string) => {
  const level = at((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0");
  const figures = ["on_hand", "reserved", "available", "incoming"] as const;
  return Object.fromEntries(figures.map((name) => [name, at(level, name)]));
};

test("a level whose change was given up is set right by one event, once", async () => {
  const { sku, product_id } = await stocked(service, 10);
  await moveUntold(product_id, 3);
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
  expect(await levelTold(sku)).toEqual(await stockOf(sku));
});

test("a level that follows its stock is left alone, also where the books were repaired", async () => {
  await service.settled();

  const result = await align(1000);

  expect(result).toEqual({ aligned: 0, late: 0, busy: 0, lost: [] });
});

test("a change that is published while a level is read counts once", async () => {
  const { sku, product_id } = await stocked(service, 10);
  await moveUntold(product_id, 3);
  await service.settled();
  const troubled = troubledDatabase(service);
  const before = async () => {
    await pendingOrder(service, [{ sku, quantity: 2 }]);
    await service.settled();
  };
  troubled.add({ before }, { command: "any", text: "feed-head" });

  const { lost } = await align(0, troubled.db);

  expect([troubled.hits, lost]).toEqual([1, [{ on_hand: 3, reserved: 0, incoming: 0 }]]);
  expect(await levelTold(sku)).toEqual(await stockOf(sku));
});

test("levels are exact where the publisher works while they are aligned", async () => {
  const products = [await stocked(service, 100), await stocked(service, 100)];
  const end = Date.now() + operations(3_000, 20_000);
  const losing = async () => {
    while (Date.now() < end) {
      for (const { product_id } of products) await moveUntold(product_id, 1);
      await align();
    }
  };
  const ordering = async () => {
    while (Date.now() < end)
      for (const { sku } of products) await pendingOrder(service, [{ sku, quantity: 1 }]);
  };

  await Promise.all([losing(), align(), ordering(), ordering()]);
  await service.settled();
  await align();

  for (const { sku } of products) expect(await levelTold(sku)).toEqual(await stockOf(sku));
});

test("a change that may still be told is not published before its time, and is after it", async () => {
  await service.settled();
  await service.runtime.streams.pause();
  const { sku } = await stocked(service, 4);
  const announced = await newProduct(service);
  await replenishment(service, [{ sku: announced.sku, quantity: 6 }]);

  const early = await align(23);
  const later = await align(26);

  expect(early).toEqual({ aligned: 0, late: 2, busy: 0, lost: [] });
  expect(later.lost).toContainEqual({ on_hand: 4, reserved: 0, incoming: 0 });
  expect(later.lost).toContainEqual({ on_hand: 0, reserved: 0, incoming: 6 });
  for (const one of [sku, announced.sku]) expect(await levelTold(one)).toEqual(await stockOf(one));
});
