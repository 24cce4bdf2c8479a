import type { JobKind } from "./store/job-kinds.ts";
import type { Access } from "./store/tables.ts";

/** Deliveries of a message before it goes to the dead-letter queue. */
export const mostDeliveries = 5;

/** Where a kind's queue address is found in a function's environment. */
export const queueVariable = (kind: JobKind): string => `QUEUE_${kind.toUpperCase()}`;

/** Where the identifier of the signing secret is found in the environment of a function that uses it. */
export const secretVariable = "SECRET_SIGNING";

/**
 * Whose credentials an endpoint asks for (docs/decisions.md, Order of the checks). `sign-in` is where those of `mobile`
 * are obtained: it asks which device calls, and nothing else.
 */
export type Area = "oms" | "wms" | "v2" | "mobile" | "sign-in";

/** What every function states about itself; the stacks derive its permissions and environment from this alone. */
interface Stated {
  readonly access: Access;
  /** The kinds of jobs it may send; `every` stands for all that have a worker. */
  readonly sends: readonly JobKind[] | "every";
  /** Whether it reads the secret that mobile sessions are signed with. */
  readonly secret?: boolean;
}

type Path = `/${string}`;

export interface EndpointContract extends Stated {
  readonly type: "endpoint";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: Path;
  /** Other paths where the same call is answered the same. */
  readonly alsoAt?: readonly Path[];
  readonly auth: Area;
  readonly summary: string;
}

/** Answers every request that no endpoint serves. */
export interface FallbackContract extends Stated {
  readonly type: "fallback";
}

/** Consumes the queue of one kind of job. */
export interface WorkerContract extends Stated {
  readonly type: "worker";
  readonly job: JobKind;
}

/** Runs by the clock. */
export interface ScheduleContract extends Stated {
  readonly type: "schedule";
  readonly everyMinutes: number;
}

export type FunctionContract = EndpointContract | FallbackContract | WorkerContract | ScheduleContract;

/** Every route of an endpoint: `POST /a/{b}` is one of its path and method. */
export const routesOf = ({ method, path, alsoAt = [] }: EndpointContract) =>
  [path, ...alsoAt].map((routed) => ({ method, path: routed }));
