import { CfnOutput, Duration, Stack } from "aws-cdk-lib";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { monitorVariable } from "../../shared/runtime/shared-names.ts";
import { grantSecret } from "./grants.ts";
import { NoticeAlarm } from "./notice-alarm.ts";
import type { ServiceFunction } from "./service-function.ts";

/**
 * The monitor's resources: the secret with the address and the credentials, which is random until an operator
 * sets it, and an alarm on the monitor's failures.
 */
export class Monitor extends Construct {
  constructor(serviceFunction: ServiceFunction, everyMinutes: number) {
    super(serviceFunction, "Monitor");
    const { lambda } = serviceFunction;
    const secret = new Secret(this, "Secret", {
      description: "The address, account and key with which the monitor calls the service",
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    lambda.addEnvironment(monitorVariable, secret.secretArn);
    grantSecret(lambda, secret);
    new CfnOutput(Stack.of(this), "MonitorSecretArn", {
      value: secret.secretArn,
      description: "The secret that holds the monitor's address and credentials",
    });
    new NoticeAlarm(this, "MonitorFails", {
      metric: lambda.metricErrors({ period: Duration.minutes(everyMinutes), statistic: Stats.SUM }),
      whenSilent: true,
      periods: 2,
      runbook: "The monitor fails",
      userNotices:
        "Probably what the monitor notices: calls fail or take 8 seconds, or orders can't be created.",
      whatToDo:
        'Search the monitor\'s log for "monitor failed": the line says which call failed and how. Without such lines, the monitor does not ' +
        "run: check that its rule in EventBridge is enabled, and whether functions are throttled.",
    });
  }
}
