import { afterAll, beforeAll } from "vitest";
import { endpoint as createReplenishments } from "../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as patchReplenishments } from "../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { replenishments } from "../../../shared/data/inbound.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { type Call, stepRules } from "../../support/step-rules.ts";
import { asked } from "../../support/steps.ts";
import { newProducts, replenishment } from "../../support/world.ts";

let service: OwnService;
/** So many lines take three transactions: the first, a step and the last. */
let items: readonly { readonly sku: string; readonly quantity: number }[];
beforeAll(async () => {
  service = await startService({ paused: true });
  const products = await newProducts(service, 100);
  items = products.map(({ sku }) => ({ sku, quantity: 1 }));
});
afterAll(() => service.runtime.stop());

const listed = async () => {
  const { db, accountId } = service;
  return `${(await replenishments.read(db, accountId, { page: 1, per_page: 1 })).total} replenishments`;
};

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  "replenishment that is created": async () => {
    const before = await listed();
    return {
      begin: () => asked(service, createReplenishments, { data: [{ items }] }),
      says: '"status":"Pending"',
      shown: listed,
      before,
      after: `${Number.parseInt(before, 10) + 1} replenishments`,
    };
  },
  "replenishment that is changed": async () => {
    const { replenishment_id } = await replenishment(service, items);
    const more = items.map(({ sku }) => ({ sku, quantity: 3 }));
    return {
      begin: () => asked(service, patchReplenishments, { data: [{ replenishment_id, items: more }] }),
      says: String(replenishment_id),
      shown: async () => {
        const found = await replenishments.findAny(service.db, replenishment_id);
        return `${found?.items[0]?.quantity} of each`;
      },
      before: "1 of each",
      after: "3 of each",
    };
  },
};

stepRules(() => service, flows);
