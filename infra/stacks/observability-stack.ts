import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Dashboard, GraphWidget, type IMetric, MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { metricsNamespace } from "../../shared/contract.ts";
import type { JobKind } from "../../shared/store/job-kinds.ts";
import type { TableName } from "../../shared/store/tables.ts";
import type { JobQueue } from "../constructs/job-queue.ts";

const halfWidth = 12;

export interface ObservabilityStackProps extends StackProps {
  readonly httpApi: HttpApi;
  readonly queues: ReadonlyMap<JobKind, JobQueue>;
  readonly tables: ReadonlyMap<TableName, Table>;
  /** The deployment's name: the first word of the names of all its functions. */
  readonly deployment: string;
}

/** One dashboard: what users notice at the top, the causes further down. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { httpApi, queues, tables, deployment } = props;
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

const tableGraphs = (tables: readonly Table[]): readonly GraphWidget[] => [
  graph(
    "Tables: read units",
    tables.map((table) => table.metricConsumedReadCapacityUnits()),
  ),
  graph(
    "Tables: write units",
    tables.map((table) => table.metricConsumedWriteCapacityUnits()),
  ),
];

/** A search for the latencies of all routes that are called. A new one appears by itself. */
const byRoute = (deployment: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{${metricsNamespace(deployment)},service,route} MetricName="latency"', 'p90')`,
    usingMetrics: {},
    label: "",
  });

/** A search for a metric of all functions. A new function appears by itself, and its stack needs no export. */
const byFunction = (prefix: string, metricName: string, statistic: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${prefix}', '${statistic}')`,
    usingMetrics: {},
    label: "",
  });
