import { describe, expect, test } from "vitest";
import { findProducts } from "../../../shared/catalog/products/product-repository.ts";
import { dayOf, weekOf } from "../../../shared/common/times.ts";
import type { Cause, Movement } from "../../../shared/stock/movements/movement.ts";
import { readMovements } from "../../../shared/stock/movements/read-movements.ts";
import { openStock } from "../../../shared/stock/open-stock.ts";
import { emptyStock } from "../../../shared/stock/product-stock.ts";
import { stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import { changeStock } from "../../../shared/stock/stock-repository.ts";
import { queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { newProduct } from "../../support/business/world.ts";
import { pick, randomFrom, whole } from "../../support/http/random.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const minute = 60_000;
const start = Date.parse("2026-01-01T00:00:00.000Z");
const centers = [1, 2] as const;

const steps = 80;
/** Steps of one transaction. */
const together = 8;

/** What the movements are held against: a plain array, oldest first. */
const model: Movement[] = [];

const service = await sharedService();
const random = randomFrom(11);
// The product is kept in two centers, with movements over some weeks, some of which change both.
const { sku, product_id: productId } = await newProduct(service);
const product = (await findProducts(service.db, service.accountId, [sku])).get(sku)?.record;
if (product === undefined) throw new Error("the product is not there");
const at = new Date(start).toISOString();
const opening: Cause = { reason: "recount", reference: { correction_id: 1 }, by: "user:manager", at };
const east = emptyStock(product, { distribution_center_id: 2, code: "EAST" });
await transact(service.db, openStock({ ...east, on_hand: 7 }, at, opening));
model.push({ product_id: productId, distribution_center_id: 2, on_hand: 7, reserved: 0, ...opening });
let writes: Write[] = [];
for (let step = 1; step <= steps; step += 1) {
  const at = new Date(start + step * whole(random, 900, 1000) * minute).toISOString();
  const cause: Cause = { reason: "order_created", reference: { order_id: step }, by: "account:100", at };
  const touched = random() < 0.2 ? centers : [pick(random, centers)];
  const changes = touched.map((distribution_center_id) => ({
    ...{ product_id: productId, distribution_center_id },
    ...{ on_hand: 0, reserved: step },
  }));
  writes.push(...changeStock(changes, cause));
  model.push(...changes.map((change) => ({ ...change, ...cause })));
  if (step % together > 0) continue;
  await transact(service.db, writes);
  writes = [];
}
model.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));

/** Movements of one moment are in no order: told apart by center. */
const inOrder = (movements: readonly Movement[]) =>
  movements.toSorted(
    (left, right) =>
      left.at.localeCompare(right.at) || left.distribution_center_id - right.distribution_center_id,
  );

describe("the counts on the stock records", () => {
  test("say for each week and center how many movements there are, and add up to all of them", async () => {
    const items = await stockItemsOf(service.db, productId);

    const counted = items.flatMap((item) =>
      Object.entries(item)
        .filter(([name]) => name.startsWith("week:"))
        .map(([name, count]) => `center ${item["distribution_center_id"]}, ${name}: ${count}`),
    );

    const counts = new Map<string, number>();
    for (const { distribution_center_id, at } of model) {
      const week = `center ${distribution_center_id}, week:${weekOf(dayOf(at))}`;
      counts.set(week, (counts.get(week) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(10);
    expect(counted.toSorted()).toEqual([...counts].map(([week, count]) => `${week}: ${count}`).sort());
  });

  test("are of what lies in the week's partition", async () => {
    for (const week of new Set(model.map(({ at }) => weekOf(dayOf(at))))) {
      const lying = await queryRange(service.db, { table: "inventory", pk: `movement#${productId}#${week}` });

      expect(lying).toHaveLength(model.filter(({ at }) => weekOf(dayOf(at)) === week).length);
    }
  });
});

describe("a product's movements", () => {
  test.each(["asc", "desc"] as const)(
    "come in pages that partition them, %sending by time",
    async (direction) => {
      const pages: Movement[] = [];
      const items = await stockItemsOf(service.db, productId);
      for (let page = 1; page <= Math.ceil(model.length / 11) + 1; page += 1) {
        const request = { page, per_page: 11, direction };
        const { records: movements, total } = await readMovements(service.db, productId, items, request);
        expect(total).toBe(model.length);
        pages.push(...movements);
      }

      const times = pages.map(({ at }) => at);
      const rising = model.map(({ at }) => at);
      expect(times).toEqual(direction === "asc" ? rising : rising.toReversed());
      expect(inOrder(pages)).toEqual(inOrder(model));
    },
  );
});
