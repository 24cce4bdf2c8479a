/**
 * Contracts: what each function states about itself. The stacks derive routes, permissions, environment
 * variables, queues and event sources from the contracts of the files in `functions`. The rest of the folder
 * is what every function has around its work: the handler, the database connection, the log and metrics.
 */
import type * as z from "zod/mini";
import type { StatedAccess } from "../store/access.ts";
import type { TableName } from "../store/tables.ts";
import type { QueueName } from "./queue-names.ts";

/**
 * The credentials that an endpoint requires (docs/decisions.md, Order of the checks). `sign-in` endpoints
 * issue those of `mobile`, and require only the device headers.
 */
export type Area = "oms" | "wms" | "v2" | "mobile" | "sign-in";

/** What every function states about itself. `infra/access.ts` adds what the code around its flow needs. */
interface Stated {
  readonly access: StatedAccess;
  /** The job kinds that it may send; `every` stands for all with a worker, except wake-ups. */
  readonly sends: readonly QueueName[] | "every";
  /** Whether the function reads the secret that signs sessions. */
  readonly secret?: boolean;
}

type Path = `/${string}`;

export interface EndpointContract extends Stated {
  readonly type: "endpoint";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: Path;
  readonly alsoAt?: readonly Path[];
  readonly auth: Area;
  readonly summary: string;
  /** `params` (path), `query` and `body`, as a schema. Without `body`, a body sent is ignored. */
  readonly request: z.ZodMiniObject;
  /** The whole body of a success. A field that the schema does not declare is never sent. */
  readonly response: z.core.$ZodType<object, object>;
  /** Whether the body names the call's record, so that the call is 404 if it does not exist. */
  readonly bodyNamesRecord?: boolean;
  /** Whether a call may state its record's version: by `If-Match`, or by `version` in a PUT or PATCH. */
  readonly takesVersion?: boolean;
  /** Whether a call may be rejected because too little is available. */
  readonly needsStock?: boolean;
  /**
   * Whether the flow stores several steps, which then do not see the call's `Idempotency-Key`. It has no dry
   * run, and is 409 if a step is impossible.
   */
  readonly isMultiStep?: boolean;
  /** Whether read-only keys are rejected, because the flow writes or is for writers. */
  readonly writes: boolean;
}

/** The OpenAPI documents; `all` describes every area. */
export type DocumentName = "oms" | "wms" | "v2" | "all";

/**
 * A page's files besides its OpenAPI document. `reference` are the pages of the document, `sign-in` the form
 * before them, `assets` what all of these load, and `console` the console with its own assets.
 */
export type PagePart = "reference" | "sign-in" | "assets" | "console";

export interface Route {
  readonly method: EndpointContract["method"];
  readonly path: Path;
}

/** Answers browsers: a documentation page, its forms and its files. */
export interface PageContract extends Stated {
  readonly type: "page";
  readonly summary: string;
  readonly routes: readonly Route[];
  /** The document that is stored beside the code as a file. The bundler generates it. */
  readonly document: DocumentName;
  readonly parts: readonly PagePart[];
  /** Whether the function answers internal networks only, and gets their list in its environment. */
  readonly networks: boolean;
}

/** Reports whether the service works, to callers without credentials. */
export interface HealthCheckContract extends Stated {
  readonly type: "health-check";
  readonly summary: string;
  readonly path: Path;
}

/** Answers every request that matches no endpoint. */
export interface FallbackContract extends Stated {
  readonly type: "fallback";
}

/** Consumes the queue of one kind of job. */
export interface WorkerContract extends Stated {
  readonly type: "worker";
  readonly job: QueueName;
  /** Jobs by default. A wake-up only says where to look, so losing one is harmless. */
  readonly messages?: "wake-ups";
}

export interface ScheduleContract extends Stated {
  readonly type: "schedule";
  readonly everyMinutes: number;
  /** Whether it calls the service, by the monitor's secret. It runs only with the setting `monitor`. */
  readonly monitors?: true;
}

/** Called with the changes of items, in the order in which each item changed (DynamoDB Streams). */
export interface StreamContract extends Stated {
  readonly type: "stream";
  /** The items whose changes it receives: prefixes of `pk` by table, which must have `changes`. */
  readonly changesOf: Readonly<Partial<Record<TableName, readonly string[]>>>;
  /** Restricts them to items with these values after the change. Others cause no call and no cost. */
  readonly changesWhere?: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>>;
}

/** Called only by operators, who see its response. */
export interface DiagnosticContract extends Stated {
  readonly type: "diagnostic";
}

export type FunctionContract =
  | EndpointContract
  | PageContract
  | HealthCheckContract
  | FallbackContract
  | WorkerContract
  | ScheduleContract
  | StreamContract
  | DiagnosticContract;

export type RoutedContract = EndpointContract | PageContract | HealthCheckContract;

/** A function's routes, such as `POST /a/{b}`. HEAD is served wherever GET is. */
export function routesOf(contract: RoutedContract): readonly Route[] {
  if (contract.type === "page") return contract.routes;
  if (contract.type === "health-check") return [{ method: "GET", path: contract.path }];
  const { method, path, alsoAt = [] } = contract;
  return [path, ...alsoAt].map((routed) => ({ method, path: routed }));
}
