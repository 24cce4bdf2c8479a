import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, LogGroup, MetricFilter, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { type FallbackContract, metricsNamespace } from "../../shared/contract.ts";
import type { Entry } from "../constructs/catalog.ts";
import { LambdaIntegration } from "../constructs/lambda-integration.ts";
import { NoticeAlarm } from "../constructs/notice-alarm.ts";
import { ServiceFunction, type Surroundings } from "../constructs/service-function.ts";

/** Requests a second over all clients and routes. An AWS account has ten thousand, so other services keep a share. */
const throttle = { rateLimit: 2000, burstLimit: 1000 };

const fiveMinutes = Duration.minutes(5);

/** Headers and queries are left out, because they hold credentials and customers' data. */
const accessLogFormat = JSON.stringify({
  requestId: "$context.requestId",
  time: "$context.requestTime",
  route: "$context.routeKey",
  status: "$context.status",
  latency: "$context.responseLatency",
  integrationLatency: "$context.integrationLatency",
  integrationError: "$context.integrationErrorMessage",
});

export interface ApiStackProps extends StackProps {
  readonly fallback: Entry<FallbackContract>;
  readonly surroundings: Surroundings;
  readonly topic: ITopic;
}

/** The HTTP API, and the answer to requests that no route serves. The areas' stacks add their routes to the API. */
export class ApiStack extends Stack {
  readonly httpApi: HttpApi;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { lambda } = new ServiceFunction(this, props.fallback, props.surroundings);
    this.httpApi = new HttpApi(this, "HttpApi", {
      apiName: this.stackName,
      createDefaultStage: false,
      defaultIntegration: new LambdaIntegration(lambda),
    });
    const accessLog = this.addAccessLog();
    const stage = this.addStage(accessLog);
    const { topic } = props;
    const { deployment } = props.surroundings;
    this.alarmOnErrors(topic);
    this.alarmOnSlowness(deployment, topic);
    this.alarmOnRefusals(accessLog, deployment, topic);
    new CfnOutput(this, "ApiUrl", { value: stage.url, description: "Where clients reach the service" });
  }

  private addAccessLog(): LogGroup {
    return new LogGroup(this, "AccessLog", {
      // The size of an account's log policy is limited. API Gateway needs no entry for names with this prefix.
      logGroupName: `/aws/vendedlogs/${this.stackName}/access`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  private addStage(accessLog: LogGroup): HttpStage {
    return new HttpStage(this, "Stage", {
      httpApi: this.httpApi,
      stageName: "$default",
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(accessLogFormat),
      },
    });
  }

  private alarmOnErrors(topic: ITopic): void {
    const errors = (period: Duration) => this.httpApi.metricServerError({ period, statistic: Stats.SUM });
    const whatToDo =
      "See on the dashboard which functions fail. Take a request id from the access log and search for it in " +
      "that function's log. If it began with a deployment, deploy the version before.";
    new NoticeAlarm(this, "Errors", {
      metric: new MathExpression({
        // Five errors of few calls are many, and one in a hundred of many calls.
        expression: "IF(errors >= 5, 100 * errors / calls, 0)",
        usingMetrics: {
          errors: errors(fiveMinutes),
          calls: this.httpApi.metricCount({ period: fiveMinutes }),
        },
        period: fiveMinutes,
      }),
      threshold: 1,
      periods: 1,
      topic,
      userNotices: "One request in a hundred or more fails with status 500 or 503 instead of an answer.",
      whatToDo,
    });
    new NoticeAlarm(this, "RareErrors", {
      metric: errors(Duration.hours(1)),
      threshold: 10,
      periods: 1,
      topic,
      userNotices:
        "Some requests fail with status 500 or 503, hour by hour: perhaps every one of a call that is rare.",
      whatToDo,
    });
  }

  /** Watches one call that everybody depends on: over all routes, readers that wait for events would raise it. */
  private alarmOnSlowness(deployment: string, topic: ITopic): void {
    new NoticeAlarm(this, "Slow", {
      metric: new Metric({
        namespace: metricsNamespace(deployment),
        metricName: "latency",
        dimensionsMap: { service: deployment, route: "POST /apirest/v4/oms/orders" },
        period: fiveMinutes,
        statistic: Stats.percentile(99),
      }),
      threshold: 3_000,
      periods: 3,
      topic,
      userNotices: "One in a hundred calls that create orders takes 3 seconds or more.",
      whatToDo:
        "See on the dashboard which routes are slow, and whether functions or tables are throttled. Where only these calls are " +
        "slow, an account may write more than its records can take: see docs/scaling.md.",
    });
  }

  /** Counts what the service refuses for now, by the access log: it costs nothing while there is none. */
  private alarmOnRefusals(accessLog: LogGroup, deployment: string, topic: ITopic): void {
    const filter = new MetricFilter(this, "Refusals", {
      logGroup: accessLog,
      filterPattern: FilterPattern.stringValue("$.status", "=", "429"),
      metricNamespace: metricsNamespace(deployment),
      metricName: "refused_429",
    });
    new NoticeAlarm(this, "Refused", {
      metric: filter.metric({ period: fiveMinutes, statistic: Stats.SUM }),
      threshold: 100,
      periods: 3,
      topic,
      userNotices: "Many requests are answered 429, so clients have to try again later.",
      whatToDo:
        "Look in the access log which routes and sources they are. One account that calls too fast meets its own limit. Many " +
        "accounts at once meet the limit of the stage (throttle in infra/stacks/api-stack.ts), or hot records: see docs/scaling.md.",
    });
  }
}
