import * as z from "zod/mini";
import { type EventKind, itemsOfList, type PendingEvents, previousValues } from "../../events/kind.ts";
import { eventCatalog } from "../../events/types.ts";
import { type Job, jobList, parseJob } from "../../jobs/job-repository.ts";
import { joined } from "../../store/dynamodb/keys.ts";
import type { ItemChange } from "../../streams/change.ts";
import { correctionRecord, presentCorrection } from "./recount-view.ts";

const { subject } = eventCatalog.correction;

const presentJob = (job: Job) => z.parse(correctionRecord, presentCorrection(job));

/** The events of a change that finished a correction. */
function emit({ before, after }: ItemChange): PendingEvents | undefined {
  if (before === undefined || after?.["kind"] !== "recount" || after["status"] === before["status"])
    return undefined;
  const job = parseJob(after);
  if (job.status === "queued") return undefined;
  const data = presentJob(job);
  const id = String(job.job_id);
  return {
    source: joined(subject, id),
    version: "2026-11-22",
    account_id: data.account_id,
    occurred_at: job.finished_at ?? job.queued_at,
    by: job.by,
    request_id: data.request_id,
    subject: { kind: subject, id },
    drafts: [
      {
        type: `correction.${job.status}`,
        data,
        previous: previousValues(presentJob(parseJob(before)), data),
      },
    ],
  };
}

export const correctionEvents: EventKind = {
  ...eventCatalog.correction,
  changesOf: { ...itemsOfList(jobList), where: { kind: "recount" } },
  record: correctionRecord,
  emit: async (_db, changes) => changes.map(emit),
};
