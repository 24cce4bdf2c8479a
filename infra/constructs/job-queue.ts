import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { QueueName } from "../../shared/runtime/queue-names.ts";
import { maxDeliveries } from "../../shared/runtime/shared-names.ts";
import { type Notice, NoticeAlarm } from "./notice-alarm.ts";
import { timeouts } from "./service-function.ts";

/** A job takes seconds. The limit is above the 7.5 minutes that all deliveries of a failing message take. */
const tooOld = Duration.minutes(10);

/** What a queue carries: jobs of a kind, or wake-ups of the kind's worker. */
interface Carried {
  readonly kind: QueueName;
  readonly messages: "jobs" | "wake-ups";
}

/** The texts of a queue's alarms: for dead-lettered messages, and for messages that wait too long. */
interface Notices {
  readonly failed: Notice;
  readonly late: Notice;
}

const ofJobs = (kind: QueueName): Notices => ({
  failed: {
    userNotices: `A change of kind "${kind}" was accepted, but could not be applied yet; it shows as queued.`,
    whatToDo:
      `Look for errors and warnings in the log of the "${kind}" worker and fix their cause: after a downgrade, a job may need ` +
      `the release that accepted it. Then run "npm run operator -- jobs redrive ${kind}": what is queued is applied, exactly ` +
      "once. The sweeper sends it again as well, but later; four days after its acceptance it ends the job as failed.",
  },
  late: {
    userNotices: `Changes of kind "${kind}" take more than ${tooOld.toMinutes()} minutes until they show.`,
    whatToDo:
      `See on the dashboard whether the "${kind}" worker fails, is throttled or just has too much to do. ` +
      "If it fails, read its log; if it is throttled, raise the account's Lambda concurrency.",
  },
});

const ofWakeUps = (kind: QueueName): Notices => ({
  failed: {
    userNotices: `Some events do not reach the receivers of a ${kind} for a minute or more, or not at all.`,
    whatToDo:
      `Look for the errors in the log of the "${kind}" worker and fix their cause. A schedule wakes the ${kind} again ` +
      "each minute, so nothing is lost: purge this dead-letter queue, there is nothing to redrive.",
  },
  late: {
    userNotices: `Events reach the receivers of a ${kind} more than ${tooOld.toMinutes()} minutes late.`,
    whatToDo:
      `See on the dashboard whether the "${kind}" worker fails or is throttled, or how many run at the same time. ` +
      "If all of them wait for slow receivers, raise their number (maxAwake in infra/stacks/jobs-stack.ts).",
  },
});

/** The queue of one kind of job, with its dead-letter queue and the alarms that watch both. */
export class JobQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, { kind, messages }: Carried) {
    super(scope, `${kind}-queue`);
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, "DeadLetters", { ...common, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, "Queue", {
      ...common,
      // 90 s, so that the message of a killed worker is delivered again within two minutes. Lambda recommends
      // six times the worker's timeout in case functions are throttled: with less, a message that waits for
      // its function is delivered again, which uses up one of its deliveries. `maxConcurrency` keeps Lambda
      // from receiving more messages than workers may run.
      visibilityTimeout: Duration.seconds(3 * timeouts.worker.toSeconds()),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxDeliveries },
    });
    const { failed, late } = messages === "jobs" ? ofJobs(kind) : ofWakeUps(kind);
    const watched = { period: Duration.minutes(1), statistic: "Maximum" };
    new NoticeAlarm(this, "Failed", {
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible(watched),
      runbook: "Messages are dead-lettered",
      severity: "later",
      ...failed,
    });
    new NoticeAlarm(this, "Late", {
      metric: this.queue.metricApproximateAgeOfOldestMessage(watched),
      threshold: tooOld.toSeconds(),
      periods: 3,
      runbook: "A queue is late",
      ...late,
    });
  }
}
