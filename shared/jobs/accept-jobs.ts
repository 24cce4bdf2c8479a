import type { Problem } from "../common/problem.ts";
import type { Context } from "../lambda/context.ts";
import { type Outcome, storeEach } from "../store/bulk/bulk.ts";
import type { Write } from "../store/dynamodb/writes.ts";
import { allocate } from "../store/lists/allocate.ts";
import { everyone, jobList } from "../store/lists/definitions.ts";
import type { QueuedJob } from "./job-repository.ts";

/** An element of a call with its position in the call. */
export interface Positioned<T> {
  readonly value: T;
  readonly position: number;
}

export const inOrder = <T>(some: readonly Positioned<T>[]): readonly T[] =>
  some.toSorted((left, right) => left.position - right.position).map(({ value }) => value);

/** Jobs to accept, and the writes that do it, job records first. `at` is when they are queued. */
export interface Acceptance<P> {
  readonly payloads: readonly Positioned<P>[];
  readonly writes: (jobs: readonly QueuedJob<P>[], at: string) => readonly Write[];
}

/**
 * Accepts the jobs of a call: plans its parts, allocates ids in the order of the call, and stores each part
 * atomically. A part whose plan turns out stale is planned again. Sends no messages. Each part is stored
 * with its `receipt`.
 * @returns the jobs of each part, or why the part was not accepted; a single part is always accepted
 * @throws the problem of the first planning, or of a single part, with nothing stored; as `storeEach`
 */
export async function acceptJobs<R, P>(
  context: Context,
  parts: readonly R[],
  plan: (
    open: readonly R[],
  ) => Promise<readonly (readonly Acceptance<P>[] | { readonly problem: Problem })[]>,
  receipt: (position: number, jobs: readonly Positioned<QueuedJob<P>>[]) => readonly Write[],
): Promise<readonly Outcome<readonly Positioned<QueuedJob<P>>[]>[]> {
  const planWithIds = async (open: readonly R[]) => {
    const planned = await plan(open);
    const accept = await takeIds(
      context,
      planned.flatMap((part) => ("problem" in part ? [] : part)),
    );
    return planned.map((part) => {
      if ("problem" in part) return part;
      const accepted = part.map(accept);
      const [result, writes] = [accepted.flatMap(({ jobs }) => jobs), accepted.flatMap((one) => one.writes)];
      return { result, writes };
    });
  };
  const outcomes = await storeEach(context.db, parts, planWithIds, { receipt });
  const [only] = outcomes;
  if (outcomes.length === 1 && only !== undefined && "problem" in only) throw only.problem;
  return outcomes;
}

/**
 * Allocates ids for the jobs of acceptances, and returns the writes for each. Ids are allocated after
 * planning, so they are higher than all ids that the plans have read.
 */
async function takeIds<P>({ db, actor: by }: Context, acceptances: readonly Acceptance<P>[]) {
  const payloads = acceptances.flatMap((one) => one.payloads);
  const positions = inOrder(payloads.map(({ position }) => ({ value: position, position })));
  const { firstId, at } =
    positions.length === 0 ? { firstId: 0, at: "" } : await allocate(db, jobList, everyone, positions.length);
  return (acceptance: Acceptance<P>) => {
    const jobs = acceptance.payloads.map(({ value: payload, position }) => ({
      value: { job_id: firstId + positions.indexOf(position), by, request_id: db.requestId, payload },
      position,
    }));
    return { jobs, writes: acceptance.writes(inOrder(jobs), at) };
  };
}
