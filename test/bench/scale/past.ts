/** What stock of a past moment costs beside today's, for a product with many movements. */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import {
  insertMovement,
  movementCounted,
  table,
} from "../../../shared/stock/movements/movement-repository.ts";
import { emptyStock } from "../../../shared/stock/product-stock.ts";
import { openStock, stockLookup } from "../../../shared/stock/stock-repository.ts";
import { totalProduct } from "../../../shared/stock/total-movements.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { at } from "../../support/http/client.ts";
import { newProduct } from "../../support/store/world.ts";
import { type Deployment, deployed } from "./deployment.ts";
import type { Part } from "./figures.ts";

const movements = 1_000_000;
/** Of these, half were in one week, and the others spread over the weeks of a year and a half. */
const weeks = 78;
const day = 86_400_000;

const maxUnits = 2;

export const past: Part = (print) =>
  deployed({}, async (deployment) => {
    const product = await newProduct(deployment);
    const begin = Date.now() - weeks * 7 * day;
    const times = timesFrom(begin);
    await store(deployment, { ...product, account_id: deployment.accountId }, times, print);
    const read = async (as_of?: string) => {
      const query = as_of === undefined ? "" : `&as_of=${as_of}`;
      const mark = deployment.runtime.mark();
      const { body } = await deployment.oms.get(
        `/inventory/stock?sku=${product.sku}&distribution_center=EAST${query}`,
      );
      return {
        units: deployment.runtime.summary(mark).readUnits,
        onHand: Number(at(body, "data.0.on_hand")),
      };
    };
    deployment.runtime.recordCapacity(true);
    await read();
    const today = await read();
    let [most, wrong] = [0, 0];
    for (let position = 0; position < times.length; position += Math.floor(times.length / 50)) {
      const { units, onHand } = await read(new Date(times[position] ?? begin).toISOString());
      most = Math.max(most, units - today.units);
      if (onHand !== position + 1) wrong += 1;
    }
    return [
      {
        figure: `stock of a past moment of a product with ${movements.toLocaleString("en")} movements: read units beyond today's`,
        goal: `${maxUnits}`,
        found: `${most}; ${wrong === 0 ? "exact" : `${wrong} WRONG`}`,
        held: most <= maxUnits && wrong === 0,
      },
    ];
  });

/** The times of all movements, each in a millisecond of its own, oldest first. */
function timesFrom(begin: number): readonly number[] {
  const apart = Math.floor((weeks * 7 * day) / (movements / 2 + 1));
  const even = Array.from({ length: movements / 2 }, (_, position) => begin + (position + 1) * apart);
  const busy = Array.from(
    { length: movements / 2 },
    (_, position) => begin + 40 * 7 * day + 2 * position + 1,
  );
  return [...new Set([...even, ...busy])].toSorted((left, right) => left - right);
}

/** Stores one unit at each time, and the totals. */
async function store(
  { db }: Deployment,
  product: { readonly account_id: number; readonly product_id: number; readonly sku: string },
  times: readonly number[],
  print: (line: string) => void,
): Promise<void> {
  const { product_id } = product;
  const east = { distribution_center_id: 2, code: "EAST" };
  await transact(db, openStock(emptyStock(product, east), new Date((times[0] ?? 0) - day).toISOString()));
  const counts: Record<string, number> = {};
  const writes = times.map((time) => {
    const cause = {
      reason: "recount",
      reference: {},
      by: "bench",
      at: new Date(time).toISOString(),
    } as const;
    for (const name of Object.keys(movementCounted(cause))) counts[name] = (counts[name] ?? 0) + 1;
    return insertMovement({ product_id, distribution_center_id: 2, on_hand: 1, reserved: 0 }, cause);
  });
  const batches = Array.from({ length: Math.ceil(writes.length / 25) }, (_, batch) =>
    writes.slice(batch * 25, batch * 25 + 25),
  );
  await forEachConcurrently(batches, async (batch) => {
    const requests = batch.flatMap((write) =>
      write.kind === "insert" ? [{ PutRequest: { Item: { ...write.item } } }] : [],
    );
    await db.client.send(new BatchWriteCommand({ RequestItems: { [db.tableName(table)]: requests } }));
  });
  const { key } = stockLookup(product_id, 2);
  await transact(db, [{ kind: "count", table, key, add: { on_hand: times.length, ...counts } }]);
  print(`movements ${times.length}, of these with totals ${await totalProduct(db, product_id)}`);
}
