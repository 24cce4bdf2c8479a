/** Checks CloudWatch: metrics, log filters and alarms. */
import {
  CloudWatchClient,
  GetMetricStatisticsCommand,
  paginateDescribeAlarms,
} from "@aws-sdk/client-cloudwatch";
import {
  CloudWatchLogsClient,
  type MetricFilter,
  paginateDescribeMetricFilters,
  TestMetricFilterCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { Log } from "../../../../shared/runtime/log.ts";
import { deploymentVariable, metricsNamespace } from "../../../../shared/runtime/shared-names.ts";
import { accessLogLine } from "../../../access-log.ts";
import { pollUntil } from "../steps.ts";

/** CloudWatch usually shows a metric after two minutes. */
const metricTimeoutSeconds = 300;

export async function expectMetrics(deployment: string, since: Date): Promise<void> {
  const client = new CloudWatchClient();
  const namespace = metricsNamespace(deployment);
  await pollUntil(`the metric requests in ${namespace} has a value`, metricTimeoutSeconds, async () => {
    const { Datapoints = [] } = await client.send(
      new GetMetricStatisticsCommand({
        Namespace: namespace,
        MetricName: "requests",
        Dimensions: [{ Name: "service", Value: deployment }],
        StartTime: new Date(since.getTime() - 60_000),
        EndTime: new Date(),
        Period: 60,
        Statistics: ["Sum"],
      }),
    );
    return Datapoints.some(({ Sum = 0 }) => Sum > 0);
  });
}

/** A log line, and whether a filter must match it. */
interface Sample {
  readonly line: string;
  readonly isFound: boolean;
}

function lineOf(deployment: string, write: (log: Log) => void): string {
  const lines: string[] = [];
  write(new Log({ [deploymentVariable]: deployment }, (line) => lines.push(line)));
  return lines.join("\n");
}

/** The line that Lambda itself writes about a run with this status. */
const platformLine = (status: string): string =>
  JSON.stringify({ time: new Date().toISOString(), type: "platform.report", record: { status } });

const accessLine = (status: string): string => JSON.stringify({ ...accessLogLine, status });

const refusalsOf = (status: string): readonly Sample[] => [
  { line: accessLine(status), isFound: true },
  { line: accessLine("200"), isFound: false },
];

/**
 * Lines as the functions, Lambda and API Gateway write them, by the prefix of the metric that the filters
 * feed.
 */
const samplesOf = (deployment: string): Readonly<Record<string, readonly Sample[]>> => ({
  errors: [
    { line: lineOf(deployment, (log) => log.error("smoke", { error: new Error("smoke") })), isFound: true },
    { line: platformLine("timeout"), isFound: true },
    { line: platformLine("error"), isFound: true },
    { line: platformLine("success"), isFound: false },
    { line: lineOf(deployment, (log) => log.info("request", { status: 500 })), isFound: false },
  ],
  refused_401: refusalsOf("401"),
  refused_429: refusalsOf("429"),
});

/** @param found the positions, from 1, of the samples that a filter matches */
export const faultsOfFilter = (samples: readonly Sample[], found: ReadonlySet<number>): readonly string[] =>
  samples.flatMap(({ line, isFound }, position) => {
    if (found.has(position + 1) === isFound) return [];
    return [`expected it ${isFound ? "to match" : "not to match"} ${line}`];
  });

async function filtersOf(client: CloudWatchLogsClient, deployment: string): Promise<readonly MetricFilter[]> {
  const groups = [`/aws/lambda/${deployment}-`, `/aws/vendedlogs/${deployment}-`];
  const pages = await Array.fromAsync(paginateDescribeMetricFilters({ client }, {}));
  return pages
    .flatMap(({ metricFilters = [] }) => metricFilters)
    .filter(({ logGroupName = "" }) => groups.some((group) => logGroupName.startsWith(group)));
}

const metricOf = ({ metricTransformations = [] }: MetricFilter): string =>
  metricTransformations[0]?.metricName ?? "";

/** Verifies that a deployment's metric filters match the lines that they are meant for. */
export async function expectLogFilters(deployment: string): Promise<void> {
  const client = new CloudWatchLogsClient();
  const filters = await filtersOf(client, deployment);
  for (const [metric, samples] of Object.entries(samplesOf(deployment))) {
    const own = filters.filter((filter) => metricOf(filter).startsWith(metric));
    if (own.length === 0) throw new Error(`no metric filter feeds the metric ${metric}`);
    const logEventMessages = samples.map(({ line }) => line);
    for (const filterPattern of new Set(own.map(({ filterPattern: pattern = "" }) => pattern))) {
      const { matches = [] } = await client.send(
        new TestMetricFilterCommand({ filterPattern, logEventMessages }),
      );
      const found = new Set(matches.map(({ eventNumber }) => Number(eventNumber)));
      const [fault] = faultsOfFilter(samples, found);
      if (fault !== undefined) throw new Error(`the filter ${filterPattern}: ${fault}`);
    }
  }
}

export async function expectNoAlarm(deployment: string): Promise<void> {
  const client = new CloudWatchClient();
  const query = { AlarmNamePrefix: `${deployment}-`, StateValue: "ALARM" } as const;
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, query))
    for (const { AlarmName, AlarmDescription } of MetricAlarms)
      throw new Error(`${AlarmName} is in ALARM: ${AlarmDescription}`);
}
