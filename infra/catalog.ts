import {
  type DiagnosticContract,
  type EndpointContract,
  type FallbackContract,
  type FunctionContract,
  type HealthCheckContract,
  type PageContract,
  type Route,
  routesOf,
  type ScheduleContract,
  type StreamContract,
  type WorkerContract,
} from "../shared/runtime/contract.ts";
import { type QueueName, queueNamePattern } from "../shared/runtime/queue-names.ts";
import { permitsOf } from "../shared/store/permits.ts";
import { tableNames, tableSchemas } from "../shared/store/tables.ts";
import { accessOf } from "./access.ts";

/** A function of the list: its module below `functions/` and its contract. */
export interface Entry<Contract extends FunctionContract = FunctionContract> {
  readonly key: string;
  readonly contract: Contract;
  /** The kinds of jobs that the function may send, with `every` expanded. */
  readonly sends: readonly QueueName[];
}

/** The list of all functions, sorted into the groups that the stacks loop over. */
export interface Catalog {
  readonly fallback: Entry<FallbackContract>;
  /**
   * By the name of their stack: the area, followed by the feature's name if the feature has a stack of its
   * own.
   */
  readonly endpoints: ReadonlyMap<string, readonly Entry<EndpointContract>[]>;
  /** Pages, and the health check. */
  readonly pages: readonly Entry<PageContract | HealthCheckContract>[];
  readonly workers: ReadonlyMap<QueueName, Entry<WorkerContract>>;
  readonly schedules: readonly Entry<ScheduleContract>[];
  readonly streams: readonly Entry<StreamContract>[];
  readonly diagnostics: readonly Entry<DiagnosticContract>[];
}

/**
 * The functions of a list, by their keys, with the kinds of jobs expanded.
 * @throws if one sends jobs that have no worker
 */
export function catalogEntries(functions: Readonly<Record<string, FunctionContract>>): readonly Entry[] {
  const kinds = kindsOf(functions);
  const ofJobs = [...kinds].filter(([, { messages }]) => messages !== "wake-ups").map(([kind]) => kind);
  return Object.entries(functions).map(([key, contract]) => ({
    key,
    contract,
    sends: contract.sends === "every" ? ofJobs : sent(key, contract.sends, kinds),
  }));
}

/**
 * Folders of `functions` whose endpoints have a stack of their own, because a stack holds 500 resources and
 * all endpoints of the area would not fit into one. Moving deployed routes to another stack takes two
 * deployments.
 */
const features: readonly string[] = ["oms/inventory", "oms/orders"];

const stackOf = (key: string, { auth }: EndpointContract): string =>
  features.find((folder) => key.startsWith(`${folder}/`))?.replace("/", "-") ?? auth;

/**
 * Sorts the list of functions, and rejects a list that could be deployed but would not work. Every kind of
 * job that is sent needs exactly one worker, since two workers would each get half of the messages. A kind
 * must be usable as the name of a queue. Tables whose changes a function consumes need a stream. There must
 * be exactly one fallback.
 */
export const sortFunctions = (functions: Readonly<Record<string, FunctionContract>>): Catalog => {
  const entries = catalogEntries(functions);
  const streams = entries.filter(isOf("stream"));
  for (const { key, contract } of streams) expectChanges(key, contract);
  const [fallback, ...others] = entries.filter(isOf("fallback"));
  if (fallback === undefined || others.length > 0) throw new Error("There must be exactly one fallback.");
  return {
    fallback,
    endpoints: Map.groupBy(entries.filter(isOf("endpoint")), ({ key, contract }) => stackOf(key, contract)),
    pages: entries.filter(isOf("page", "health-check")),
    workers: new Map(entries.filter(isOf("worker")).map((one) => [one.contract.job, one])),
    schedules: entries.filter(isOf("schedule")),
    streams,
    diagnostics: entries.filter(isOf("diagnostic")),
  };
};

type OfType<T> = Entry<Extract<FunctionContract, { type: T }>>;

const isOf =
  <T extends FunctionContract["type"]>(...types: readonly T[]) =>
  (entry: Entry): entry is OfType<T> =>
    types.some((type) => type === entry.contract.type);

/** The routes that check passwords or codes: all but GET of the functions that may read credentials. */
export const signInsOf = ({ endpoints, pages }: Catalog): readonly Route[] =>
  [...[...endpoints.values()].flat(), ...pages]
    .filter(({ contract }) =>
      permitsOf(accessOf(contract)).some(({ kinds }) => kinds.get("credentials#")?.includes("read") === true),
    )
    .flatMap(({ contract }) => routesOf(contract))
    .filter(({ method }) => method !== "GET");

/** The kinds of jobs, each with its worker. */
const kindsOf = (
  functions: Readonly<Record<string, FunctionContract>>,
): ReadonlyMap<QueueName, WorkerContract> => {
  const kinds = new Map<QueueName, WorkerContract>();
  for (const contract of Object.values(functions)) {
    if (contract.type !== "worker") continue;
    const { job } = contract;
    if (!queueNamePattern.test(job)) throw new Error(`"${job}" cannot name a kind of job.`);
    if (kinds.has(job)) throw new Error(`Two workers consume the jobs "${job}".`);
    kinds.set(job, contract);
  }
  return kinds;
};

const sent = (
  key: string,
  sends: readonly QueueName[],
  kinds: ReadonlyMap<QueueName, WorkerContract>,
): readonly QueueName[] => {
  const lost = sends.find((kind) => !kinds.has(kind));
  if (lost !== undefined) throw new Error(`"${key}" sends the jobs "${lost}", which have no worker.`);
  return sends;
};

/** A filter without a prefix of `pk` would match nothing, or items that the function does not expect. */
const expectChanges = (key: string, { changesOf }: StreamContract): void => {
  const asked = tableNames.filter((name) => changesOf[name] !== undefined);
  if (asked.length === 0) throw new Error(`"${key}" consumes the changes of no table.`);
  for (const name of asked) {
    const prefixes = changesOf[name] ?? [];
    if (tableSchemas[name].changes !== true) throw new Error(`The table "${name}" has no stream.`);
    if (prefixes.length === 0 || prefixes.includes(""))
      throw new Error(`"${key}" does not say how the keys of the table "${name}" begin.`);
  }
};
