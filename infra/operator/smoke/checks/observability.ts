/** What a smoke test asks CloudWatch: metrics, the filters of logs, and alarms. */
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
import { deploymentVariable, metricsNamespace } from "../../../../shared/lambda/contract.ts";
import { Log } from "../../../../shared/lambda/log.ts";
import { accessLogLine } from "../../../access-log.ts";
import { eventually } from "../steps.ts";

/** Seconds within which CloudWatch shows figures. It is mostly two minutes behind. */
const metricSeconds = 300;

export async function withLogs<T>(use: (client: CloudWatchLogsClient) => Promise<T>): Promise<T> {
  const client = new CloudWatchLogsClient();
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

/** Verifies that the requests since a time show in CloudWatch. */
export async function expectMetrics(deployment: string, since: Date): Promise<void> {
  const client = new CloudWatchClient();
  const look = async (): Promise<number | undefined> => {
    const { Datapoints = [] } = await client.send(
      new GetMetricStatisticsCommand({
        Namespace: metricsNamespace(deployment),
        MetricName: "requests",
        Dimensions: [{ Name: "service", Value: deployment }],
        StartTime: new Date(since.getTime() - 60_000),
        EndTime: new Date(),
        Period: 60,
        Statistics: ["Sum"],
      }),
    );
    const total = Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
    return total > 0 ? total : undefined;
  };
  const metric = `the metric requests in ${metricsNamespace(deployment)}`;
  await eventually(`${metric} has a value`, metricSeconds, look).finally(() => client.destroy());
}

/** Lines of a log, and whether a filter has to find them. */
interface Sample {
  readonly line: string;
  readonly isFound: boolean;
}

const linesOf = (deployment: string, tell: (log: Log) => void): readonly string[] => {
  const lines: string[] = [];
  tell(new Log({ [deploymentVariable]: deployment }, (line) => lines.push(line)));
  return lines;
};

/** Lambda's own line of a run that ended so. */
const platformLine = (status: string): string =>
  JSON.stringify({ time: new Date().toISOString(), type: "platform.report", record: { status } });

const accessLine = (status: string): string => JSON.stringify({ ...accessLogLine, status });

/**
 * Lines as the functions and API Gateway write them, by how the names of the metrics begin that filters make
 * of them.
 */
const samplesOf = (deployment: string): Readonly<Record<string, readonly Sample[]>> => ({
  errors: [
    ...linesOf(deployment, (log) => log.error("smoke", { error: new Error("smoke") })).map((line) => ({
      line,
      isFound: true,
    })),
    { line: platformLine("timeout"), isFound: true },
    { line: platformLine("error"), isFound: true },
    { line: platformLine("success"), isFound: false },
    ...linesOf(deployment, (log) => log.info("request", { status: 500 })).map((line) => ({
      line,
      isFound: false,
    })),
  ],
  refused_429: [
    { line: accessLine("429"), isFound: true },
    { line: accessLine("200"), isFound: false },
  ],
});

/** What is wrong with the lines that a filter finds, by their positions from 1. */
export const faultsOfFilter = (samples: readonly Sample[], found: ReadonlySet<number>): readonly string[] =>
  samples.flatMap(({ line, isFound }, position) => {
    if (found.has(position + 1) === isFound) return [];
    return [`expected it ${isFound ? "to find" : "not to find"} ${line}`];
  });

async function filtersOf(client: CloudWatchLogsClient, deployment: string): Promise<readonly MetricFilter[]> {
  const groups = [`/aws/lambda/${deployment}-`, `/aws/vendedlogs/${deployment}-`];
  const found: MetricFilter[] = [];
  for await (const { metricFilters = [] } of paginateDescribeMetricFilters({ client }, {}))
    found.push(
      ...metricFilters.filter(({ logGroupName = "" }) =>
        groups.some((group) => logGroupName.startsWith(group)),
      ),
    );
  return found;
}

const metricOf = ({ metricTransformations = [] }: MetricFilter): string =>
  metricTransformations[0]?.metricName ?? "";

/**
 * Verifies that the metric filters of a deployment find the lines that they are for. Filters of one pattern
 * are tried once.
 */
export const expectLogFilters = (deployment: string): Promise<void> =>
  withLogs(async (client) => {
    const filters = await filtersOf(client, deployment);
    for (const [metric, samples] of Object.entries(samplesOf(deployment))) {
      const own = filters.filter((filter) => metricOf(filter).startsWith(metric));
      if (own.length === 0) throw new Error(`no metric filter makes the metric ${metric}`);
      for (const filterPattern of new Set(own.map(({ filterPattern: pattern = "" }) => pattern))) {
        const logEventMessages = samples.map(({ line }) => line);
        const { matches = [] } = await client.send(
          new TestMetricFilterCommand({ filterPattern, logEventMessages }),
        );
        const found = new Set(matches.map(({ eventNumber }) => Number(eventNumber)));
        const [fault] = faultsOfFilter(samples, found);
        if (fault !== undefined) throw new Error(`the filter ${filterPattern}: ${fault}`);
      }
    }
  });

/** Verifies that no alarm of a deployment is on. Their names begin with those of their stacks. */
export async function expectNoAlarm(deployment: string): Promise<void> {
  const client = new CloudWatchClient();
  try {
    const prefix = { AlarmNamePrefix: `${deployment}-`, StateValue: "ALARM" } as const;
    for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, prefix))
      for (const { AlarmName, AlarmDescription } of MetricAlarms)
        throw new Error(`the alarm ${AlarmName} is on: ${AlarmDescription}`);
  } finally {
    client.destroy();
  }
}
