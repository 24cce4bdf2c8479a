import { commitEach } from "../store/bulk/bulk-commit.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { textOf } from "../store/dynamodb/keys.ts";
import { type FindItem, getItems } from "../store/dynamodb/reads.ts";
import { stale, type Write } from "../store/dynamodb/writes.ts";
import type { Applies, Delivered } from "./apply-job.ts";
import { finishApplied } from "./job-repository.ts";

/**
 * Applies those of several jobs that go together, by one read and as few transactions as hold them. It is several times
 * as fast as one after another. Each job takes effect with its record, as `applyJob` has it.
 *
 * Jobs go together that are planned on different items, and that have something to write. A job that shares an item with one
 * before it waits for what that job stores. A job that writes nothing has no condition that would be refused, so it is planned
 * on a read of its own. The caller applies these one by one, and also those that were refused or came behind an error.
 * @returns the jobs that are applied; `stopped` holds the error behind which no other job was tried
 * @throws as `getItems`, and what a plan throws, with nothing stored
 */
export async function applyTogether<P>(
  worker: Applies<P>,
  db: Database,
  jobs: readonly Delivered<P>[],
): Promise<{ readonly applied: ReadonlySet<Delivered<P>>; readonly stopped?: { readonly error: unknown } }> {
  const apart = withoutSharing(worker, jobs);
  const find = await getItems(
    db,
    apart.flatMap(({ payload }) => worker.reads(payload)),
  );
  const planned = apart.flatMap((job) => {
    const writes = writesOf(worker, job, find);
    return writes === undefined ? [] : [{ job, writes }];
  });
  const { outcomes, ...ended } = await commitEach(
    db,
    planned.map(({ writes }) => writes),
  );
  const stored = planned.filter((_, position) => outcomes[position]?.kind === "stored");
  return { applied: new Set(stored.map(({ job }) => job)), ...ended };
}

/** The jobs that share no item with one before them. */
function withoutSharing<P>(worker: Applies<P>, jobs: readonly Delivered<P>[]): readonly Delivered<P>[] {
  const taken = new Set<string>();
  return jobs.filter(({ payload }) => {
    const names = worker.reads(payload).map(({ table, key }) => textOf(table, key));
    const isApart = names.every((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    return isApart;
  });
}

/**
 * What applies a job, where that is more than its record. A job that was finished before is refused as stale here, so that
 * the others go on without it. It is found finished in its own turn.
 */
function writesOf<P>(worker: Applies<P>, job: Delivered<P>, find: FindItem): readonly Write[] | undefined {
  const at = new Date().toISOString();
  const plan = worker.plan({ ...job, now: at }, find);
  if (!("writes" in plan) || plan.writes.length === 0) return undefined;
  const finish = finishApplied(job.jobId, { at, attempts: job.attempts });
  return [...plan.writes, { ...finish, rejection: stale }];
}
