import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { FallbackContract } from "../../shared/contract.ts";
import type { Entry } from "../constructs/catalog.ts";
import { NoticeAlarm } from "../constructs/notice-alarm.ts";
import { ServiceFunction, type Surroundings } from "../constructs/service-function.ts";

/** Requests a second over all clients and routes. An AWS account has ten thousand, so other services keep a share. */
const throttle = { rateLimit: 2000, burstLimit: 1000 };

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
      defaultIntegration: new HttpLambdaIntegration("Integration", lambda),
    });
    const stage = this.addStage();
    this.alarmOnErrors(props.topic);
    new CfnOutput(this, "ApiUrl", { value: stage.url, description: "Where clients reach the service" });
  }

  private addStage(): HttpStage {
    const accessLog = new LogGroup(this, "AccessLog", {
      // The size of an account's log policy is limited. API Gateway needs no entry for names with this prefix.
      logGroupName: `/aws/vendedlogs/${this.stackName}/access`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
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
    new NoticeAlarm(this, "Errors", {
      metric: this.httpApi.metricServerError({ period: Duration.minutes(5), statistic: "Sum" }),
      threshold: 5,
      periods: 1,
      topic,
      userNotices: "Requests fail with status 500 or 503 instead of an answer.",
      whatToDo:
        "See on the dashboard which functions fail. Take a request id from the access log and search for it in " +
        "that function's log. If it began with a deployment, deploy the version before.",
    });
  }
}
