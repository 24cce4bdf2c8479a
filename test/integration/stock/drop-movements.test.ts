import { describe, expect, test } from "vitest";
import { dropMovements, movementsBefore } from "../../../infra/operator/history/drop-movements.ts";
import { dayOf, weekOf } from "../../../shared/common/times.ts";
import type { Cause, Movement } from "../../../shared/stock/movements/movement.ts";
import { readMovements } from "../../../shared/stock/movements/read-movements.ts";
import { openStock } from "../../../shared/stock/open-stock.ts";
import { emptyStock } from "../../../shared/stock/product-stock.ts";
import { stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import { changeStock } from "../../../shared/stock/stock-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { isShard } from "../../../shared/store/dynamodb/sharded-counter.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import { type NewProduct, newProduct, newProducts } from "../../support/business/world.ts";
import { at } from "../../support/http/client.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** A Saturday, so its week, which began on Thursday, has movements from before and from after. */
const before = "2022-03-05T00:00:00.000Z";
const drop = { before, by: "operator", isExported: () => true };
const weekOfBefore = `week:${weekOf(dayOf(before))}`;

const causeAt = (at: string): Cause => ({
  reason: "order_created",
  reference: { order_id: 7 },
  by: "account:100",
  at,
});

/** Writes that reserve so many units of a product, one movement for each of these times. */
const reserving = (product_id: number, center: number, reserved: number, ...times: string[]) =>
  times.flatMap((time) =>
    changeStock([{ product_id, distribution_center_id: center, on_hand: 0, reserved }], causeAt(time)),
  );

/** Reserves units at each of these times, in a transaction each. */
async function reserve(db: Database, product_id: number, center: number, units: number, ...times: string[]) {
  for (const time of times) await transact(db, reserving(product_id, center, units, time));
}

/** Times of day of a date, one for each minute. */
const minutesOf = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, minute) => new Date(Date.parse(date) + minute * 60_000).toISOString());

/** Begins to keep a product in EAST as well. */
const openedEast = (product: NewProduct) =>
  openStock(
    emptyStock({ account_id: service.accountId, ...product }, { distribution_center_id: 2, code: "EAST" }),
    "2022-01-01T00:00:00.000Z",
  );

/** Moves a product of two centers 6 times before, in three weeks, and 3 times from then on. */
const moving = ({ product_id }: NewProduct) => [
  ...reserving(product_id, 1, 3, ...minutesOf("2022-01-03", 2), "2022-02-01T08:00:00.000Z"),
  ...reserving(product_id, 1, 5, "2022-03-04T23:59:59.999Z", before, "2022-03-06T10:00:00.000Z"),
  ...reserving(product_id, 2, 7, "2022-01-03T09:00:00.000Z", "2022-03-03T10:00:00.000Z"),
  ...reserving(product_id, 2, 11, "2026-01-01T10:00:00.000Z"),
];

const service = await sharedService();
/** A product of one center that nothing has moved. */
const unmoved = await newProduct(service);
const made = await newProducts(service, 7);
await transact(service.db, made.flatMap(openedEast));
await transact(service.db, made.flatMap(moving));
/** The next product that was moved so. */
const movedProduct = oneByOne(made);

async function allOf<T>(items: AsyncGenerator<T, void>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const told = ({ at, distribution_center_id: center, reason, reserved }: Movement) =>
  `${at} ${center} ${reason} ${reserved}`;

/** The counts of weeks on a product's stock records and their shards. */
const countsOf = async (productId: number) =>
  (await stockItemsOf(service.db, productId)).map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name.startsWith("week:"))),
  );

describe("a product's movements from before a time", () => {
  test("are read oldest first, of all centers, and none from that time on", async () => {
    const { product_id } = movedProduct();

    const past = await allOf(movementsBefore(service.db, product_id, before));

    expect(past.map(told)).toEqual([
      "2022-01-03T00:00:00.000Z 1 order_created 3",
      "2022-01-03T00:01:00.000Z 1 order_created 3",
      "2022-01-03T09:00:00.000Z 2 order_created 7",
      "2022-02-01T08:00:00.000Z 1 order_created 3",
      "2022-03-03T10:00:00.000Z 2 order_created 7",
      "2022-03-04T23:59:59.999Z 1 order_created 5",
    ]);
  });

  test("are dropped and carried forward, center by center; again, and nothing is left to do", async () => {
    const { sku, product_id } = movedProduct();

    const unexported = await dropMovements(service.db, product_id, { ...drop, isExported: () => false });
    const dropped = await dropMovements(service.db, product_id, drop);
    const again = await dropMovements(service.db, product_id, drop);

    const { movements, reserved } = await expectBalanceAndMovements(service, sku, { ofOrders: false });
    expect([unexported, dropped, again, reserved]).toEqual([0, 6, 0, 49]);
    expect(movements.map(told)).toEqual([
      `${before} 1 carried_forward 14`,
      `${before} 2 carried_forward 14`,
      `${before} 1 order_created 5`,
      "2022-03-06T10:00:00.000Z 1 order_created 5",
      "2026-01-01T10:00:00.000Z 2 order_created 11",
    ]);
    expect(await countsOf(product_id)).toEqual([
      { [weekOfBefore]: 3 },
      { [weekOfBefore]: 1, [`week:${weekOf(dayOf("2026-01-01"))}`]: 1 },
    ]);
  });

  test("that carry others forward are carried forward themselves, by a later drop", async () => {
    const { sku, product_id } = movedProduct();
    await dropMovements(service.db, product_id, drop);

    const dropped = await dropMovements(service.db, product_id, {
      ...drop,
      before: "2023-01-01T00:00:00.000Z",
    });

    const { movements } = await expectBalanceAndMovements(service, sku, { ofOrders: false });
    expect(dropped).toBe(4);
    expect(movements.map(told)).toEqual([
      "2023-01-01T00:00:00.000Z 1 carried_forward 24",
      "2023-01-01T00:00:00.000Z 2 carried_forward 14",
      "2026-01-01T10:00:00.000Z 2 order_created 11",
    ]);
  });

  test("are dropped whether their record or its shards counted them", async () => {
    const { sku, product_id } = unmoved;
    for (const date of ["2022-01-03", "2022-01-05"])
      await transact(service.db, reserving(product_id, 1, 1, ...minutesOf(date, 50)));
    const { db, add } = troubledDatabase(service);
    add("conflict", { times: 4 });
    await reserve(db, product_id, 1, 2, ...minutesOf("2022-01-04", 3));

    const dropped = await dropMovements(service.db, product_id, drop);

    const items = await stockItemsOf(service.db, product_id);
    expect([dropped, items.filter(isShard).length]).toEqual([103, 1]);
    expect(await countsOf(product_id)).toEqual([{ [weekOfBefore]: 1 }, {}]);
    expect((await expectBalanceAndMovements(service, sku, { ofOrders: false })).movements).toMatchObject([
      { reserved: 106 },
    ]);
  });

  test("are shown to clients as carried forward, by the operator", async () => {
    const { sku, product_id } = movedProduct();
    await dropMovements(service.db, product_id, drop);

    const { body } = await service.oms.get(
      `/inventory/stock/${sku}/movements?order_direction=asc&per_page=1`,
    );

    expect(at(body, "data")).toEqual([
      {
        at: before,
        reason: "carried_forward",
        on_hand: 0,
        reserved: 14,
        distribution_center: "MAIN",
        by: "operator",
        request_id: null,
      },
    ]);
    expect(at(body, "metadata.total_records")).toBe(5);
  });
});

test("a drop that is killed after any transaction leaves everything balanced, and goes on when it is run again", async () => {
  const { sku, product_id } = movedProduct();
  const lengths: number[] = [];

  let done: number | undefined;
  while (done === undefined) {
    const { db, add } = troubledDatabase(service);
    add({ after: () => Promise.reject(new Error("killed")) });
    done = await dropMovements(db, product_id, drop).catch(() => undefined);
    lengths.push((await expectBalanceAndMovements(service, sku, { ofOrders: false })).movements.length);
  }

  expect(lengths).toEqual([8, 8, 7, 6, 5, 5]);
});

test("movements that are dropped while others are made are dropped once, and the new ones stay", async () => {
  const { sku, product_id } = movedProduct();

  const [dropped] = await Promise.all([
    Promise.all([1, 2].map(() => dropMovements(service.db, product_id, drop))),
    reserve(service.db, product_id, 1, 1, ...minutesOf("2026-02-01", 10)),
  ]);

  const { movements } = await expectBalanceAndMovements(service, sku, { ofOrders: false });
  expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(6);
  expect(movements).toHaveLength(15);
});

test("a page whose movements are dropped after their counts were read is to be read again", async () => {
  const { product_id } = movedProduct();
  const early = await stockItemsOf(service.db, product_id);
  await dropMovements(service.db, product_id, drop);

  const page = readMovements(service.db, product_id, early, { page: 1, per_page: 5, direction: "asc" });

  await expect(page).rejects.toThrow("the record changed meanwhile");
  const week = weekOf(dayOf("2022-01-03"));
  expect(await queryRange(service.db, { table: "inventory", pk: `movement#${product_id}#${week}` })).toEqual(
    [],
  );
});
