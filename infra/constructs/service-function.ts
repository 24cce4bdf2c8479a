import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { FunctionContract } from "../../shared/lambda/contract.ts";
import type { JobKind } from "../../shared/lambda/job-kinds.ts";
import {
  corsVariable,
  deploymentVariable,
  directVariable,
  edgeVariable,
  networksVariable,
  queueVariable,
  secretVariable,
} from "../../shared/lambda/shared-names.ts";
import { permitsOf, tablesIn } from "../../shared/store/permits.ts";
import { type TableName, tableNames, tableSchemas } from "../../shared/store/tables.ts";
import { accessOf } from "../access.ts";
import { bundleFolder } from "../bundle/bundle.ts";
import type { EdgeSettings } from "../edge-settings.ts";
import { type Release, statedPermissions, withReleased } from "../release/released.ts";
import type { Settings } from "../settings.ts";
import type { Entry } from "./catalog.ts";
import { grantPermit, grantSecret, grantSend } from "./grants.ts";
import type { StoredTable } from "./service-table.ts";

/** How long a function may run, by its type. */
export const timeouts: Readonly<Record<FunctionContract["type"], Duration>> = {
  // API Gateway times out after 30 seconds. A function that stops earlier is logged as timed out.
  endpoint: Duration.seconds(29),
  page: Duration.seconds(29),
  probe: Duration.seconds(5),
  fallback: Duration.seconds(5),
  // A worker handles ten messages one after another, and some collide with other writers of their bin.
  worker: Duration.seconds(30),
  // The shortest period is a minute. A shorter run never overlaps with the next one, unless it began late:
  // Lambda may delay a run for up to a minute while functions are throttled. Overlapping runs do no
  // harm, because all their effects are idempotent.
  schedule: Duration.seconds(50),
  // A hundred changes take seconds. The changes of the same items wait until a run that hangs has ended.
  stream: Duration.seconds(50),
  diagnostic: Duration.seconds(30),
};

/** Which functions answer HTTP calls, by their type. */
const answersHttp: Readonly<Record<FunctionContract["type"], boolean>> = {
  endpoint: true,
  page: true,
  probe: true,
  fallback: true,
  worker: false,
  schedule: false,
  stream: false,
  diagnostic: false,
};

/**
 * Memory also sets the share of a processor. With less than this, parsing and signing dominate the latency.
 */
const memoryMegabytes = 512;

/**
 * Everything that functions may reach; `access`, `sends` and `secret` choose from it. And where the bundles
 * are.
 */
export interface FunctionResources {
  readonly tables: ReadonlyMap<TableName, StoredTable>;
  readonly queues: ReadonlyMap<JobKind, IQueue>;
  readonly secret: Secret;
  /** The networks that internal pages answer: CIDR blocks with commas between them; empty for none. */
  readonly internalNetworks: string;
  /** The name that logs and metrics of all functions share. */
  readonly deployment: string;
  /** Whether calls are traced by X-Ray, which charges for it. */
  readonly tracing: boolean;
  readonly deploys: Settings["deploys"];
  /** The CloudFront distribution that all HTTP calls come through, if any. */
  readonly edge: Pick<EdgeSettings, "digests" | "direct"> | undefined;
  /** The origins whose pages may call the service; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Whether changes become events, and how long they are gathered before. */
  readonly publishing: Pick<Settings, "events" | "eventsWindow">;
  /**
   * What functions were allowed in the last release, whose code may run beside the present one by the same
   * roles.
   */
  readonly released: Release;
  readonly bundles: string;
}

/**
 * One Lambda function, derived from its contract alone. Its environment names the tables of `access`, the
 * queues in `sends` and, with `secret`, the signing secret. Its role reaches exactly these, and what they
 * were in the last release (`released.ts`).
 */
export class ServiceFunction extends Construct {
  readonly contract: FunctionContract;
  readonly lambda: Lambda;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, entry: Entry, resources: FunctionResources) {
    const { key, contract, sends } = entry;
    super(scope, key.replaceAll("/", "-"));
    this.contract = contract;
    this.logGroup = this.newLogGroup(key);
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    this.logGroup.grantWrite(role);
    this.lambda = new Lambda(this, "Function", {
      description: describe(key, contract),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: timeouts[contract.type],
      code: Code.fromAsset(bundleFolder(key, resources.bundles)),
      handler: "index.handler",
      role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda itself logs only failures. Its lines for each successful run would double the cost of logs.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: resources.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { [deploymentVariable]: resources.deployment },
    });
    this.nameTables(contract, resources);
    this.nameQueues(sends, resources);
    this.nameSecret(contract, resources);
    this.grantAll(entry, resources);
    this.bindNetworks(contract, resources);
    this.bindEdge(contract, resources);
    this.bindCors(contract, resources);
  }

  /**
   * The name contains the stack's, so that a function that moves to another stack doesn't meet its old log
   * group.
   */
  private newLogGroup(key: string): LogGroup {
    return new LogGroup(this, "Logs", {
      logGroupName: `/aws/lambda/${Stack.of(this).stackName}/${key}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  private grantAll(entry: Entry, { tables, queues, secret, released }: FunctionResources): void {
    const allowed = withReleased(statedPermissions(entry), released[entry.key]);
    for (const permit of permitsOf(allowed.access))
      grantPermit(this.lambda, existing(tables, permit.table), permit);
    for (const kind of allowed.sends) {
      const queue = queues.get(kind);
      // A queue that is gone was the last release's.
      if (queue !== undefined) grantSend(this.lambda, queue);
    }
    if (allowed.secret) grantSecret(this.lambda, secret);
  }

  /**
   * A change carries only the deployed name of its table, so a consumer's environment has the names of its
   * tables.
   */
  private nameTables(contract: FunctionContract, { tables }: FunctionResources): void {
    const reached = tablesIn(accessOf(contract));
    const changing = contract.type === "stream" ? contract.changesOf : {};
    for (const name of tableNames) {
      if (changing[name] === undefined && !reached.includes(name)) continue;
      this.lambda.addEnvironment(tableSchemas[name].variable, existing(tables, name).tableName);
    }
  }

  private nameQueues(sends: readonly JobKind[], { queues }: FunctionResources): void {
    for (const kind of sends)
      this.lambda.addEnvironment(queueVariable(kind), existing(queues, kind).queueUrl);
  }

  private nameSecret({ secret: reads }: FunctionContract, { secret }: FunctionResources): void {
    if (reads === true) this.lambda.addEnvironment(secretVariable, secret.secretArn);
  }

  private bindNetworks(contract: FunctionContract, { internalNetworks }: FunctionResources): void {
    if (contract.type !== "page" || !contract.networks) return;
    this.lambda.addEnvironment(networksVariable, internalNetworks);
  }

  private bindEdge({ type }: FunctionContract, { edge }: FunctionResources): void {
    if (edge === undefined || !answersHttp[type]) return;
    this.lambda.addEnvironment(edgeVariable, edge.digests.join(" "));
    if (edge.direct === "answered") this.lambda.addEnvironment(directVariable, edge.direct);
  }

  /** Pages are for the service's own origin, because the internal one is for whoever is in its networks. */
  private bindCors({ type }: FunctionContract, { corsOrigins }: FunctionResources): void {
    if (corsOrigins.length === 0 || !answersHttp[type] || type === "page") return;
    this.lambda.addEnvironment(corsVariable, corsOrigins.join(" "));
  }
}

/** The description of a function. Lambda takes at most 256 characters. */
const describe = (key: string, contract: FunctionContract): string => {
  if (contract.type === "page" || contract.type === "probe")
    return `${contract.type} ${key}: ${contract.summary}`.slice(0, 256);
  if (contract.type !== "endpoint") return `${contract.type} ${key}`;
  return `${contract.method} ${contract.path}: ${contract.summary}`.slice(0, 256);
};

const existing = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value => {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no "${String(key)}" to bind.`);
  return value;
};
