/**
 * Whatever happens to orders, bins, replenishments and returns, in whatever order: the movements of a product
 * add up to its stock, and what is on hand lies in the bins or is picked. Held against a plain model of the
 * warehouse.
 */

import { expect, test } from "vitest";
import { expectEachBalanced } from "../../support/business/ledger.ts";
import { type Step, steps, stored, Warehouse } from "../../support/business/warehouse.ts";
import { listAt, numberAt } from "../../support/http/client.ts";
import { operations, pick, randomFrom } from "../../support/http/random.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

/** What the movements list says, page after page. */
async function movementsOf(sku: string) {
  const all: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = stored(
      await service.oms.get(`/inventory/stock/${sku}/movements?per_page=25&page=${page}`),
    );
    const shown = listAt(body, "data");
    all.push(...shown);
    if (shown.length === 0) {
      expect(numberAt(body, "metadata.total_records")).toBe(all.length);
      return all;
    }
  }
}

const sum = (movements: readonly unknown[], name: string): number =>
  movements.reduce<number>((total, movement) => total + numberAt(movement, name), 0);

async function stockShown(sku: string) {
  const { body } = stored(await service.oms.get(`/inventory/stock?sku=${sku}`));
  const shown = (name: string) => numberAt(body, `data.0.${name}`);
  return {
    on_hand: shown("on_hand"),
    reserved: shown("reserved"),
    available: shown("available"),
    incoming: shown("incoming"),
  };
}

/** How many steps are tried; the fewer still meet every kind of them. */
const stepsTaken = operations(80, 400);

/** Each of them begins another run of steps. */
const seeds = [7, 1122].slice(0, operations(1, 2));

test.each(seeds)(
  "stock is what movements add up to, and what bins and picks hold (seed %i)",
  async (seed) => {
    const random = randomFrom(seed);
    const warehouse = new Warehouse(service, `LEDGER-${seed}`);
    await warehouse.open();

    const met = new Set<Step>();
    for (let count = 0; count < stepsTaken; count += 1) {
      const step = pick(random, steps);
      if (await step(warehouse, random)) met.add(step);
    }

    expect(met).toEqual(new Set(steps));
    for (const sku of warehouse.skus) {
      const shown = await stockShown(sku);
      const movements = await movementsOf(sku);
      expect(shown).toEqual(warehouse.stockOf(sku));
      expect(sum(movements, "on_hand")).toBe(shown.on_hand);
      expect(sum(movements, "reserved")).toBe(shown.reserved);
    }
    await expectEachBalanced(service, warehouse.skus);
  },
  280_000,
);
