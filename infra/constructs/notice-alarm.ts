import { Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

/**
 * `urgent`: clients notice, or data may be lost, so somebody looks at once. `later`: somebody looks within
 * the working day.
 */
export type Severity = "urgent" | "later";

export type AlarmTopics = Readonly<Record<Severity, ITopic>>;

/**
 * The texts of an alarm for the person on call. Both are required: an alarm without an explanation is noise.
 */
export interface Notice {
  /** What a client or a warehouse worker notices, rather than which metric moved. */
  readonly userNotices: string;
  readonly whatToDo: string;
}

export interface NoticeAlarmProps extends Notice {
  readonly metric: IMetric;
  /** The alarm is raised at this value and above; 1 by default. */
  readonly threshold?: number;
  /** Whether missing data also raises it: for what must happen continuously. */
  readonly whenSilent?: boolean;
  /** For how many consecutive periods of the metric the value must hold; 1 by default. */
  readonly periods?: number;
  /** The heading of its section in docs/operators/incidents.md. */
  readonly runbook: string;
  /** `urgent` by default. */
  readonly severity?: Severity;
}

/** An alarm that notifies the operators when it is raised and when it is resolved (`notify`). */
export class NoticeAlarm extends Construct {
  readonly alarm: Alarm;
  readonly #severity: Severity;
  /**
   * Its name, known at synthesis. The dashboard shows all alarms by name: a reference would keep their stacks
   * from removing one.
   */
  readonly alarmName: string;

  constructor(scope: Construct, id: string, props: NoticeAlarmProps) {
    super(scope, id);
    const { metric, threshold = 1, periods = 1, whenSilent, userNotices, whatToDo, runbook } = props;
    const [, ...path] = this.node.path.split("/");
    this.alarmName = [Stack.of(this).stackName, ...path].join("-");
    this.alarm = new Alarm(this, "Alarm", {
      alarmName: this.alarmName,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: whenSilent === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription:
        `What a user notices: ${userNotices} What to do: ${whatToDo} ` +
        `Runbook: docs/operators/incidents.md, ${runbook}.`,
    });
    this.#severity = props.severity ?? "urgent";
  }

  /** Publishes to the topic of its severity. The app calls this, so that no stack has to pass topics on. */
  notify(topics: AlarmTopics): void {
    const action = new SnsAction(topics[this.#severity]);
    this.alarm.addAlarmAction(action);
    this.alarm.addOkAction(action);
  }
}

export function addAlarms(scope: Construct, alarms: Readonly<Record<string, NoticeAlarmProps>>): void {
  for (const [id, props] of Object.entries(alarms)) new NoticeAlarm(scope, id, props);
}
