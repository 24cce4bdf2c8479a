import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { ScheduleContract } from "../../shared/runtime/contract.ts";
import type { QueueName } from "../../shared/runtime/queue-names.ts";
import { queueVariable, webhooksOff } from "../../shared/runtime/shared-names.ts";
import type { Catalog, Entry } from "../catalog.ts";
import { deploymentMetric } from "../constructs/deployment-metric.ts";
import { JobQueue } from "../constructs/job-queue.ts";
import { Monitor } from "../constructs/monitor.ts";
import { NoticeAlarm } from "../constructs/notice-alarm.ts";
import { Releases } from "../constructs/releases.ts";
import { type FunctionResources, ServiceFunction } from "../constructs/service-function.ts";
import { deadLetterPrefix, diagnosticOutput, outputOf } from "../output-names.ts";

const batchSize = 10;

/**
 * The maximum of concurrent workers of one kind. A long queue must not use up the API's concurrency, and its
 * workers must not contend with each other.
 */
const maxConcurrency = 5;

/**
 * The same for workers of wake-ups, which mostly wait for webhook receivers. Slow receivers can block this
 * many workers, with ten webhooks each, before other webhooks have to wait.
 */
const maxAwake = 50;

/**
 * EventBridge and Lambda drop a run that fails or can't begin, since the next run comes within a minute and
 * does its work. By default they retry it for a day and for six hours, so runs would pile up and overlap.
 */
const withoutRetries = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

interface JobsStackProps extends StackProps {
  readonly catalog: Catalog;
  readonly resources: Omit<FunctionResources, "queues">;
  /** Whether the synthetic monitor is deployed. */
  readonly monitors: boolean;
}

/**
 * The queues of all kinds of jobs, their workers, and the schedules. This stack lies below those of the
 * endpoints, which send to the queues. Nothing here refers to endpoints.
 */
export class JobsStack extends Stack {
  readonly queues: ReadonlyMap<QueueName, JobQueue>;

  constructor(scope: Construct, id: string, props: JobsStackProps) {
    super(scope, id, props);
    const { catalog } = props;
    const workers = [...catalog.workers].map(([kind, entry]) => ({
      kind,
      entry,
      jobQueue: new JobQueue(this, { kind, messages: entry.contract.messages ?? "jobs" }),
    }));
    this.queues = new Map(workers.map(({ kind, jobQueue }) => [kind, jobQueue]));
    const resources = { ...props.resources, queues: sendable(this.queues) };
    const releases = new Releases(this, resources);
    for (const { kind, entry, jobQueue } of workers) {
      const lambda = releases.release(new ServiceFunction(this, entry, resources));
      const takesWakeUps = entry.contract.messages === "wake-ups";
      const limits = { batchSize, maxConcurrency: takesWakeUps ? maxAwake : maxConcurrency };
      lambda.addEventSource(new SqsEventSource(jobQueue.queue, { ...limits, reportBatchItemFailures: true }));
      this.keepExported(jobQueue.queue);
      this.outputUrls(kind, jobQueue);
    }
    for (const entry of catalog.schedules)
      if (entry.contract.monitors !== true || props.monitors) this.schedule(entry, resources);
    for (const entry of catalog.diagnostics) {
      const { lambda } = new ServiceFunction(this, entry, resources);
      new CfnOutput(this, diagnosticOutput(entry.key), {
        value: lambda.functionName,
        description: `The function "${entry.key}", which operators call`,
      });
    }
    if ([...catalog.workers.values()].some(({ contract }) => contract.messages === "wake-ups"))
      this.alarmOnWebhooks(resources.deployment);
  }

  private alarmOnWebhooks(deployment: string): void {
    const metric = deploymentMetric(deployment, {
      metricName: webhooksOff,
      period: Duration.minutes(5),
      statistic: Stats.SUM,
    });
    new NoticeAlarm(this, "WebhooksOff", {
      metric,
      runbook: "A webhook is switched off",
      severity: "later",
      userNotices: "An account's receiver gets no more events, because its webhook was switched off.",
      whatToDo:
        'Find "webhook switched off" in the log of "jobs/send-webhooks". With the reason "gone", the receiver asked for it. ' +
        'After "failing", notify the account: once its receiver works and the webhook is enabled again, the events of the last 30 days follow.',
    });
  }

  /** Always exports a queue, as tables are: an endpoint that stops sending must not block the deployment. */
  private keepExported(queue: Queue): void {
    this.exportValue(queue.queueUrl);
    this.exportValue(queue.queueArn);
  }

  /** Outputs the URLs of a queue and its dead-letter queue, by which operator commands find them. */
  private outputUrls(kind: QueueName, { queue, deadLetters }: JobQueue): void {
    const output = outputOf(queueVariable(kind));
    new CfnOutput(this, output, {
      value: queue.queueUrl,
      description: `The queue of ${kind}`,
    });
    new CfnOutput(this, `${deadLetterPrefix}${output}`, {
      value: deadLetters.queueUrl,
      description: `The dead-letter queue of ${kind}`,
    });
  }

  private schedule(entry: Entry<ScheduleContract>, resources: FunctionResources): void {
    const { everyMinutes, monitors } = entry.contract;
    const serviceFunction = new ServiceFunction(this, entry, resources);
    serviceFunction.lambda.configureAsyncInvoke(withoutRetries);
    new Rule(serviceFunction, "Rule", {
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(serviceFunction.lambda, withoutRetries)],
    });
    if (monitors === true) return void new Monitor(serviceFunction, everyMinutes);
    new NoticeAlarm(serviceFunction, "NotRunning", {
      // Each run counts as 1 or 0 errors, so the average is 1 if all runs failed, and missing if there were
      // none.
      metric: serviceFunction.lambda.metricErrors({ period: Duration.minutes(15), statistic: Stats.AVERAGE }),
      whenSilent: true,
      runbook: "A schedule does not run",
      userNotices: `Nothing at first, but the work that "${entry.key}" does on a schedule is not done.`,
      whatToDo:
        `Read the errors in the log of "${entry.key}". If there are none, check that its rule in EventBridge is enabled, ` +
        "and whether functions are throttled. It catches up by itself once it runs again.",
    });
  }
}

/** The queues to which functions may send. Dead-letter queues are not among them. */
export const sendable = (queues: ReadonlyMap<QueueName, JobQueue>): FunctionResources["queues"] =>
  new Map([...queues].map(([kind, { queue }]) => [kind, queue]));
