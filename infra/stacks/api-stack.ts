import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { FallbackContract } from "../../shared/runtime/contract.ts";
import type { Entry } from "../catalog.ts";
import { deploymentMetric } from "../constructs/deployment-metric.ts";
import { LambdaIntegration } from "../constructs/lambda-integration.ts";
import { addAlarms, type NoticeAlarmProps } from "../constructs/notice-alarm.ts";
import { type FunctionResources, ServiceFunction } from "../constructs/service-function.ts";

const fiveMinutes = Duration.minutes(5);

interface ApiStackProps extends StackProps {
  readonly fallback: Entry<FallbackContract>;
  readonly resources: FunctionResources;
  /** Whether API Gateway's own address answers. */
  readonly hasAddress: boolean;
}

/**
 * The HTTP API, with the answer to requests that match no route. The areas' stacks add their routes to the
 * API, and the stage lies above them.
 */
export class ApiStack extends Stack {
  readonly httpApi: HttpApi;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { lambda } = new ServiceFunction(this, props.fallback, props.resources);
    this.httpApi = new HttpApi(this, "HttpApi", {
      apiName: this.stackName,
      createDefaultStage: false,
      disableExecuteApiEndpoint: !props.hasAddress,
      defaultIntegration: new LambdaIntegration(lambda),
    });
    addAlarms(this, alarmsOn(this.httpApi, props.resources.deployment));
  }
}

const whereCallsFail =
  "See on the dashboard which functions fail. Search for a request id of the access log in " +
  "that function's log. If it began with a deployment, deploy the previous version.";

function alarmsOn(httpApi: HttpApi, deployment: string): Readonly<Record<string, NoticeAlarmProps>> {
  const errors = (period: Duration) => httpApi.metricServerError({ period, statistic: Stats.SUM });
  return {
    Errors: {
      metric: new MathExpression({
        // Five errors are many at low traffic; at high traffic, one error in a hundred calls is.
        expression: "IF(errors >= 5, 100 * errors / calls, 0)",
        usingMetrics: { errors: errors(fiveMinutes), calls: httpApi.metricCount({ period: fiveMinutes }) },
        period: fiveMinutes,
      }),
      runbook: "Calls fail",
      userNotices: "One request in a hundred or more fails with status 500 or 503 instead of an answer.",
      whatToDo: whereCallsFail,
    },
    RareErrors: {
      metric: errors(Duration.hours(1)),
      threshold: 10,
      runbook: "Calls fail",
      severity: "later",
      userNotices:
        "Some requests fail with status 500 or 503 every hour, perhaps all requests of a rarely used call.",
      whatToDo: whereCallsFail,
    },
    // The metric of one call on which all clients depend: over all routes, long polls for events would raise
    // the alarm.
    Slow: {
      metric: deploymentMetric(deployment, {
        metricName: "latency",
        by: { route: "POST /apirest/v4/oms/orders" },
        period: fiveMinutes,
        statistic: Stats.percentile(99),
      }),
      threshold: 3_000,
      periods: 3,
      runbook: "Creating orders is slow",
      severity: "later",
      userNotices: "One in a hundred calls that create orders takes 3 seconds or more.",
      whatToDo:
        "See on the dashboard which routes are slow, and whether functions or tables are throttled. If only these calls are " +
        "slow, an account may write more than its records can handle: see docs/scaling.md.",
    },
  };
}
