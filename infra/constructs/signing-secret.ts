import { RemovalPolicy } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";

/** More than the 256 bits that HMAC-SHA256 makes use of, in letters and digits. */
const length = 64;

/**
 * What mobile sessions are signed with: made up when it is deployed, and known to nobody. It is kept when its stack is
 * deleted, because a new one ends all sessions. To rotate it, put a new value: functions take it up within five minutes.
 */
export class SigningSecret extends Secret {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: "Signs the sessions of the mobile application",
      generateSecretString: { passwordLength: length, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
