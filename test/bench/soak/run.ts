import { setTimeout as delay } from "node:timers/promises";
import type { Fault, Runtime } from "../../../infra/local/index.ts";
import { randomFrom } from "../../support/http/random.ts";
import { type JobRecord, jobsOf } from "../../support/store/job-records.ts";
import { makeOverdue } from "../../support/store/jobs.ts";
import { callsFor } from "./ask.ts";
import { differences, type Jobs, soakedKinds } from "./check.ts";
import { accepted, type SetUp, type Soaked, type SoakSize, setUp } from "./set-up.ts";
import { doubleMessages, loseMessages, troubledCalls, troubleWorker } from "./trouble.ts";

/** What came of a soak. */
export interface SoakReport {
  readonly jobs: Jobs;
  /** Jobs that the sweeper sent again: their messages were lost, or their worker died at every delivery. */
  readonly resent: number;
  /** Times that something went wrong, by what it was. */
  readonly struck: Readonly<Record<string, number>>;
  /** From the first message that is worked on until no job is queued. */
  readonly seconds: number;
  /** Empty where the totals are exact. */
  readonly differences: readonly string[];
}

/**
 * Has all jobs accepted while nothing works on them, a share of their messages sent twice or lost; then lets
 * the workers drain the queues, a share of their transactions failing; then counts. The same seed gives the
 * same calls and faults.
 */
export async function soak(
  runtime: Runtime,
  service: Omit<Soaked, "settled">,
  size: SoakSize,
  seed: number,
): Promise<SoakReport> {
  const random = randomFrom(seed);
  const soaked: Soaked = { ...service, settled: () => runtime.settled() };
  const made = await setUp(soaked, size);
  const before = new Set((await jobsOf(service.db, "recount")).map(({ job_id }) => job_id));
  await runtime.pause();
  const sent = await askAll(runtime, soaked, made, size, random);
  const faults = [...sent, ...troubleWorkers(runtime, size, random)];
  const started = performance.now();
  await drain(runtime, soaked);
  const seconds = (performance.now() - started) / 1000;
  runtime.faults.clear();
  const jobs = await allJobs(soaked);
  const found = await differences(soaked.db, jobs, made);
  const asked = { ...jobs, recount: jobs.recount.filter(({ job_id }) => !before.has(job_id)) };
  const resent = Object.values(asked)
    .flat()
    .filter((job) => job.resent > 0).length;
  return { jobs: asked, resent, struck: strikes(faults), seconds, differences: found };
}

async function askAll(
  runtime: Runtime,
  { wms }: Soaked,
  made: SetUp,
  size: SoakSize,
  random: () => number,
): Promise<readonly Fault[]> {
  const calls = callsFor(made, size, random);
  const { losing, doubling } = troubledCalls(calls.length, random);
  const faults: Fault[] = [];
  for (const [position, { path, body, jobs }] of calls.entries()) {
    const ofCall = [
      ...(losing.has(position) ? [loseMessages(runtime, jobs)] : []),
      ...(doubling.has(position) ? [doubleMessages(runtime)] : []),
    ];
    accepted(await wms.post(path, body));
    for (const fault of ofCall) fault.remove();
    faults.push(...ofCall);
  }
  return faults;
}

function troubleWorkers(runtime: Runtime, size: SoakSize, random: () => number): readonly Fault[] {
  return [
    ...troubleWorker(runtime, "jobs/apply-recount", size.corrections, random),
    ...troubleWorker(runtime, "jobs/apply-weight", size.weights, random),
    ...troubleWorker(runtime, "jobs/apply-revert", size.reverts, random),
  ];
}

/**
 * Sweeps that the soak waits for: what was lost is found by the first, what died at every delivery by the
 * next.
 */
const maxSweeps = 20;

/** The sweeper finds jobs by an index that follows the table a moment later. */
const indexMilliseconds = 200;

async function drain(runtime: Runtime, service: Soaked): Promise<void> {
  runtime.resume();
  await runtime.settled();
  for (let run = 0; run < maxSweeps; run += 1) {
    const left = await queuedJobs(service);
    if (left.length === 0) return;
    for (const { job_id } of left) await makeOverdue(service.db, job_id);
    await delay(indexMilliseconds);
    await runtime.runSchedule("jobs/sweep-jobs");
    await runtime.settled();
  }
}

const queuedJobs = async (service: Soaked): Promise<readonly JobRecord[]> =>
  Object.values(await allJobs(service))
    .flat()
    .filter(({ status }) => status === "queued");

async function allJobs({ db }: Soaked): Promise<Jobs> {
  const [recount, weight, revert] = await Promise.all(soakedKinds.map((kind) => jobsOf(db, kind)));
  return { recount: recount ?? [], weight: weight ?? [], revert: revert ?? [] };
}

function strikes(faults: readonly Fault[]): Readonly<Record<string, number>> {
  const struck: Record<string, number> = {};
  for (const { rule, hits } of faults) struck[rule.effect] = (struck[rule.effect] ?? 0) + hits;
  return struck;
}
