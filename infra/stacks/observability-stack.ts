import { ArnFormat, Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import { CfnQueryDefinition } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { QueueName } from "../../shared/runtime/queue-names.ts";
import { metricsNamespace, webhooksOff } from "../../shared/runtime/shared-names.ts";
import { type TableName, tableSchemas } from "../../shared/store/tables.ts";
import { deploymentMetric } from "../constructs/deployment-metric.ts";
import type { JobQueue } from "../constructs/job-queue.ts";
import { addAlarms, NoticeAlarm, type NoticeAlarmProps } from "../constructs/notice-alarm.ts";
import { queries } from "../constructs/queries.ts";
import type { StoredTable } from "../constructs/service-table.ts";

const halfWidth = 12;

const fiveMinutes = Duration.minutes(5);

const createOrders = "POST /apirest/v4/oms/orders";

interface Watched {
  readonly httpApi: HttpApi;
  readonly queues: ReadonlyMap<QueueName, JobQueue>;
  readonly tables: ReadonlyMap<TableName, StoredTable>;
  /** The deployment's name: the first word of the names of all its functions. */
  readonly deployment: string;
}

/**
 * One dashboard, with what users notice at the top and the causes further down, and the queries of the
 * runbooks.
 */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & Watched) {
    super(scope, id, props);
    addAlarms(this, alarmsOn(props.tables));
    for (const { id: queryId, name, text } of queries)
      new CfnQueryDefinition(this, queryId, { name: `${props.deployment}/${name}`, queryString: text });
    const width = 2 * halfWidth;
    new Dashboard(this, "Dashboard", {
      defaultInterval: Duration.hours(3),
      widgets: [
        [new TextWidget({ markdown: guide, width, height: 4 })],
        [new AlarmStatusWidget({ title: "Alarms", alarms: this.allAlarms(), width, height: 6 })],
        ...graphsOf(props).map((row) =>
          Object.entries(row).map(([title, left]) => new GraphWidget({ title, left, width: halfWidth })),
        ),
      ],
    });
  }

  /** The alarms of all stacks by their names. All of them are in the dashboard's region. */
  private allAlarms(): IAlarm[] {
    const found = this.node.root.node.findAll().filter((one) => one instanceof NoticeAlarm);
    return found.map(({ alarmName: resourceName }, position) => {
      const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
      const arn = this.formatArn({ service: "cloudwatch", resource: "alarm", resourceName, arnFormat });
      return Alarm.fromAlarmArn(this, `Shown${position}`, arn);
    });
  }
}

/** The alarms on what all functions or all tables share, by their ids. */
const alarmsOn = (tables: Watched["tables"]): Readonly<Record<string, NoticeAlarmProps>> => ({
  FunctionsThrottled: {
    // Without a dimension, because all functions of an AWS account share its concurrency.
    metric: new Metric({
      namespace: "AWS/Lambda",
      metricName: "Throttles",
      period: fiveMinutes,
      statistic: Stats.SUM,
    }),
    threshold: 10,
    periods: 2,
    runbook: "Functions are throttled",
    userNotices:
      "Requests are answered 503, and jobs wait, because no more functions can run at the same time.",
    whatToDo:
      'See "Functions: concurrent" on the dashboard. Raise the quota of concurrent executions of the AWS account ' +
      "(docs/operators/first-deployment.md, Quotas), or find out what else in the account uses them up.",
  },
  ConcurrencyNearQuota: {
    metric: new MathExpression({
      expression: "100 * used / SERVICE_QUOTA(used)",
      usingMetrics: { used: concurrencyUsed },
      period: fiveMinutes,
    }),
    threshold: 80,
    periods: 3,
    runbook: "Functions are throttled",
    severity: "later",
    userNotices: "Nothing yet: 80% of the functions that can run at the same time are running.",
    whatToDo:
      "Request a higher quota of concurrent executions (docs/operators/first-deployment.md, Quotas) before functions are " +
      "throttled, or find out what else in the AWS account uses it up.",
  },
  TablesThrottled: throttled("a table refuses writes", ofTables(tables, "WriteThrottleEvents")),
  TableReadsThrottled: throttled("a table refuses reads", ofTables(tables, "ReadThrottleEvents")),
  IndexesThrottled: throttled(
    "an index of a table refuses reads or writes",
    ["WriteThrottleEvents", "ReadThrottleEvents"].flatMap((name) => ofIndexes(tables, name)),
  ),
});

const ofTables = (tables: Watched["tables"], metricName: string): IMetric[] =>
  [...tables.values()].map((table) => table.metric(metricName, { statistic: Stats.SUM }));

/** The same for their global indexes, which a table's own metric does not include. */
const ofIndexes = (tables: Watched["tables"], metricName: string): IMetric[] =>
  [...tables].flatMap(([name, table]) =>
    Object.entries(tableSchemas[name].indexes)
      .filter(([, { scope }]) => scope === "global")
      .map(([index]) =>
        table.metric(metricName, {
          statistic: Stats.SUM,
          dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: index },
        }),
      ),
  );

const concurrencyUsed = new Metric({
  namespace: "AWS/Usage",
  metricName: "ConcurrentExecutions",
  dimensionsMap: {
    Service: "Lambda",
    Type: "Resource",
    Resource: "ConcurrentExecutions",
    Class: "None",
  },
  period: fiveMinutes,
  statistic: Stats.MAXIMUM,
});

function throttled(what: string, throttles: readonly IMetric[]): NoticeAlarmProps {
  const metrics = throttles.map((metric, position) => [`m${position}`, metric] as const);
  return {
    metric: new MathExpression({
      expression: metrics.map(([name]) => `FILL(${name}, 0)`).join(" + "),
      usingMetrics: Object.fromEntries(metrics),
      period: fiveMinutes,
    }),
    threshold: 100,
    periods: 3,
    runbook: "Tables are throttled",
    severity: "later",
    userNotices: `Some calls take seconds, or are answered 429: ${what} for now.`,
    whatToDo:
      "See on the dashboard which table it is. One account may use more than one partition can handle: docs/scaling.md " +
      "explains the limits. A table that was quiet until now doubles its capacity within half an hour.",
  };
}

const guide = [
  "**An alarm is red?** Open it: its description says what users notice, what to do, and which section of",
  "`docs/operators/incidents.md` is its runbook. **Calls fail or are slow?** Compare errors and latency with what is throttled",
  "below. **A change or an event is missing?** Look at the backlog, run `operator backlog`, and `operator trace` with the",
  "`x-request-id` of the call. Queries for Logs Insights are saved under the name of the deployment.",
].join("\n");

function graphsOf(watched: Watched): readonly Readonly<Record<string, IMetric[]>>[] {
  const { httpApi, deployment } = watched;
  const queues = [...watched.queues.values()];
  const units = (metricName: string) => ofTables(watched.tables, metricName);
  const throttles = (metricName: string) => [...units(metricName), ...ofIndexes(watched.tables, metricName)];
  const latest = { statistic: "Maximum" };
  return [
    {
      "Requests and errors": [
        httpApi.metricCount(),
        httpApi.metricClientError(),
        httpApi.metricServerError(),
      ],
      Latency: [httpApi.metricLatency({ statistic: "p50" }), httpApi.metricLatency({ statistic: "p99" })],
    },
    {
      "Calls that create orders, per minute": [ordersAMinute(deployment)],
      "Latency by route: p90, milliseconds": [byRoute(deployment)],
    },
    {
      "Backlog: messages": queues.map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible(latest)),
      "Jobs: age of the oldest message, seconds": queues.map(({ queue }) =>
        queue.metricApproximateAgeOfOldestMessage(latest),
      ),
      "Jobs: dead-lettered": queues.map(({ deadLetters }) =>
        deadLetters.metricApproximateNumberOfMessagesVisible(latest),
      ),
    },
    {
      "Webhooks: deliveries, failures, switched off": webhookMetrics(deployment),
      "Changes: age of the oldest, milliseconds": [byFunction(deployment, "IteratorAge", "Maximum")],
    },
    {
      "Functions: errors": [byFunction(deployment, "Errors", "Sum")],
      "Functions: duration, p90": [byFunction(deployment, "Duration", "p90")],
      "Functions: throttled": [byFunction(deployment, "Throttles", "Sum")],
      "Functions: concurrent": [byFunction(deployment, "ConcurrentExecutions", "Maximum")],
    },
    {
      "Tables: read units": units("ConsumedReadCapacityUnits"),
      "Tables: write units": units("ConsumedWriteCapacityUnits"),
      "Tables: throttled reads": throttles("ReadThrottleEvents"),
      "Tables: throttled writes": throttles("WriteThrottleEvents"),
    },
  ];
}

/** The number of calls: each call emits one latency. */
const ordersAMinute = (deployment: string): Metric =>
  deploymentMetric(deployment, {
    metricName: "latency",
    by: { route: createOrders },
    period: Duration.minutes(1),
    statistic: Stats.SAMPLE_COUNT,
  });

const webhookMetrics = (deployment: string): IMetric[] =>
  ["webhook_deliveries", "webhook_failures", webhooksOff].map((metricName) =>
    deploymentMetric(deployment, { metricName, period: fiveMinutes, statistic: Stats.SUM }),
  );

/** A search for the latencies of all routes that are called. It includes new routes automatically. */
const byRoute = (deployment: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{${metricsNamespace(deployment)},service,route} MetricName="latency"', 'p90')`,
    usingMetrics: {},
    label: "",
  });

/**
 * A search for a metric of all functions. It includes new functions automatically, and their stacks need no
 * export.
 */
const byFunction = (prefix: string, metricName: string, statistic: string): MathExpression =>
  new MathExpression({
    expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${prefix}', '${statistic}')`,
    usingMetrics: {},
    label: "",
  });
