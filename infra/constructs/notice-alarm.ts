import { Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

/**
 * `urgent`: clients notice, or data may be lost: somebody looks at once. `later`: somebody looks within the
 * working day.
 */
export type Severity = "urgent" | "later";

/** Where alarms are published, by their severity. */
export type AlarmTopics = Readonly<Record<Severity, ITopic>>;

/**
 * The texts of an alarm for the person on call. Both are required: an alarm without an explanation is noise.
 */
export interface Notice {
  /** What a client or a warehouse worker notices, instead of which metric moved. */
  readonly userNotices: string;
  readonly whatToDo: string;
}

export interface NoticeAlarmProps extends Notice {
  readonly metric: IMetric;
  /** The alarm is raised at this value and above. */
  readonly threshold: number;
  /** Whether missing data raises it, too: for what must happen continuously. */
  readonly whenSilent?: boolean;
  /** The number of the metric's periods in a row for which the value must hold. */
  readonly periods: number;
  readonly topics: AlarmTopics;
  /** The heading of its section in docs/operators/incidents.md. */
  readonly runbook: string;
  /** `urgent` unless stated. */
  readonly severity?: Severity;
}

/** An alarm that notifies the topic of its severity when it is raised and when it is resolved. */
export class NoticeAlarm extends Construct {
  readonly alarm: Alarm;
  /**
   * Its name, known at synthesis: the dashboard shows all alarms without a reference, which would keep their
   * stacks from removing one.
   */
  readonly alarmName: string;

  constructor(scope: Construct, id: string, props: NoticeAlarmProps) {
    super(scope, id);
    const { metric, threshold, periods, whenSilent, userNotices, whatToDo, runbook } = props;
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
    const action = new SnsAction(props.topics[props.severity ?? "urgent"]);
    this.alarm.addAlarmAction(action);
    this.alarm.addOkAction(action);
  }
}
