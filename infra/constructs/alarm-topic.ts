import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";

/**
 * A topic for alarms and AWS Budgets.
 *
 * SNS encrypts stored messages by default. A customer-managed key would cost a dollar a month and protect
 * texts without secrets or customers' data, which are mailed in the clear anyway. The policy lets
 * both publish, because a topic with its own policy (here: TLS only) loses the default one.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, email: string | undefined, topicName?: string) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", {
      enforceSSL: true,
      ...(topicName === undefined ? {} : { topicName }),
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ["cloudwatch", "budgets"].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
  }
}
