import { RemovalPolicy } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";

/** Letters and digits with more than the 256 bits that HMAC-SHA256 uses. */
const length = 64;

/**
 * The secret that signs the sessions of the mobile application and of the documentation. The deployment
 * generates it, and no person sees it. It stays when its stack is deleted, because a new secret ends all
 * sessions, but not if the creation of the stack fails. The value may hold several secrets: functions read it
 * again every five minutes, sign with the first, and accept all. docs/operators/day-to-day.md explains
 * how to rotate it.
 */
export class SigningSecret extends Secret {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: "Signs the sessions of the mobile application and of the documentation",
      generateSecretString: { passwordLength: length, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }
}
