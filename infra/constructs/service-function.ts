import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  type FunctionProps,
  Function as Lambda,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { maxCallSeconds, maxWorkerSeconds } from "../../shared/common/time-limits.ts";
import type { FunctionContract } from "../../shared/runtime/contract.ts";
import type { QueueName } from "../../shared/runtime/queue-names.ts";
import {
  corsVariable,
  deploymentVariable,
  directVariable,
  edgeVariable,
  networksVariable,
  queueVariable,
  secretVariable,
} from "../../shared/runtime/shared-names.ts";
import { permitsOf, tablesIn } from "../../shared/store/permits.ts";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { accessOf } from "../access.ts";
import { bundleFolder } from "../bundle/bundle.ts";
import type { Entry } from "../catalog.ts";
import type { EdgeSettings } from "../edge-settings.ts";
import { type Release, statedPermissions, withReleased } from "../release/released.ts";
import type { Settings } from "../settings.ts";
import { grantPermit, grantSecret, grantSend } from "./grants.ts";
import type { StoredTable } from "./service-table.ts";

export const timeouts: Readonly<Record<FunctionContract["type"], Duration>> = {
  endpoint: Duration.seconds(maxCallSeconds),
  page: Duration.seconds(maxCallSeconds),
  "health-check": Duration.seconds(5),
  fallback: Duration.seconds(5),
  // A worker applies jobs together for up to 5 s, and others alone, for up to 9 s each: see `jobs/worker.ts`.
  worker: Duration.seconds(maxWorkerSeconds),
  // The shortest period is a minute. A shorter run never overlaps with the next one unless it began late:
  // Lambda may delay a run by up to a minute while functions are throttled. Overlapping runs do no harm,
  // because all their effects are idempotent.
  schedule: Duration.seconds(50),
  // A hundred changes take seconds. Later changes of the same items wait until a hanging run has ended.
  stream: Duration.seconds(50),
  diagnostic: Duration.seconds(30),
};

const http: readonly FunctionContract["type"][] = ["endpoint", "page", "health-check", "fallback"];

/** Memory also sets the share of a processor. With less, parsing and signing would dominate the latency. */
const memoryMegabytes = 512;

/**
 * Everything that functions may reach, from which `access`, `sends` and `secret` choose, and the folder of
 * the bundles.
 */
export interface FunctionResources {
  readonly tables: ReadonlyMap<TableName, StoredTable>;
  readonly queues: ReadonlyMap<QueueName, IQueue>;
  readonly secret: Secret;
  /** The networks to which internal pages answer: CIDR blocks separated by commas; empty for none. */
  readonly internalNetworks: string;
  /** The name that the logs and metrics of all functions share. */
  readonly deployment: string;
  /** Whether X-Ray traces calls. It charges for each. */
  readonly tracing: boolean;
  readonly deploys: Settings["deploys"];
  /** The CloudFront distribution that all HTTP calls come through, if any. */
  readonly edge: Pick<EdgeSettings, "digests" | "direct"> | undefined;
  /** The origins whose pages may call the service; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Whether changes are published as events, and for how long they are batched. */
  readonly publishing: Pick<Settings, "events" | "eventsWindow">;
  /**
   * What functions were allowed in the last release, whose code may run beside the current code with the same
   * roles.
   */
  readonly released: Release;
  readonly bundles: string;
}

/**
 * One Lambda function, derived from its contract alone. Its environment names the tables of `access`, the
 * queues in `sends` and, with `secret`, the signing secret. Its role can reach exactly these, and what it
 * could reach in the last release (`released.ts`).
 */
export class ServiceFunction extends Construct {
  readonly contract: FunctionContract;
  readonly lambda: Lambda;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, entry: Entry, resources: FunctionResources) {
    const { key, contract } = entry;
    super(scope, key.replaceAll("/", "-"));
    this.contract = contract;
    const { lambda, logGroup } = bundledFunction(this, key, resources.bundles, {
      description: describe(key, contract),
      timeout: timeouts[contract.type],
      // Lambda itself logs only failures. Its lines for each successful run would double the cost of logs.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: resources.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      // By default, Lambda stops calling a function that has called itself by its queue 16 times in a row.
      ...(sendsToItself(entry) && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: environmentOf(entry, resources),
    });
    this.lambda = lambda;
    this.logGroup = logGroup;
    this.grantAll(entry, resources);
  }

  private grantAll(entry: Entry, { tables, queues, secret, released }: FunctionResources): void {
    const allowed = withReleased(statedPermissions(entry), released[entry.key]);
    for (const permit of permitsOf(allowed.access))
      grantPermit(this.lambda, existing(tables, permit.table), permit);
    for (const kind of allowed.sends) {
      const queue = queues.get(kind);
      // The last release had this queue, and this one does not.
      if (queue !== undefined) grantSend(this.lambda, queue);
    }
    if (allowed.secret) grantSecret(this.lambda, secret);
  }
}

/** Whether a function sends to the queue that triggers it, for example work that it had no time for. */
const sendsToItself = ({ contract, sends }: Entry): boolean =>
  contract.type === "worker" && sends.includes(contract.job);

/**
 * A function's environment. A change names only the deployed name of its table, so a consumer also receives
 * the names of its tables.
 */
function environmentOf({ contract, sends }: Entry, resources: FunctionResources): Record<string, string> {
  const { tables, queues, secret, edge, corsOrigins, internalNetworks, deployment } = resources;
  const reached = tablesIn(accessOf(contract));
  const changing = contract.type === "stream" ? contract.changesOf : {};
  const named = tableNames.filter((name) => changing[name] !== undefined || reached.includes(name));
  const isHttp = http.includes(contract.type);
  // Pages are only for the service's own origin: one of them is internal, for callers in its networks.
  const isShared = isHttp && contract.type !== "page" && corsOrigins.length > 0;
  return {
    [deploymentVariable]: deployment,
    ...Object.fromEntries(
      named.map((name) => [tableSchemas[name].variable, existing(tables, name).tableName]),
    ),
    ...Object.fromEntries(sends.map((kind) => [queueVariable(kind), existing(queues, kind).queueUrl])),
    ...(contract.secret === true && { [secretVariable]: secret.secretArn }),
    ...(contract.type === "page" && contract.networks && { [networksVariable]: internalNetworks }),
    ...(isHttp && edge !== undefined && { [edgeVariable]: edge.digests.join(" ") }),
    ...(isHttp && edge?.direct === "answered" && { [directVariable]: edge.direct }),
    ...(isShared && { [corsVariable]: corsOrigins.join(" ") }),
  };
}

/**
 * A function made from a bundle, with its log group and its role. The log group's name contains the stack's,
 * so that a function that moves to another stack does not collide with its old log group.
 */
export function bundledFunction(
  scope: Construct,
  key: string,
  bundles: string,
  props: Omit<FunctionProps, "runtime" | "code" | "handler">,
) {
  const logGroup = new LogGroup(scope, "Logs", {
    logGroupName: `/aws/lambda/${Stack.of(scope).stackName}/${key}`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  const lambda = new Lambda(scope, "Function", {
    ...props,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: memoryMegabytes,
    code: Code.fromAsset(bundleFolder(key, bundles)),
    handler: "index.handler",
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
  });
  return { lambda, role, logGroup };
}

/** The description of a function. Lambda limits it to 256 characters. */
const describe = (key: string, contract: FunctionContract): string => {
  if (contract.type === "page" || contract.type === "health-check")
    return `${contract.type} ${key}: ${contract.summary}`.slice(0, 256);
  if (contract.type !== "endpoint") return `${contract.type} ${key}`;
  return `${contract.method} ${contract.path}: ${contract.summary}`.slice(0, 256);
};

const existing = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value => {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no "${String(key)}" to bind.`);
  return value;
};
