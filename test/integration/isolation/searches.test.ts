import { expect, test } from "vitest";
import {
  announceReplenishment,
  announceReturn,
  newStore,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { at } from "../../support/http/client.ts";
import { aliasOf, synsetOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

/** The stranger knows how all records of the owner are called. */
const text = unique("OURS");
const service = await sharedService();
const stranger = (await newStore(service)).oms;
const { sku } = await stockedProduct(service, 5);
const lines = [{ sku, quantity: 1 }];
const { synset } = synsetOf();
await service.oms.post("/inventory/synsets", { data: [synsetOf(lines, { synset })] });
await service.oms.post("/inventory/aliases", { data: [aliasOf({ sku, alias: text, channel_id: null })] });
const { order_id } = await shippedOrder(service, lines, { order_number: text, order_reference: text });
await announceReplenishment(service, lines, { reference: text });
await announceReturn(service, order_id, lines);
await service.oms.post("/serials/bulk", { data: [{ sku, serials: ["A1"] }] });

test.each([
  ["orders by number", `/orders?order_number=${text}*`],
  ["orders by reference", `/orders?order_reference=${text}`],
  ["replenishments by reference", `/inventory/replenishments?reference=${text}*`],
  ["returns by order", `/inventory/returns?order_id=${order_id}`],
  ["aliases by SKU", `/inventory/aliases?sku=${sku}`],
  ["serials by SKU", `/serials?sku=${sku}`],
  ["stock by SKU", `/inventory/stock?sku=${sku}`],
  ["stock by SKU in a center", `/inventory/stock?sku=${sku}&distribution_center=MAIN`],
  ["stock by synset", `/inventory/stock?sku=${synset}`],
  ["stock by synset in a center", `/inventory/stock?sku=${synset}&distribution_center=MAIN`],
  ["stock by SKU, alias and synset", `/inventory/stock?sku=${sku},${text},${synset}`],
])("a search finds nothing of another account: %s", async (_case, path) => {
  const answers = [await service.oms.get(path), await stranger.get(path)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(at(answers[0]?.body, "metadata.total_records")).toBeGreaterThan(0);
  expect(at(answers[1]?.body, "data")).toEqual([]);
  expect(at(answers[1]?.body, "metadata.total_records")).toBe(0);
});
