/** Checks the logs of scheduled functions. */
import {
  CloudWatchLogsClient,
  type FilterLogEventsCommandInput,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { LambdaClient, paginateListFunctions } from "@aws-sdk/client-lambda";
import * as z from "zod/mini";
import { functions } from "../../../../functions/index.ts";
import { pollUntil } from "../steps.ts";

/** Schedules run every minute. The log shows the first run after a deployment within this time. */
const firstRunSeconds = 150;

/** The functions that every deployment runs by the clock. */
export const schedules: readonly string[] = Object.entries(functions).flatMap(([key, contract]) =>
  contract.type === "schedule" && contract.monitors !== true ? [key] : [],
);

const lookbackMs = 10 * 60_000;

/**
 * Verifies that every scheduled function of a deployment ran recently, and that no run failed. Logs from
 * before the function's last update do not count.
 */
export async function expectSchedules(deployment: string): Promise<void> {
  const client = new CloudWatchLogsClient();
  const updates = await updatesByLogGroup();
  for (const key of schedules) {
    const group = `/aws/lambda/${deployment}-jobs/${key}`;
    await expectSchedule(client, group, updates.get(group));
  }
}

/**
 * The last update of each function in the region, by log group: the function names themselves are generated
 * by CloudFormation.
 */
async function updatesByLogGroup(): Promise<ReadonlyMap<string, string>> {
  const pages = await Array.fromAsync(paginateListFunctions({ client: new LambdaClient() }, {}));
  return new Map(
    pages
      .flatMap(({ Functions = [] }) => Functions)
      .flatMap(({ LoggingConfig: { LogGroup: group } = {}, LastModified: at }) =>
        group === undefined || at === undefined ? [] : [[group, at] as const],
      ),
  );
}

/** The time from which log lines count. Lambda's timestamps have no colon in the time zone. */
export function countedFrom(now: number, updated: string | undefined): number {
  const at = Date.parse(updated?.replace(/([+-]\d\d)(\d\d)$/, "$1:$2") ?? "");
  return Number.isNaN(at) ? now - lookbackMs : Math.max(now - lookbackMs, at);
}

async function expectSchedule(
  client: CloudWatchLogsClient,
  logGroupName: string,
  updated: string | undefined,
): Promise<void> {
  const find = (filterPattern: string, matches: (line: LogLine) => boolean) =>
    findLine(client, { logGroupName, filterPattern, startTime: countedFrom(Date.now(), updated) }, matches);
  await pollUntil(`${logGroupName} logged a run`, firstRunSeconds, async () => {
    const run = await find('{ $.message = "scheduled run" }', ({ message }) => message === "scheduled run");
    return run !== undefined;
  });
  const failed = await find('{ $.level = "ERROR" }', ({ level }) => level === "ERROR");
  if (failed !== undefined) throw new Error(`${logGroupName} logged an error: ${failed.message}`);
}

/** The first matching line that a filter finds. CloudWatch may return empty pages before it. */
export async function findLine(
  client: CloudWatchLogsClient,
  query: Pick<FilterLogEventsCommandInput, "logGroupName" | "filterPattern" | "startTime">,
  matches: (line: LogLine) => boolean,
): Promise<LogLine | undefined> {
  for await (const { events = [] } of paginateFilterLogEvents({ client }, query)) {
    const found = events.flatMap(({ message = "" }) => lineIn(message) ?? []).find(matches);
    if (found !== undefined) return found;
  }
  return undefined;
}

const logLine = z.object({ level: z.optional(z.string()), message: z.optional(z.string()) });
type LogLine = z.output<typeof logLine>;

/** A line of a function's log; undefined for lines that the function did not write. */
function lineIn(text: string): LogLine | undefined {
  try {
    return z.safeParse(logLine, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
