import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { CfnStage, type HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Route } from "../../shared/contract.ts";

/** Requests a second over all clients and routes. An AWS account has ten thousand, so other services keep a share. */
const throttle = { rateLimit: 2000, burstLimit: 1000 };

/**
 * The same for each route that checks passwords or codes. A password takes a function a second, on purpose. So many pickers
 * can begin their shift at once; who tries names without end must not take the functions from everybody else.
 */
const signInThrottle = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 50 };

/** Headers and queries are left out, because they hold credentials and customers' data. */
const accessLogFormat = JSON.stringify({
  requestId: "$context.requestId",
  time: "$context.requestTime",
  source: "$context.identity.sourceIp",
  route: "$context.routeKey",
  status: "$context.status",
  latency: "$context.responseLatency",
  integrationLatency: "$context.integrationLatency",
  integrationError: "$context.integrationErrorMessage",
});

export interface StageStackProps extends StackProps {
  readonly httpApi: HttpApi;
  /** The routes that check passwords or codes. */
  readonly signIns: readonly Route[];
}

/**
 * What makes the API reachable: its stage, with the limits and the log of requests. It lies above the areas' stacks, because
 * API Gateway refuses a limit of a route that there is not yet.
 */
export class StageStack extends Stack {
  constructor(scope: Construct, id: string, { httpApi, signIns, ...props }: StageStackProps) {
    super(scope, id, props);
    const accessLog = new LogGroup(this, "AccessLog", {
      // The size of an account's log policy is limited. API Gateway needs no entry for names with this prefix.
      logGroupName: `/aws/vendedlogs/${this.stackName}/access`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new HttpStage(this, "Stage", {
      httpApi,
      stageName: "$default",
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(accessLogFormat),
      },
    });
    limitRoutes(stage, signIns);
    new CfnOutput(this, "ApiUrl", { value: stage.url, description: "Where clients reach the service" });
  }
}

/** The CDK's own construct of a stage has no settings of routes. */
function limitRoutes(stage: HttpStage, routes: readonly Route[]): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new Error("The stage is no resource of its own.");
  resource.routeSettings = Object.fromEntries(
    routes.map(({ method, path }) => [`${method} ${path}`, signInThrottle]),
  );
}
