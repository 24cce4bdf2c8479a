/** Jobs of every kind that a test asks for, and what became of them. */
import { expect } from "vitest";
import type { OwnService } from "../runtime/own-service.ts";
import { type AskedJobs, inTurn, type Kind, kinds } from "./job-kinds.ts";
import { type JobRecord, jobsWith } from "./job-records.ts";
import { makeOverdue, takeDeadLetters } from "./jobs.ts";

/** Jobs of one kind that were asked for. */
export interface Batch {
  readonly kind: Kind;
  readonly asked: AskedJobs;
}

/** Asks for jobs of every kind, each time for others. */
export type AskEvery = () => Promise<readonly Batch[]>;

/** Prepares so many jobs of each kind, to be asked for so many times; answers how to ask for them. */
export async function prepareEvery(
  service: OwnService,
  countOf: (kind: Kind) => number,
  times = 1,
): Promise<AskEvery> {
  const asks = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      ask: inTurn(await kind.prepareCalls(service, countOf(kind), times)),
    })),
  );
  return () => Promise.all(asks.map(async ({ kind, ask }) => ({ kind, asked: await ask() })));
}

/** Attempts that the service makes to send a batch. */
const sendAttempts = 3;

/** Has jobs of every kind accepted whose messages never leave. */
export async function askUnsent(service: OwnService, ask: AskEvery): Promise<readonly Batch[]> {
  const lost = { effect: "drop", operation: "SendMessageBatch", times: sendAttempts } as const;
  const faults = kinds.map(({ endpoint }) => service.runtime.faults.add({ ...lost, function: endpoint }));
  const batches = await ask();
  expect(faults.map(({ hits }) => hits)).toEqual(kinds.map(() => sendAttempts));
  return batches;
}

/**
 * As if the time had come at which the sweeper looks after the jobs, which it has sent again `resent` times.
 */
export async function makeAllOverdue(
  service: OwnService,
  batches: readonly Batch[],
  resent = 0,
): Promise<void> {
  for (const { asked } of batches) for (const id of asked.ids) await makeOverdue(service.db, id, resent);
}

export const sweep = ({ runtime }: OwnService): Promise<void> => runtime.runSchedule("jobs/sweep-jobs");

export const recordsOf = (
  { db }: OwnService,
  { asked }: Pick<Batch, "asked">,
): Promise<readonly JobRecord[]> => jobsWith(db, asked.ids);

export const statusesOf = async ({ db }: OwnService, batches: readonly Batch[]) =>
  (
    await jobsWith(
      db,
      batches.flatMap(({ asked }) => asked.ids),
    )
  ).map(({ status }) => status);

/** Asserts that these jobs are applied, and that nothing of their kinds was set aside. */
export async function expectAllApplied(service: OwnService, ...batches: readonly Batch[]): Promise<void> {
  const asked = batches.flatMap(({ asked, kind: { kind } }) => asked.ids.map((id) => ({ id, kind })));
  const records = await jobsWith(
    service.db,
    asked.map(({ id }) => id),
  );
  expect(records.map(({ kind, status, reason }) => ({ kind, status, reason }))).toEqual(
    asked.map(({ kind }) => ({ kind, status: "applied", reason: null })),
  );
  for (const { finished_at, attempts } of records) {
    expect(finished_at).toEqual(expect.any(String));
    expect(attempts).toBeGreaterThan(0);
  }
  for (const { kind, asked } of batches) {
    expect(await takeDeadLetters(service.runtime, kind.kind)).toEqual([]);
    await asked.expectApplied();
  }
}
