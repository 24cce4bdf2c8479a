import { adjustBin, binContentLookup, parseBinContent } from "../../shared/data/bins.ts";
import { getItems } from "../../shared/data/reads.ts";
import { moveStock, stockLookup } from "../../shared/data/stock.ts";
import { correction, quantityAfter, superseded } from "../../shared/domain/recount.ts";
import type { Cause } from "../../shared/domain/stock.ts";
import { defineWorker, workerLambda } from "../../shared/jobs/worker.ts";

export const worker = defineWorker(
  { job: "recount", payload: correction, access: { inventory: "write" } },
  async ({ db, jobId, payload, by, now }) => {
    const { product_id, location, bin, distribution_center_id, change } = payload;
    const places = {
      bin: binContentLookup(product_id, location, bin),
      stock: stockLookup(product_id, distribution_center_id),
    };
    const find = await getItems(db, [places.bin, places.stock]);
    const stored = find(places.bin);
    const content = stored === undefined ? undefined : parseBinContent(stored);
    const arriving = { id: jobId, kind: change.kind };
    const late = superseded(content ?? {}, arriving);
    if (late !== undefined) return { failed: late };
    const before = content?.quantity ?? 0;
    const after = quantityAfter(before, change);
    if (after < 0)
      return { failed: `quantity not valid: the bin holds ${before}, the change is ${change.quantity}` };
    const on_hand = after - before;
    const cause: Cause = { reason: "recount", reference: { correction_id: jobId }, by, at: now };
    const kept = find(places.stock) !== undefined;
    return {
      writes: [
        ...adjustBin(payload, content, on_hand, now, arriving),
        ...moveStock(payload, on_hand, cause, kept),
      ],
    };
  },
);

export const handler = workerLambda(worker);
