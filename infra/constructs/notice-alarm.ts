import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

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
  readonly topic: ITopic;
}

/** An alarm that notifies the operators' topic when it is raised and when it is resolved. */
export class NoticeAlarm extends Construct {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, props: NoticeAlarmProps) {
    super(scope, id);
    this.alarm = new Alarm(this, "Alarm", {
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: props.periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData:
        props.whenSilent === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `What a user notices: ${props.userNotices} What to do: ${props.whatToDo}`,
    });
    this.alarm.addAlarmAction(new SnsAction(props.topic));
    this.alarm.addOkAction(new SnsAction(props.topic));
  }
}
