import type * as z from "zod/mini";
import type { Access } from "../store/access.ts";
import type { TableName } from "../store/tables.ts";
import type { JobKind } from "./job-kinds.ts";

/** Deliveries of a message before it goes to the dead-letter queue. */
export const maxDeliveries = 5;

/** The environment variable that holds the address of a kind's queue. */
export const queueVariable = (kind: JobKind): string => `QUEUE_${kind.toUpperCase()}`;

/** The environment variable that holds the identifier of the signing secret, in functions that use the secret. */
export const secretVariable = "SECRET_SIGNING";

/** The environment variable that holds the internal networks, in functions that serve these alone. */
export const networksVariable = "INTERNAL_NETWORKS";

/** The environment variable that holds the deployment's name, in all functions. Logs and metrics carry it. */
export const deploymentVariable = "DEPLOYMENT";

/**
 * The environment variable that holds, as SHA-256 in hexadecimal with spaces between, the secrets by which calls prove that they
 * came through the edge. Functions that answer HTTP have it where the deployment has an edge.
 */
export const edgeVariable = "EDGE_DIGESTS";

/** The environment variable that lets calls come around the edge, by `answered`. */
export const directVariable = "EDGE_DIRECT";

/** What the edge adds to each call, in lower case. A viewer's own headers of these names do not get through it. */
export const edgeHeaders = {
  /** A secret of the edge. */
  proof: "x-origin-verify",
  /** The address of the viewer. */
  address: "true-client-ip",
  /** The host that the viewer called. */
  host: "x-forwarded-host",
} as const;

/** Where CloudWatch keeps the metrics of a deployment, apart from those of others in the same AWS account. */
export const metricsNamespace = (deployment: string): string => `OrderInventoryWarehouse/${deployment}`;

/** The metric that counts the webhooks which the service switched off. An alarm watches it. */
export const webhooksOff = "webhooks_disabled";

/**
 * The environment variable that lets webhooks lead to this machine, by `allowed`. The local runtime alone sets it: no
 * function that is deployed has it.
 */
export const loopbackVariable = "WEBHOOKS_TO_LOOPBACK";

/**
 * The credentials that an endpoint asks for (docs/decisions.md, Order of the checks). `sign-in` endpoints hand out
 * those of `mobile`: they ask which device calls, and nothing else.
 */
export type Area = "oms" | "wms" | "v2" | "mobile" | "sign-in";

/**
 * What every function states about itself. The stacks derive its permissions and environment from it;
 * `infra/access.ts` adds what the code around its flow needs.
 */
interface Stated {
  readonly access: Access;
  /** The kinds of jobs that the function may send; `every` stands for all that have a worker, but for wake-ups. */
  readonly sends: readonly JobKind[] | "every";
  /** Whether the function reads the secret that signs sessions. */
  readonly secret?: boolean;
}

type Path = `/${string}`;

export interface EndpointContract extends Stated {
  readonly type: "endpoint";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: Path;
  /** Other paths that answer the same call in the same way. */
  readonly alsoAt?: readonly Path[];
  readonly auth: Area;
  readonly summary: string;
  /** The parts of a request as a schema: `params` (path), `query`, `body`. Without `body`, a body sent is ignored. */
  readonly request: z.ZodMiniObject;
  /** The whole body of a success. A field that the schema does not declare is never sent. */
  readonly response: z.core.$ZodType<object, object>;
  /** Whether the body names the record that the call is about, so that the call is 404 if it does not exist. */
  readonly bodyNamesRecord?: boolean;
  /** Whether a read-only key may not call the endpoint: the flow writes, or is for writers. */
  readonly writes: boolean;
}

/** The OpenAPI documents; `all` describes every area. */
export type DocumentName = "oms" | "wms" | "v2" | "all";

/**
 * A page's files besides its OpenAPI document. `reference` is the page, `sign-in` the form before it, and `viewer` what all
 * pages load.
 */
export type PagePart = "reference" | "sign-in" | "viewer";

/** One method at one path. */
export interface Route {
  readonly method: EndpointContract["method"];
  readonly path: Path;
}

/** Answers browsers: a documentation page, its forms and its files. */
export interface PageContract extends Stated {
  readonly type: "page";
  readonly summary: string;
  readonly routes: readonly Route[];
  /** The document that lies beside the code as a file. The bundler makes it. */
  readonly document: DocumentName;
  readonly parts: readonly PagePart[];
  /** Whether the function answers internal networks only, and gets their list in its environment. */
  readonly networks: boolean;
}

/** Answers every request that no endpoint serves. */
export interface FallbackContract extends Stated {
  readonly type: "fallback";
}

/** Consumes the queue of one kind of job. */
export interface WorkerContract extends Stated {
  readonly type: "worker";
  readonly job: JobKind;
  /**
   * What its messages are: jobs (without it), or wake-ups. A wake-up says only where to look, so a lost one is harmless.
   */
  readonly messages?: "wake-ups";
}

/** Runs by the clock. */
export interface ScheduleContract extends Stated {
  readonly type: "schedule";
  readonly everyMinutes: number;
}

/** Called with the changes of items, in the order in which each item changed (DynamoDB Streams). */
export interface StreamContract extends Stated {
  readonly type: "stream";
  /** The items whose changes it is called with: by table, how their `pk` begins. The tables must have `changes`. */
  readonly changesOf: Readonly<Partial<Record<TableName, readonly string[]>>>;
  /** Of a table's items only those that have these texts after the change, by attribute. Others cause no call and no cost. */
  readonly changesWhere?: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>>;
}

/** Called by operators alone, who are shown its answer. Nothing else calls it. */
export interface DiagnosticContract extends Stated {
  readonly type: "diagnostic";
}

export type FunctionContract =
  | EndpointContract
  | PageContract
  | FallbackContract
  | WorkerContract
  | ScheduleContract
  | StreamContract
  | DiagnosticContract;

/** Every route of an endpoint or a page: `POST /a/{b}` is one of its path and method. */
export function routesOf(contract: EndpointContract | PageContract): readonly Route[] {
  if (contract.type === "page") return contract.routes;
  const { method, path, alsoAt = [] } = contract;
  return [path, ...alsoAt].map((routed) => ({ method, path: routed }));
}
