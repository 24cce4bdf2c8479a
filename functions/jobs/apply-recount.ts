import { invalid } from "../../shared/common/problem.ts";
import type { JobPlan } from "../../shared/jobs/apply.ts";
import type { QueuedJob } from "../../shared/jobs/job-repository.ts";
import { defineWorker } from "../../shared/jobs/worker.ts";
import {
  binContent,
  binContentLookup,
  changeBin,
  goodsIn,
  pendingCorrections,
} from "../../shared/stock/bins/bin-repository.ts";
import { recountGoods } from "../../shared/stock/bins/layers.ts";
import type { Cause } from "../../shared/stock/movements/movement.ts";
import { moveStock } from "../../shared/stock/open-stock.ts";
import { type Correction, correction, neededFirst } from "../../shared/stock/recount/recount.ts";
import { isStock, stockLookup } from "../../shared/stock/stock-repository.ts";
import { type FindItem, parsed } from "../../shared/store/dynamodb/reads.ts";

/** The items on which a correction is planned: those of its bin and of its product's stock. */
const lookupsOf = ({ product_id, location, bin, distribution_center_id }: Correction) => ({
  bin: binContentLookup(product_id, location, bin),
  stock: stockLookup(product_id, distribution_center_id),
});

/**
 * Applies the difference of a correction to its bin (docs/decisions.md, Recounts). Corrections may arrive in
 * any order. If one takes more than the bin holds, pending corrections that add units are applied first. If
 * there are none, goods have left the bin, and the correction fails. Its conditions are that the bin still
 * holds too little and no other correction has been accepted.
 */
function planCorrection(
  { job_id, payload, by }: QueuedJob<Correction>,
  find: FindItem,
  now: string,
): JobPlan {
  const { bin, stock } = lookupsOf(payload);
  const { difference } = payload;
  const item = find(bin);
  const content = parsed(binContent, item);
  const goods = goodsIn(content);
  const after = goods.quantity + difference;
  if (after < 0) {
    const first = neededFirst(goods.quantity, difference, pendingCorrections(item ?? {}));
    if (first.length > 0) return { first };
    const message = `goods left the bin meanwhile; it holds ${goods.quantity}, so a change by ${difference} would leave it below zero`;
    const conditions = [
      { attribute: "quantity", atMost: -difference - 1 },
      // No condition holds for a bin that does not exist yet, so the job is planned again.
      { attribute: "accepted", equals: content?.accepted ?? job_id },
    ];
    return { problem: invalid(`quantity not valid: ${message}`), conditions };
  }
  const cause: Cause = { reason: "recount", reference: { correction_id: job_id }, by, at: now };
  const isStocked = find(stock) !== undefined;
  return {
    writes: [
      ...changeBin(payload, content, recountGoods(goods, after), now, { job_id, difference }),
      ...moveStock(payload, difference, cause, isStocked),
    ],
  };
}

export const { worker, handler } = defineWorker({
  job: "recount",
  payload: correction,
  access: { inventory: "write-records" },
  reads: (payload) => Object.values(lookupsOf(payload)),
  // Open stock stays open, and is only added to.
  shares: (lookup, item) => isStock(lookup) && item !== undefined,
  plan: planCorrection,
});
