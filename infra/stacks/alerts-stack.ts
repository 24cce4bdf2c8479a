import { Stack, type StackProps } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { AlarmTopic } from "../constructs/alarm-topic.ts";
import type { AlarmTopics } from "../constructs/notice-alarm.ts";
import type { Settings } from "../settings.ts";

/** The percentage of a month's budget at which costs are reported. */
const spent = 80;

/**
 * The topics of all alarms, one for each severity. This stack lies below all others, so that each stack keeps
 * its alarms beside the resources that they watch.
 */
export class AlertsStack extends Stack {
  readonly topics: AlarmTopics;

  constructor(
    scope: Construct,
    id: string,
    { alarmEmail, budget, ...props }: StackProps & Pick<Settings, "alarmEmail" | "budget">,
  ) {
    super(scope, id, props);
    const { topic: urgent } = new AlarmTopic(this, "Alarms", alarmEmail);
    // Other stacks refer to it by name: an export would prevent a downgrade to release 1.0.0, which has none.
    const topicName = `${this.stackName}-later`;
    const later = new AlarmTopic(this, "LaterAlarms", alarmEmail, topicName);
    const laterArn = this.formatArn({ service: "sns", resource: topicName });
    this.topics = { urgent, later: Topic.fromTopicArn(this, "Later", laterArn) };
    // AWS creates a budget only if the budget may publish to its topic. The topic's name, which is all that
    // the budget refers to, does not make CloudFormation create the policy first.
    if (budget !== undefined) this.addBudget(budget).node.addDependency(later);
  }

  /**
   * Watches the costs of the whole AWS account, because a cost allocation tag would have to be activated
   * first.
   */
  private addBudget(amount: number): CfnBudget {
    const subscribers = [{ subscriptionType: "SNS", address: this.topics.later.topicArn }];
    const notified = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: "GREATER_THAN" },
      subscribers,
    });
    return new CfnBudget(this, "Budget", {
      budget: { budgetType: "COST", timeUnit: "MONTHLY", budgetLimit: { amount, unit: "USD" } },
      notificationsWithSubscribers: [notified("ACTUAL", spent), notified("FORECASTED", 100)],
    });
  }
}
