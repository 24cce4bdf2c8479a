import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { metricsNamespace } from "../../shared/lambda/contract.ts";
import type { JobKind } from "../../shared/lambda/job-kinds.ts";
import type { TableName } from "../../shared/store/tables.ts";
import type { JobQueue } from "../constructs/job-queue.ts";
import { NoticeAlarm } from "../constructs/notice-alarm.ts";
import type { StoredTable } from "../constructs/service-table.ts";

const halfWidth = 12;

const fiveMinutes = Duration.minutes(5);

/** The tables on which writes collide first. Each alarm has its price. */
const busiest: readonly TableName[] = ["orders", "inventory", "directory"];

export interface ObservabilityStackProps extends StackProps {
  readonly httpApi: HttpApi;
  readonly queues: ReadonlyMap<JobKind, JobQueue>;
  readonly tables: ReadonlyMap<TableName, StoredTable>;
  readonly topic: ITopic;
  /** The deployment's name: the first word of the names of all its functions. */
  readonly deployment: string;
}

/** One dashboard: what users notice at the top, the causes further down. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { httpApi, queues, tables, deployment, topic } = props;
    const dashboard = new Dashboard(this, "Dashboard", { defaultInterval: Duration.hours(3) });
    dashboard.addWidgets(
      graph("Requests and errors", [
        httpApi.metricCount(),
        httpApi.metricClientError(),
        httpApi.metricServerError(),
      ]),
      graph("Latency", [
        httpApi.metricLatency({ statistic: "p50" }),
        httpApi.metricLatency({ statistic: "p99" }),
      ]),
    );
    dashboard.addWidgets(graph("Latency by route: slowest tenth, milliseconds", [byRoute(deployment)]));
    dashboard.addWidgets(...queueGraphs([...queues.values()]));
    dashboard.addWidgets(
      graph("Functions: errors", [byFunction(deployment, "Errors", "Sum")]),
      graph("Functions: slowest tenth", [byFunction(deployment, "Duration", "p90")]),
      graph("Functions: throttled", [byFunction(deployment, "Throttles", "Sum")]),
      graph("Functions: at the same time", [byFunction(deployment, "ConcurrentExecutions", "Maximum")]),
    );
    dashboard.addWidgets(
      graph("Changes: age of the oldest, milliseconds", [byFunction(deployment, "IteratorAge", "Maximum")]),
      ...tableGraphs([...tables.values()]),
    );
    this.alarmOnThrottledFunctions(topic);
    this.alarmOnThrottledTables(tables, topic);
  }

  private alarmOnThrottledFunctions(topic: ITopic): void {
    new NoticeAlarm(this, "FunctionsThrottled", {
      // Without a dimension: the functions of an AWS account share how many may run at a time.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "Throttles",
        period: fiveMinutes,
        statistic: Stats.SUM,
      }),
      threshold: 10,
      periods: 2,
      topic,
      userNotices: "Requests are answered 503, and jobs wait, because no more functions may run at a time.",
      whatToDo:
        'See "Functions: at the same time" on the dashboard. Raise the quota of concurrent executions of the AWS account ' +
        "(docs/operators/first-deployment.md, Quotas), or find out what else in the account uses them up.",
    });
  }

  private alarmOnThrottledTables(tables: ReadonlyMap<TableName, StoredTable>, topic: ITopic): void {
    const throttled = busiest.map((name) =>
      tables.get(name)?.metric("WriteThrottleEvents", { statistic: Stats.SUM }),
    );
    const metrics = throttled.flatMap((metric, position) =>
      metric ? [[`m${position}`, metric] as const] : [],
    );
    new NoticeAlarm(this, "TablesThrottled", {
      metric: new MathExpression({
        expression: metrics.map(([name]) => `FILL(${name}, 0)`).join(" + "),
        usingMetrics: Object.fromEntries(metrics),
        period: fiveMinutes,
      }),
      threshold: 100,
      periods: 3,
      topic,
      userNotices: "Some writes take seconds, or are answered 429: a table refuses writes for now.",
      whatToDo:
        "See on the dashboard which table it is. One account may write more than one partition takes: docs/scaling.md says what " +
        "bounds it. A table that was quiet until now doubles what it takes within half an hour.",
    });
  }
}

const graph = (title: string, left: IMetric[]): GraphWidget =>
  new GraphWidget({ title, left, width: halfWidth });

const queueGraphs = (queues: readonly JobQueue[]): readonly GraphWidget[] => [
  graph(
    "Jobs: age of the oldest message, seconds",
    queues.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ statistic: "Maximum" })),
  ),
  graph(
    "Jobs: set aside after failing",
    queues.map(({ deadLetters }) =>
      deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum" }),
    ),
  ),
];

const tableGraphs = (tables: readonly StoredTable[]): readonly GraphWidget[] => [
  graph(
    "Tables: read units",
    tables.map((table) => table.metric("ConsumedReadCapacityUnits", { statistic: "Sum" })),
  ),
  graph(
    "Tables: write units",
    tables.map((table) => table.metric("ConsumedWriteCapacityUnits", { statistic: "Sum" })),
  ),
];

/** A search for the latencies of all routes that are called. A new one appears by itself. */
const byRoute = (deployment: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{${metricsNamespace(deployment)},service,route} MetricName="latency"', 'p90')`,
    usingMetrics: {},
    label: "",
  });

/**
 * A search for a metric of all functions. A new function appears by itself, and its stack needs no export.
 */
const byFunction = (prefix: string, metricName: string, statistic: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${prefix}', '${statistic}')`,
    usingMetrics: {},
    label: "",
  });
