import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  ApiMapping,
  CfnStage,
  DomainName,
  type HttpApi,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, LogGroup, MetricFilter, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Route } from "../../shared/runtime/contract.ts";
import { metricsNamespace } from "../../shared/runtime/shared-names.ts";
import { accessLogLine } from "../access-log.ts";
import { addAlarms, type NoticeAlarmProps } from "../constructs/notice-alarm.ts";
import type { OwnDomain } from "../settings.ts";

/**
 * Requests per second over all clients and routes. An AWS account has ten thousand, so some are left for
 * other services.
 */
const throttle = { rateLimit: 2000, burstLimit: 1000 };

/**
 * The same for each route that checks passwords or codes. Checking a password deliberately takes a second.
 * The limit leaves room for a whole shift to sign in at once, and keeps a brute-force attack from using up
 * the account's concurrency.
 */
const signInThrottle = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 50 };

interface StageStackProps extends StackProps {
  readonly httpApi: HttpApi;
  /** The routes that check passwords or codes. */
  readonly signIns: readonly Route[];
  /** The custom domain by which clients reach the service; API Gateway's domain by default. */
  readonly domain: OwnDomain | undefined;
  readonly deployment: string;
}

/**
 * Makes the API reachable: its stage, with the limits and the access log. It lies above the areas' stacks,
 * because API Gateway rejects a limit for a route that does not exist yet.
 */
export class StageStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { httpApi, signIns, domain, deployment, ...props }: StageStackProps,
  ) {
    super(scope, id, props);
    const accessLog = new LogGroup(this, "AccessLog", {
      // API Gateway needs no entry in the account's log policy, whose size is limited, for names with this
      // prefix.
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
        format: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
      },
    });
    limitRoutes(stage, signIns);
    // Rejected requests are counted from the access log, which costs nothing while there are none.
    const answersOf = (status: string, filterId: string) =>
      new MetricFilter(this, filterId, {
        logGroup: accessLog,
        filterPattern: FilterPattern.stringValue("$.status", "=", status),
        metricNamespace: metricsNamespace(deployment),
        metricName: `refused_${status}`,
      }).metric({ period: Duration.minutes(5), statistic: Stats.SUM });
    addAlarms(this, {
      Refused: manyRefusals(answersOf("429", "Refusals")),
      SignInsFail: wrongCredentials(answersOf("401", "WrongCredentials")),
      ...(domain && { CertificateExpires: expiring(domain) }),
    });
    const value = domain === undefined ? stage.url : this.addDomain(stage, httpApi, domain);
    new CfnOutput(this, "ApiUrl", { value, description: "Where clients reach the service" });
  }

  /** @returns the URL of the API once the domain leads to it */
  private addDomain(stage: HttpStage, api: HttpApi, { domainName, certificateArn }: OwnDomain): string {
    const certificate = Certificate.fromCertificateArn(this, "Certificate", certificateArn);
    const name = new DomainName(this, "Domain", {
      domainName,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, "Mapping", { api, domainName: name, stage });
    new CfnOutput(this, "DomainTarget", {
      value: name.regionalDomainName,
      description: `The target of the CNAME or alias record of ${domainName}`,
    });
    return `https://${domainName}/`;
  }
}

const manyRefusals = (metric: Metric): NoticeAlarmProps => ({
  metric,
  threshold: 100,
  periods: 3,
  runbook: "Many calls get 429",
  severity: "later",
  userNotices: "Many requests are answered 429, so clients have to try again later.",
  whatToDo:
    "Find their routes and sources in the access log. One account that calls too fast hits its own limit. Many " +
    "accounts at once hit the limit of the stage (throttle in infra/stacks/stage-stack.ts), or hot records: see docs/scaling.md.",
});

const wrongCredentials = (metric: Metric): NoticeAlarmProps => ({
  metric,
  threshold: 200,
  periods: 2,
  runbook: "Failing sign-ins",
  userNotices:
    "Nothing, or a client's key no longer works: a very large number of calls have wrong credentials.",
  whatToDo:
    "Find their routes and sources in the access log. Users are locked for 15 minutes automatically. Block a " +
    "source in CloudFront's firewall, or replace the key of the account if it may have been guessed.",
});

/** ACM renews a certificate 60 days before it expires, if its DNS records exist. */
function expiring({ certificateArn }: OwnDomain): NoticeAlarmProps {
  const period = Duration.days(1);
  const days = new Metric({
    namespace: "AWS/CertificateManager",
    metricName: "DaysToExpiry",
    dimensionsMap: { CertificateArn: certificateArn },
    period,
    statistic: Stats.MINIMUM,
  });
  return {
    metric: new MathExpression({ expression: "45 - days", usingMetrics: { days }, period }),
    threshold: 0,
    runbook: "A certificate expires",
    severity: "later",
    userNotices: "Nothing yet: within 45 days, clients will no longer be able to reach the domain.",
    whatToDo:
      "Open the certificate in ACM. It is renewed automatically if it is in use and the DNS records that it shows exist. An " +
      "imported certificate must be imported again.",
  };
}

/**
 * Sets the limits on the underlying resource, because the CDK's stage has no settings for routes. API Gateway
 * rejects settings for a deleted route, so removing or renaming a sign-in takes two deployments: the first
 * one removes it from these settings.
 */
function limitRoutes(stage: HttpStage, routes: readonly Route[]): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new Error("The stage is no resource of its own.");
  resource.routeSettings = Object.fromEntries(
    routes.map(({ method, path }) => [`${method} ${path}`, signInThrottle]),
  );
}
