/** The warehouse's jobs as clients see them. */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Job } from "../jobs/job-repository.ts";
import { barcodeOf } from "../orders/order.ts";
import { correctionRecord, presentCorrection } from "../stock/recount/recount-view.ts";
import { reversion } from "./reversion.ts";
import { weighing } from "./weighing.ts";

const { shape } = correctionRecord;

/** What every kind of job shows, as a correction does: its outcome and its times. */
const outcome = {
  job_id: primitive.int,
  status: shape.status,
  reason: shape.reason,
  requested_by: shape.requested_by,
  request_id: shape.request_id,
  queued_at: shape.queued_at,
  finished_at: shape.finished_at,
  attempts: shape.attempts,
};

const order = { order_id: primitive.int, nbtybarcode: primitive.text };

/** A job of any kind, with what it applies to (docs/decisions.md, Jobs). */
export const jobRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("recount"), ...outcome, ...shape }),
  z.object({ kind: z.literal("weight"), ...outcome, ...order, weight: primitive.number }),
  z.object({ kind: z.literal("revert"), ...outcome, ...order }),
]);

/** All kinds that have a worker. */
const presentedKind = z.enum(["recount", "weight", "revert"]);

/** @throws if the job is of another kind */
export function presentJob(job: Job): z.output<typeof jobRecord> {
  const kind = z.parse(presentedKind, job.kind);
  const shown = { ...job, requested_by: job.by, request_id: job.request_id ?? null };
  switch (kind) {
    case "recount":
      return { ...presentCorrection(job), ...shown, kind };
    case "weight": {
      const { order_id, weight } = z.parse(weighing, job.payload);
      return { ...shown, kind, order_id, nbtybarcode: barcodeOf(order_id), weight };
    }
    case "revert": {
      const { order_id } = z.parse(reversion, job.payload);
      return { ...shown, kind, order_id, nbtybarcode: barcodeOf(order_id) };
    }
  }
}
