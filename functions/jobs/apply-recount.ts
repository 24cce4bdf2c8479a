import { binContent, binContentLookup, changeBin, heldIn } from "../../shared/data/bins.ts";
import { parsed } from "../../shared/data/registries.ts";
import { moveStock, stockLookup } from "../../shared/data/stock.ts";
import { recounted } from "../../shared/domain/stock/layers.ts";
import { correction, outdated, quantityAfter, superseded } from "../../shared/domain/stock/recount.ts";
import type { Cause } from "../../shared/domain/stock/stock.ts";
import { defineWorker, workerLambda } from "../../shared/jobs/worker.ts";
import { getItems } from "../../shared/store/reads.ts";

export const worker = defineWorker(
  { job: "recount", payload: correction, access: { inventory: "write" } },
  async ({ db, jobId, payload, by, now }) => {
    const { product_id, location, bin, distribution_center_id, change } = payload;
    const places = {
      bin: binContentLookup(product_id, location, bin),
      stock: stockLookup(product_id, distribution_center_id),
    };
    const find = await getItems(db, [places.bin, places.stock]);
    const content = parsed(binContent, find(places.bin));
    const arriving = { id: jobId, kind: change.kind };
    const late = superseded(content ?? {}, arriving) ?? outdated(payload, content ?? {});
    if (late !== undefined) return { failed: late };
    const held = heldIn(content);
    const counted = quantityAfter(held.quantity, change);
    if (counted < 0) {
      const failed = `quantity not valid: the bin holds ${held.quantity}, the change is ${change.quantity}`;
      return { failed };
    }
    const on_hand = counted - held.quantity;
    const cause: Cause = { reason: "recount", reference: { correction_id: jobId }, by, at: now };
    const kept = find(places.stock) !== undefined;
    return {
      writes: [
        ...changeBin(payload, content, recounted(held, counted), now, arriving),
        ...moveStock(payload, on_hand, cause, kept),
      ],
    };
  },
);

export const handler = workerLambda(worker);
