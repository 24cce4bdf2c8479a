import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";

/**
 * The encrypted topic that all alarms publish to.
 *
 * The topic has its own key, because CloudWatch can't publish to a topic under the key that AWS manages. Its policy
 * states that CloudWatch may publish, because a topic with its own policy (here: TLS only) loses the default one.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, email: string | undefined) {
    super(scope, id);
    const key = new Key(this, "Key", {
      description: "Encrypts the alarm topic",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
      pendingWindow: Duration.days(7),
    });
    this.topic = new Topic(this, "Topic", { masterKey: key, enforceSSL: true });
    key.addToResourcePolicy(this.byCloudWatch(["kms:Decrypt", "kms:GenerateDataKey*"], "*"));
    this.topic.addToResourcePolicy(this.byCloudWatch(["sns:Publish"], this.topic.topicArn));
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
  }

  /** In the policy of a key, the resource `*` means that key. */
  private byCloudWatch(actions: string[], resource: string): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions,
      resources: [resource],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
    });
  }
}
