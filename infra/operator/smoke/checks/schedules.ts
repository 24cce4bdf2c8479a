/** What a smoke test asks the logs of schedules. */
import {
  type CloudWatchLogsClient,
  type FilterLogEventsCommandInput,
  paginateFilterLogEvents,
} from "@aws-sdk/client-cloudwatch-logs";
import { LambdaClient, paginateListFunctions } from "@aws-sdk/client-lambda";
import * as z from "zod/mini";
import { functions } from "../../../../functions/index.ts";
import { eventually } from "../steps.ts";
import { withLogs } from "./observability.ts";

/** Seconds within which a schedule's first run after a deployment shows in its log: it runs every minute. */
const scheduleSeconds = 150;

/** How far back a run of a schedule counts, in milliseconds. */
const recent = 10 * 60_000;

/**
 * Verifies that every schedule of a deployment ran lately, and that none of the runs failed. What code logged
 * that was replaced meanwhile does not count.
 */
export const expectSchedules = (deployment: string): Promise<void> =>
  withLogs(async (client) => {
    const updated = await updatesByLogGroup();
    const keys = Object.entries(functions).flatMap(([key, { type }]) => (type === "schedule" ? [key] : []));
    for (const key of keys) {
      const group = `/aws/lambda/${deployment}-jobs/${key}`;
      await expectSchedule(client, group, updated.get(group));
    }
  });

/**
 * When the functions of the region were updated last, by their log groups: names of functions are
 * CloudFormation's.
 */
async function updatesByLogGroup(): Promise<ReadonlyMap<string, string>> {
  const client = new LambdaClient();
  const found = new Map<string, string>();
  try {
    for await (const { Functions = [] } of paginateListFunctions({ client }, {}))
      for (const { LoggingConfig: { LogGroup: group } = {}, LastModified: at } of Functions)
        if (group !== undefined && at !== undefined) found.set(group, at);
    return found;
  } finally {
    client.destroy();
  }
}

/**
 * From when on lines of a function's log count, in milliseconds. Lambda's times have no colon in their zone.
 */
export function countedFrom(now: number, updated: string | undefined): number {
  const at = Date.parse(updated?.replace(/([+-]\d\d)(\d\d)$/, "$1:$2") ?? "");
  return Number.isNaN(at) ? now - recent : Math.max(now - recent, at);
}

async function expectSchedule(
  client: CloudWatchLogsClient,
  logGroupName: string,
  updated: string | undefined,
): Promise<void> {
  const find = (filterPattern: string, isMeant: (line: LogLine) => boolean) =>
    findLine(client, { logGroupName, filterPattern, startTime: countedFrom(Date.now(), updated) }, isMeant);
  await eventually(`${logGroupName} logged a run`, scheduleSeconds, () =>
    find('{ $.message = "scheduled run" }', ({ message }) => message === "scheduled run"),
  );
  const failed = await find('{ $.level = "ERROR" }', ({ level }) => level === "ERROR");
  if (failed !== undefined) throw new Error(`${logGroupName} logged an error: ${failed.message}`);
}

/**
 * The first line that is meant among those that a filter finds. CloudWatch may answer empty pages before it.
 */
export async function findLine(
  client: CloudWatchLogsClient,
  query: Pick<FilterLogEventsCommandInput, "logGroupName" | "filterPattern" | "startTime">,
  isMeant: (line: LogLine) => boolean,
): Promise<LogLine | undefined> {
  for await (const { events = [] } of paginateFilterLogEvents({ client }, query)) {
    const found = events.flatMap(({ message = "" }) => lineIn(message) ?? []).find(isMeant);
    if (found !== undefined) return found;
  }
  return undefined;
}

const logLine = z.object({ level: z.optional(z.string()), message: z.optional(z.string()) });
type LogLine = z.output<typeof logLine>;

/** A line of a function's log; undefined for what others write. */
function lineIn(text: string): LogLine | undefined {
  try {
    return z.safeParse(logLine, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
