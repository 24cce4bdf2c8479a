import { binContentLookup, changeBin, openBin, parseBinContent } from "../../shared/data/bins.ts";
import { getItems } from "../../shared/data/reads.ts";
import { changeStock, openStock, stockLookup } from "../../shared/data/stock.ts";
import type { Write } from "../../shared/data/writes.ts";
import {
  type Correction,
  correctedBy,
  correction,
  quantityAfter,
  superseded,
} from "../../shared/domain/recount.ts";
import type { Cause, StockChange } from "../../shared/domain/stock.ts";
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
    const moved: StockChange = { product_id, distribution_center_id, on_hand, reserved: 0 };
    const cause: Cause = { reason: "recount", reference: { correction_id: jobId }, by, at: now };
    const binWrite =
      content === undefined
        ? openBin({ ...payload, ...correctedBy({}, arriving), quantity: after })
        : changeBin(content, on_hand, arriving);
    return { writes: [binWrite, ...stockWrites(payload, moved, cause, find(places.stock) !== undefined)] };
  },
);

/** The change of stock with its movement; stock of a center that never kept the product is opened by it. */
function stockWrites(
  payload: Correction,
  moved: StockChange,
  cause: Cause,
  opened: boolean,
): readonly Write[] {
  if (moved.on_hand === 0) return [];
  if (opened) return changeStock([moved], cause);
  return openStock({ ...payload, on_hand: moved.on_hand, reserved: 0, incoming: 0 }, cause.at, cause);
}

export const handler = workerLambda(worker);
