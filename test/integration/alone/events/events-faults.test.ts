/**
 * Whatever strikes the publisher, the feed has each change once: read from its beginning, it gives
 * every order's status and every stock level as they are.
 */
import { expect, test } from "vitest";
import { setUpStore } from "../../../../infra/demo/registry.ts";
import { effects } from "../../../bench/soak/trouble.ts";
import { steps, Warehouse } from "../../../support/business/warehouse.ts";
import { at, listAt } from "../../../support/http/client.ts";
import { operations, pick, randomFrom, whole } from "../../../support/http/random.ts";
import { newStore } from "../../../support/records/accounts.ts";
import { expectChained, expectGapless, rebuilt, wholeFeed } from "../../../support/records/feed.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService({ streams: true, goods: false });

/** How many steps are tried, and how many faults strike the publisher meanwhile. */
const [stepsTaken, faults] = [operations(36, 600), operations(10, 140)];

test("a feed whose publisher is killed, throttled and called twice rebuilds orders and stock exactly", {
  timeout: 240_000,
}, async () => {
  const random = randomFrom(13);
  const { runtime } = service;
  const store = await newStore(service);
  await setUpStore(service.db, store.accountId);
  const warehouse = new Warehouse({ ...service, ...store }, "FEED");
  const struck = Array.from({ length: faults }, (_, position) =>
    runtime.faults.add({
      effect: effects[position % effects.length] ?? "error",
      function: "events/publish-events",
      operation: pick(random, ["TransactWriteItems", "BatchGetItem", "Query"]),
      // Changes are published together if they come fast, so the publisher may make fewer calls than there
      // are steps.
      skip: whole(random, 0, Math.floor(stepsTaken / 3)),
    }),
  );

  await warehouse.open();
  for (let count = 0; count < stepsTaken; count += 1) {
    await pick(random, steps)(warehouse, random);
    if (count % 6 === 0) runtime.streams.repeat();
  }
  runtime.streams.repeat();
  await runtime.settled();
  runtime.faults.clear();

  const events = await wholeFeed(store.oms);
  expectGapless(events);
  expectChained(events);
  const { statuses, levels } = rebuilt(events);
  const orders = listAt((await store.oms.get("/orders?per_page=100")).body, "data");
  expect(Object.fromEntries(statuses)).toEqual(
    Object.fromEntries(orders.map((order) => [at(order, "order_id"), at(order, "status")])),
  );
  for (const sku of warehouse.skus) expect(levels.get(`${sku}@MAIN`)).toEqual(warehouse.stockOf(sku));
  expect(struck.filter(({ hits }) => hits > 0).length).toBeGreaterThan(faults / 2);
});
