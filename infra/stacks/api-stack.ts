import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { FallbackContract } from "../../shared/contract.ts";
import type { Entry } from "../constructs/catalog.ts";
import { NoticeAlarm } from "../constructs/notice-alarm.ts";
import { ServiceFunction, type Surroundings } from "../constructs/service-function.ts";

export interface ApiStackProps extends StackProps {
  readonly fallback: Entry<FallbackContract>;
  readonly surroundings: Surroundings;
  readonly topic: ITopic;
  /** Whether the API has a domain of the operator's. Then it is reached by that alone. */
  readonly hasOwnDomain: boolean;
}

/**
 * The HTTP API, and the answer to requests that no route serves. The areas' stacks add their routes to the API, and the stage
 * lies above these.
 */
export class ApiStack extends Stack {
  readonly httpApi: HttpApi;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { lambda } = new ServiceFunction(this, props.fallback, props.surroundings);
    this.httpApi = new HttpApi(this, "HttpApi", {
      apiName: this.stackName,
      createDefaultStage: false,
      disableExecuteApiEndpoint: props.hasOwnDomain,
      defaultIntegration: new HttpLambdaIntegration("Integration", lambda),
    });
    this.alarmOnErrors(props.topic);
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
