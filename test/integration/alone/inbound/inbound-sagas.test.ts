import { endpoint as createReplenishments } from "../../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as patchReplenishments } from "../../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { replenishmentReferences, replenishments } from "../../../../shared/inbound/inbound-repository.ts";
import { anyOwner } from "../../../../shared/store/lists/repository.ts";
import { announceReplenishment, newProducts } from "../../../support/business/world.ts";
import { unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { type Call, sagaRules } from "../../../support/store/saga-rules.ts";
import { asked } from "../../../support/store/sagas.ts";

const service = await ownService({ paused: true });
const products = await newProducts(service, 100);
/** So many lines take three transactions: the first, a step and the last. */
const items = products.map(({ sku }) => ({ sku, quantity: 1 }));
// The center keeps some of the products already, so a call begins to keep the others, and stores steps too.
await announceReplenishment(service, items.slice(0, 45));

async function shown(id: number): Promise<string> {
  const found = (await replenishments.find(service.db, anyOwner, id))?.record;
  return `${found?.items.length} items of ${found?.items[0]?.quantity}`;
}

async function found(reference: string): Promise<string> {
  const wanted = [{ text: reference, begins: false }];
  const [ids = []] = await replenishmentReferences.find(service.db, service.accountId, wanted, 10);
  return ids.length === 0 ? "none" : (await Promise.all(ids.map(shown))).join();
}

/** One replenishment is changed again and again. */
let lasting: ReturnType<typeof announceReplenishment> | undefined;
function toChange() {
  lasting ??= announceReplenishment(service, items);
  return lasting;
}

const flows: Readonly<Record<string, () => Promise<Call>>> = {
  "replenishment that is created": async () => {
    const reference = unique("LARGE");
    return {
      begin: () => asked(service, createReplenishments, { data: [{ items, reference }] }),
      says: reference,
      shown: () => found(reference),
      before: "none",
      after: "100 items of 1",
    };
  },
  "replenishment that is changed": async () => {
    const { replenishment_id } = await toChange();
    const before = await shown(replenishment_id);
    const quantity = before === "100 items of 1" ? 3 : 1;
    const data = [{ replenishment_id, items: items.map(({ sku }) => ({ sku, quantity })) }];
    return {
      begin: () => asked(service, patchReplenishments, { data }),
      says: String(replenishment_id),
      shown: () => shown(replenishment_id),
      before,
      after: `100 items of ${quantity}`,
    };
  },
};

sagaRules(() => service, flows);
