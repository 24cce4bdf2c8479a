import type { ScheduledEvent } from "aws-lambda";
import type { Database } from "../store/dynamodb/database.ts";
import type { ScheduleContract } from "./contract.ts";
import { database } from "./database.ts";
import { beginHandler } from "./handler.ts";
import { logger } from "./log.ts";

interface Run {
  readonly db: Database;
  /** ISO 8601 UTC. */
  readonly now: string;
  /** Milliseconds left of the run. */
  readonly remaining: () => number;
}

/** A function that runs on a schedule. `run` returns the figures for its log line. */
export interface Schedule extends ScheduleContract {
  readonly run: (run: Run) => Promise<Readonly<Record<string, number>>>;
}

export function defineSchedule(contract: Omit<ScheduleContract, "type">, run: Schedule["run"]) {
  const schedule: Schedule = { ...contract, type: "schedule", run };
  return { schedule, handler: scheduleHandler(schedule) };
}

const scheduleHandler = (schedule: Schedule) =>
  beginHandler<ScheduledEvent, void>().handler(async (_event, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    // The run's id is stored with everything that it changes.
    const requestId = context.awsRequestId;
    logger.note({ request_id: requestId });
    const db = { ...(await database()), requestId };
    const figures = await schedule.run({ db, now: new Date().toISOString(), remaining });
    logger.info("scheduled run", figures);
  });
