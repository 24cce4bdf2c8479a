import { Stack, type StackProps } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { AlarmTopic } from "../constructs/alarm-topic.ts";

/**
 * The topic of all alarms. It lies below all other stacks, so that each keeps its alarms beside what they
 * watch.
 */
export class AlertsStack extends Stack {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, props: StackProps & { readonly alarmEmail: string | undefined }) {
    super(scope, id, props);
    this.topic = new AlarmTopic(this, "Alarms", props.alarmEmail).topic;
  }
}
