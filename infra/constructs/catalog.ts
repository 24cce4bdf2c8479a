import type {
  Area,
  EndpointContract,
  FallbackContract,
  FunctionContract,
  ScheduleContract,
  WorkerContract,
} from "../../shared/contract.ts";
import type { JobKind } from "../../shared/domain/jobs.ts";

/** A function of the list: its module below `functions/` and what it states about itself. */
export interface Entry<Contract extends FunctionContract = FunctionContract> {
  readonly key: string;
  readonly contract: Contract;
}

/** The list of all functions, sorted into what the stacks loop over. */
export interface Catalog {
  readonly fallback: Entry<FallbackContract>;
  readonly endpoints: ReadonlyMap<Area, readonly Entry<EndpointContract>[]>;
  readonly workers: ReadonlyMap<JobKind, Entry<WorkerContract>>;
  readonly schedules: readonly Entry<ScheduleContract>[];
}

/**
 * Sorts the list of functions. Refuses a list that could be deployed but not work: a kind of job that is sent but
 * has no worker, or has two that would each get half of the messages; no or several fallbacks.
 */
export const sortFunctions = (functions: Readonly<Record<string, FunctionContract>>): Catalog => {
  const endpoints = new Map<Area, Entry<EndpointContract>[]>();
  const workers = new Map<JobKind, Entry<WorkerContract>>();
  const schedules: Entry<ScheduleContract>[] = [];
  const fallbacks: Entry<FallbackContract>[] = [];
  for (const [key, contract] of Object.entries(functions)) {
    if (contract.type === "endpoint") {
      endpoints.set(contract.auth, [...(endpoints.get(contract.auth) ?? []), { key, contract }]);
    } else if (contract.type === "worker") {
      if (workers.has(contract.job)) throw new Error(`Two workers consume the jobs "${contract.job}".`);
      workers.set(contract.job, { key, contract });
    } else if (contract.type === "schedule") {
      schedules.push({ key, contract });
    } else {
      fallbacks.push({ key, contract });
    }
  }
  requireWorkers(functions, workers);
  const [fallback, ...others] = fallbacks;
  if (fallback === undefined || others.length > 0) throw new Error("There must be exactly one fallback.");
  return { fallback, endpoints, workers, schedules };
};

const requireWorkers = (
  functions: Readonly<Record<string, FunctionContract>>,
  workers: ReadonlyMap<JobKind, unknown>,
): void => {
  for (const [key, { sends }] of Object.entries(functions)) {
    const lost = sends.find((kind) => !workers.has(kind));
    if (lost !== undefined) throw new Error(`"${key}" sends the jobs "${lost}", which have no worker.`);
  }
};
