import { Duration, Stack } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { FunctionContract } from "../../shared/runtime/contract.ts";
import { metricsNamespace } from "../../shared/runtime/shared-names.ts";
import { type Access, everyKind } from "../../shared/store/access.ts";
import { permitsOf } from "../../shared/store/permits.ts";
import { accessOf } from "../access.ts";
import type { Settings } from "../settings.ts";
import { NoticeAlarm } from "./notice-alarm.ts";
import type { FunctionResources, ServiceFunction } from "./service-function.ts";

/** What calls are sent to: a function or an alias of it. */
export type Callee = Pick<
  Lambda,
  "functionArn" | "addPermission" | "addEventSource" | "addEventSourceMapping" | "grantPrincipal"
>;

const configs: Readonly<Record<Settings["deploys"], ILambdaDeploymentConfig>> = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  "all-at-once": LambdaDeploymentConfig.ALL_AT_ONCE,
};

/** Log lines that report an error: the service's own, Lambda's for a crash, and Lambda's for a timeout. */
const errorLines = FilterPattern.literal(
  '{ $.level = "ERROR" || $.level = "FATAL" || $.record.status = "timeout" || $.record.status = "error" }',
);

/** Errors within a minute that raise the alarm of a stack. */
const tooMany = 3;

const changesOrders = (access: Access): boolean =>
  permitsOf(access).some(
    ({ table, index, kinds }) =>
      table === "orders" &&
      index === undefined &&
      [everyKind, "order#"].some((kind) => kinds.get(kind)?.includes("change")),
  );

/**
 * Whether new code of a function runs as a canary before it serves all calls: if the function writes orders,
 * picks, or consumes a queue or changes. For other functions, a canary would take two of the stack's 500
 * resources each for little gain.
 */
const isTriedOut = (contract: FunctionContract): boolean =>
  contract.type === "worker" ||
  contract.type === "stream" ||
  (contract.type === "endpoint" && contract.writes && changesOrders(accessOf(contract)));

/**
 * How new code of a stack's functions is released. Calls of a function with a canary go to its alias `live`.
 * With the setting `canary`, a tenth of the calls go to the new code for five minutes. If functions of the
 * stack fail during that time, all of it is rolled back.
 */
export class Releases extends Construct {
  readonly #settings: Pick<FunctionResources, "deployment" | "deploys">;
  #shared: ReturnType<Releases["newShared"]> | undefined;

  constructor(scope: Construct, settings: Pick<FunctionResources, "deployment" | "deploys">) {
    super(scope, "Releases");
    this.#settings = settings;
  }

  release({ contract, lambda, logGroup }: ServiceFunction): Callee {
    if (!isTriedOut(contract)) return lambda;
    const alias = lambda.addAlias("live");
    const { namespace: metricNamespace, metricName } = this.#metric;
    new MetricFilter(lambda, "ErrorLines", {
      logGroup,
      filterPattern: errorLines,
      metricNamespace,
      metricName,
    });
    this.#shared ??= this.newShared();
    const { failing, ...shared } = this.#shared;
    const { deploys } = this.#settings;
    new LambdaDeploymentGroup(lambda, "Release", {
      ...shared,
      alias,
      deploymentConfig: configs[deploys],
      // CodeDeploy does not begin while an alarm is raised, so `all-at-once`, which ignores alarms, can
      // deploy a fix.
      alarms: deploys === "canary" ? [failing.alarm] : [],
    });
    return alias;
  }

  /** The resources that a stack's functions share. They are created only in stacks with such functions. */
  private newShared() {
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSCodeDeployRoleForLambdaLimited"),
      ],
    });
    const { stackName } = Stack.of(this);
    const failing = new NoticeAlarm(this, "Failing", {
      metric: new Metric({ ...this.#metric, period: Duration.minutes(1), statistic: Stats.SUM }),
      threshold: tooMany,
      runbook: "A stack's functions fail",
      userNotices: `Calls or jobs of "${stackName}" fail: orders, picks or what follows from them.`,
      whatToDo:
        `Search the logs below /aws/lambda/${stackName}/ for lines of level ERROR: they name the cause. ` +
        "If it began with a deployment in progress, the new code is rolled back automatically. " +
        "To deploy while this alarm is on, add -c deploys=all-at-once.",
    });
    return { application: new LambdaApplication(this, "Application"), role, failing };
  }

  /** The metric has no dimensions, and is charged only for hours with errors. */
  get #metric() {
    const { stackName } = Stack.of(this);
    return { namespace: metricsNamespace(this.#settings.deployment), metricName: `errors ${stackName}` };
  }
}
