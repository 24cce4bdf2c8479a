import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

/** What an alarm tells the person whom it wakes. Both texts are required: an alarm that nobody understands is noise. */
export interface Notice {
  /** What a client or a warehouse worker notices, instead of which metric moved. */
  readonly userNotices: string;
  readonly whatToDo: string;
}

export interface NoticeAlarmProps extends Notice {
  readonly metric: IMetric;
  /** The alarm is raised at this value and above. */
  readonly threshold: number;
  /** Whether it is also raised where the metric has no value: for what must happen all the time. */
  readonly whenSilent?: boolean;
  /** The number of the metric's periods in a row for which the value must hold. */
  readonly periods: number;
  readonly topic: ITopic;
}

/** An alarm that tells the operators' topic when it begins and when it is over. */
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
