import * as z from "zod/mini";
import { barcodeOf } from "../../domain/orders/order.ts";
import { weighing } from "../../domain/orders/weighing.ts";
import { reversion } from "../../domain/picking/reversion.ts";
import type { Job } from "../../store/jobs.ts";
import { correctionRecord, presentCorrection } from "./recount.ts";

/** What every job shows: what became of it, and when. */
const fate = {
  job_id: z.int(),
  status: z.enum(["queued", "applied", "failed"]),
  reason: z.nullable(z.string()),
  requested_by: z.string(),
  queued_at: z.string(),
  finished_at: z.nullable(z.string()),
  attempts: z.int(),
};

const order = { order_id: z.int(), nbtybarcode: z.string() };

/** A job of any kind, with what it is about (docs/decisions.md, Jobs). */
export const jobRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("recount"), ...fate, ...correctionRecord.shape }),
  z.object({ kind: z.literal("weight"), ...fate, ...order, weight: z.number() }),
  z.object({ kind: z.literal("revert"), ...fate, ...order }),
]);

/** The kinds that `presentJob` knows: all that have a worker. */
const presentedKind = z.enum(["recount", "weight", "revert"]);

/** @throws where the job is of another kind */
export function presentJob(job: Job): z.output<typeof jobRecord> {
  const kind = z.parse(presentedKind, job.kind);
  const { job_id, status, reason, by: requested_by, queued_at, finished_at, attempts } = job;
  const shown = { job_id, status, reason, requested_by, queued_at, finished_at, attempts };
  switch (kind) {
    case "recount":
      return { kind, ...shown, ...presentCorrection(job) };
    case "weight": {
      const { order_id, weight } = z.parse(weighing, job.payload);
      return { kind, ...shown, order_id, nbtybarcode: barcodeOf(order_id), weight };
    }
    case "revert": {
      const { order_id } = z.parse(reversion, job.payload);
      return { kind, ...shown, order_id, nbtybarcode: barcodeOf(order_id) };
    }
  }
}
