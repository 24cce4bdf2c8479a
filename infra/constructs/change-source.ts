import { Duration } from "aws-cdk-lib";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import {
  type EventSourceMappingOptions,
  FilterCriteria,
  type Function as Lambda,
  StartingPosition,
} from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { StreamContract } from "../../shared/runtime/contract.ts";
import { changesSetAside } from "../../shared/runtime/shared-names.ts";
import { tablesIn } from "../../shared/store/permits.ts";
import { type TableName, tableNames } from "../../shared/store/tables.ts";
import { accessOf } from "../access.ts";
import type { Entry } from "../catalog.ts";
import { deploymentMetric } from "./deployment-metric.ts";
import { grantStream } from "./grants.ts";
import { addAlarms, type NoticeAlarmProps } from "./notice-alarm.ts";
import type { Callee } from "./releases.ts";
import type { FunctionResources, ServiceFunction } from "./service-function.ts";
import type { StoredTable } from "./service-table.ts";

/**
 * How long a change is retried. DynamoDB silently drops changes after 24 hours. The message of a change that
 * is dead-lettered an hour before that names a change that can still be read.
 */
const maxRecordAge = Duration.hours(23);

/** Changes are delivered within seconds. Older ones mean that the function fails or cannot keep up. */
const tooOld = Duration.minutes(10);

const delivery = {
  startingPosition: StartingPosition.TRIM_HORIZON,
  batchSize: 100,
  // One batch of a shard at a time: only shards run in parallel, and DynamoDB adds shards as a table grows.
  parallelizationFactor: 1,
  bisectBatchOnError: true,
  retryAttempts: -1,
  maxRecordAge,
  reportBatchItemFailures: true,
} satisfies EventSourceMappingOptions;

const inAMinute = { period: Duration.minutes(1), statistic: "Maximum" };

interface Consumer {
  readonly entry: Entry<StreamContract>;
  readonly lambda: Callee;
}

/**
 * Calls a function with changes: an event source for each table, a queue of dead-lettered changes, and
 * alarms.
 */
export class ChangeSource extends Construct {
  constructor(
    scope: ServiceFunction,
    consumer: Consumer,
    { tables, publishing, deployment }: Pick<FunctionResources, "tables" | "publishing" | "deployment">,
  ) {
    super(scope, "Changes");
    const deadLetters = new Queue(this, "GivenUp", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const { contract } = consumer.entry;
    const { changesOf, changesWhere = {} } = contract;
    const publishes = tablesIn(accessOf(contract)).includes("events");
    for (const name of tableNames) {
      const prefixes = changesOf[name];
      if (prefixes === undefined) continue;
      const eventSourceArn = streamOf(tables, name);
      grantStream(consumer.lambda, eventSourceArn);
      consumer.lambda.addEventSourceMapping(`${name}-changes`, {
        ...delivery,
        ...(publishes ? paceOf(publishing) : atOnce),
        eventSourceArn,
        onFailure: new SqsDlq(deadLetters),
        filters: [filterOf(prefixes, changesWhere[name])],
      });
    }
    addAlarms(this, {
      ...alarmsOn(consumer.entry.key, scope.lambda, deadLetters),
      ...(publishes && { SetAside: changesAreSetAside(consumer.entry.key, deployment) }),
    });
  }
}

const alarmsOn = (key: string, lambda: Lambda, deadLetters: Queue) => ({
  Lost: {
    metric: deadLetters.metricApproximateNumberOfMessagesVisible(inAMinute),
    runbook: "Changes are lost",
    userNotices: `"${key}" failed on some changes for a day and skipped them.`,
    whatToDo:
      `Read the errors in the log of "${key}" and fix their cause. A message of this queue names the stream, the shard ` +
      "and the sequence numbers of the changes. GetRecords returns these changes for an hour after the message arrived; later, " +
      "only the records in the tables show their result. A day later, run `npm run operator -- events align ACCOUNT`. " +
      "Purge the queue when nothing is left to do.",
  },
  Late: {
    metric: lambda.metric("IteratorAge", inAMinute),
    threshold: tooOld.toMilliseconds(),
    periods: 3,
    runbook: "Changes are late",
    userNotices: `"${key}" is more than ${tooOld.toMinutes()} minutes behind the changes.`,
    whatToDo:
      `Check on the dashboard whether "${key}" fails, is throttled or is overloaded. If it fails, read its log: ` +
      "it names the first change that is not handled; later ones wait for it. The function catches up by itself once the cause " +
      `is fixed; changes older than ${maxRecordAge.toHours()} hours are dead-lettered. ` +
      "If it is throttled, raise the account's Lambda concurrency.",
  },
});

const changesAreSetAside = (key: string, deployment: string): NoticeAlarmProps => ({
  metric: deploymentMetric(deployment, {
    metricName: changesSetAside,
    period: Duration.minutes(5),
    statistic: Stats.SUM,
  }),
  runbook: "Changes are set aside",
  userNotices: "The latest changes of some records are missing from an account's feed and webhooks.",
  whatToDo:
    `Find "set aside" in the log of "${key}": each line names the table and the key of a record, and why it can't be ` +
    "published. All other records are published as usual. Repair the record or deploy a release that can read it, and run " +
    "`npm run operator -- events retry`. `events set-aside` lists what is left, and `events skip` gives it up.",
});

/**
 * A single change is delivered at once. Under load, changes accumulate while the previous batch is handled.
 */
const atOnce = { enabled: true, maxBatchingWindow: Duration.seconds(0) };

/**
 * The pace of publishing. If it is switched off, the event sources are disabled, not removed: new ones would
 * begin at the oldest change. Lambda continues where it stopped, as far back as DynamoDB keeps changes.
 */
const paceOf = ({ events, eventsWindow }: FunctionResources["publishing"]) => ({
  enabled: events === "on",
  maxBatchingWindow: Duration.seconds(eventsWindow),
});

/**
 * Matches items whose `pk` begins with one of the prefixes and whose attributes have these texts after the
 * change.
 */
const filterOf = (prefixes: readonly string[], where: Readonly<Record<string, string>> = {}) => {
  const attributes = Object.entries(where).map(([name, text]) => [name, { S: [text] }]);
  const Keys = { pk: { S: prefixes.map((prefix) => ({ prefix })) } };
  return FilterCriteria.filter({
    dynamodb: { Keys, ...(attributes.length > 0 && { NewImage: Object.fromEntries(attributes) }) },
  });
};

const streamOf = (tables: ReadonlyMap<TableName, StoredTable>, name: TableName): string => {
  const arn = tables.get(name)?.tableStreamArn;
  if (arn === undefined) throw new Error(`The table "${name}" has no stream.`);
  return arn;
};
