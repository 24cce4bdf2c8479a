import { replenishments as repository } from "../../../shared/inbound/inbound-repository.ts";
import { announced } from "../../../shared/inbound/replenishments/replenishment.ts";
import { replenishmentList } from "../../../shared/store/lists/definitions.ts";
import { accountId, type BenchedList } from "./benched-list.ts";

const center = { distribution_center_id: 1, code: "MAIN" };

export const replenishments: BenchedList = {
  name: "replenishments",
  path: "/inventory/replenishments",
  list: replenishmentList,
  writesAt: (replenishment_id, position, at) => {
    const items = [1, 2, 3].map((line) => ({
      sku: `SKU-${line}`,
      product_id: 1000 + line,
      quantity: 1 + (position % 50),
      put_away: 0,
    }));
    const terms = { reference: `PO-${position}`, items, center, eta: "2026-01-31" };
    return repository.insert(announced(terms, { account_id: accountId, replenishment_id, at }));
  },
  filters: [{ name: "unfiltered", query: "", matches: () => true }],
};
