import { type Job, overdueJobs, parseOverdue } from "../../shared/jobs/job-repository.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { unlessUnreadable } from "./unreadable.ts";

/** Later than any time (ISO 8601) at which a job is due. */
const later = "9999";

/** The jobs that are still to be applied, in no particular order; `unclear` for one that can't be read. */
export async function* queuedJobs(db: Database): AsyncGenerator<Job | "unclear", void> {
  for (const pages of overdueJobs(db, later, 100))
    for await (const page of pages)
      for (const { read } of page) {
        const job = await unlessUnreadable(() => parseOverdue(read, later));
        if (job !== undefined) yield job;
      }
}
