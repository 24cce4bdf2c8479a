import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

/** What an alarm says to the one whom it wakes; both are required, for an alarm nobody understands is noise. */
export interface Notice {
  /** What a client or a warehouse worker sees, not which metric moved. */
  readonly userNotices: string;
  readonly whatToDo: string;
}

export interface NoticeAlarmProps extends Notice {
  readonly metric: IMetric;
  /** The alarm is raised at this value and above. */
  readonly threshold: number;
  /** For how many of the metric's periods in a row. */
  readonly periods: number;
  readonly topic: ITopic;
}

/** An alarm that tells the operators' topic when it starts and when it is over. */
export class NoticeAlarm extends Construct {
  constructor(scope: Construct, id: string, props: NoticeAlarmProps) {
    super(scope, id);
    const alarm = new Alarm(this, "Alarm", {
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: props.periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `What a user notices: ${props.userNotices} What to do: ${props.whatToDo}`,
    });
    alarm.addAlarmAction(new SnsAction(props.topic));
    alarm.addOkAction(new SnsAction(props.topic));
  }
}
